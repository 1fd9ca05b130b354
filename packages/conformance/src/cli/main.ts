import { prepareSqlParser } from '@toolwright/catalogue';
import { run } from './run.js';

// A reader that stops early (`| head`) is no failure of the check.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    throw error;
  }
});

// Without the parser SQL is judged by its tokens: as sound about writes, coarser about whether they converge.
await prepareSqlParser();

// The exit code is set, not forced, so that a long report is written to its end.
process.exitCode = run(process.argv.slice(2), {
  cwd: process.cwd(),
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  now: () => performance.now(),
});
