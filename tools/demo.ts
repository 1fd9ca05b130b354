/**
 * Shows the project at work on the examples: what the conformance command says of a good plugin and of one
 * with a fault per rule, and a write through the loop whose record is read back. Needs a build. The exit
 * code is 0 when everything came out as it should; a finding in the broken plugin is what should come out.
 */
import { spawn } from 'node:child_process';
import { brokenPluginProblems, parseReport, soundPluginProblems } from './demo-expectations.js';
import { ROOT } from './workspace.js';

const CONFORMANCE = 'packages/conformance/bin/toolwright-conformance.js';
const HOST = 'examples/pages-host/dist/main.js';

const problems: string[] = [];

title('1. A plugin: its tools with their effects, and a verdict per tool and rule');
await check('examples/pages-plugin', 0, soundPluginProblems);

title('2. A plugin with one fault per rule: its findings, with the way that leads to each');
await check('examples/broken-plugin', 1, brokenPluginProblems);
console.log('Exit code 1 is expected here: the command fails a build over findings like these.');

title('3. A write through the loop: approved by a person, stored in the trace, read back from SQLite');
const host = await run([HOST]);
console.log(host.stdout.trimEnd());
expectExit(HOST, host, 0);

if (problems.length > 0) {
  console.error(`\nNot as expected:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  process.exitCode = 1;
} else {
  console.log('\nEverything came out as it should.');
}

/** Prints what the command says to people, and judges what it says to programs. */
async function check(
  subject: string,
  expectedExit: number,
  judge: (report: ReturnType<typeof parseReport>) => readonly string[],
): Promise<void> {
  console.log(`$ toolwright-conformance ${subject}\n`);
  const [shown, json] = await Promise.all([
    run([CONFORMANCE, subject]),
    run([CONFORMANCE, subject, '--format', 'json']),
  ]);
  console.log(shown.stdout.trimEnd());
  expectExit(`toolwright-conformance ${subject}`, shown, expectedExit);
  try {
    problems.push(...judge(parseReport(json.stdout)).map((problem) => `${subject}: ${problem}`));
  } catch (error) {
    problems.push(`${subject}: the JSON report could not be read (${String(error)})`);
  }
}

interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function expectExit(what: string, ended: Ended, expected: number): void {
  if (ended.exit !== expected) {
    const said = ended.stderr.trim();
    problems.push(
      `${what} was expected to exit with ${String(expected)}, and exited with ${String(ended.exit)}` +
        (said === '' ? '' : `: ${said}`),
    );
  }
}

function run(args: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: colours(),
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', reject);
    child.once('close', (exit) => {
      resolve({ exit, stdout, stderr });
    });
  });
}

// The output passes through a pipe, so a terminal at its end has to be told of.
function colours(): NodeJS.ProcessEnv {
  const isTerminal = process.stdout.isTTY && process.env['NO_COLOR'] === undefined;
  return isTerminal ? { FORCE_COLOR: '1', ...process.env } : process.env;
}

function title(text: string): void {
  console.log(`\n${text}\n${'='.repeat(text.length)}\n`);
}
