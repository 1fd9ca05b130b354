import { Worker, isMainThread } from 'node:worker_threads';
import { prepareSqlParser } from '@toolwright/catalogue';
import { run, STACK_EXHAUSTED } from './run.js';
import { isColored } from './terminal.js';

/** Types of generated code follow each other for tens of thousands of steps; the compiler goes down each of them. */
const LARGER_STACK_MB = 900;

// A reader that stops early (`| head`) is no failure of the check.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    throw error;
  }
});

// Without the parser SQL is judged by its tokens: as sound about writes, coarser about whether they converge.
await prepareSqlParser();

const args = process.argv.slice(2);
const exitCode = run(args, {
  cwd: process.cwd(),
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  hasLargerStack: isMainThread,
  now: () => performance.now(),
});

if (exitCode === STACK_EXHAUSTED) {
  // What the compiler was in the middle of is lost: only a new run answers what it would have.
  const again = new Worker(new URL(import.meta.url), {
    argv: args,
    env: isColored(process.stdout, process.env) ? { ...process.env, FORCE_COLOR: '1' } : process.env,
    resourceLimits: { stackSizeMb: LARGER_STACK_MB },
  });
  again.once('exit', (code) => {
    process.exitCode = code;
  });
} else {
  // The exit code is set, not forced, so that a long report is written to its end.
  process.exitCode = exitCode;
}
