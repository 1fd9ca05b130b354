import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from './workspace.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'toolwright-ci-'));
  mkdirSync(path.join(root, '.ci'));
  cpSync(path.join(ROOT, '.ci/run'), path.join(root, '.ci/run'));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe('the CI script', () => {
  it.each([
    [
      'everything passed',
      ['Tests  12 passed (12)', 0],
      ['checks: 5 passed, 0 failed', 0],
      '17 passed, 0 failed',
      0,
    ],
    [
      'a test failed',
      ['Tests  2 failed | 10 passed (12)', 1],
      ['checks: 5 passed, 0 failed', 0],
      '15 passed, 2 failed',
      1,
    ],
    [
      'a check failed',
      ['Tests  12 passed (12)', 0],
      ['checks: 3 passed, 2 failed', 1],
      '15 passed, 2 failed',
      1,
    ],
    [
      'tests were skipped',
      ['Tests  12 passed | 3 skipped (15)', 0],
      ['checks: 5 passed, 0 failed', 0],
      '17 passed, 0 failed, 3 skipped',
      0,
    ],
    [
      'all tests passed and the runner failed',
      ['Tests  12 passed (12)', 1],
      ['checks: 5 passed, 0 failed', 0],
      '17 passed, 1 failed',
      1,
    ],
    ['the tests never ran', ['', 1], ['checks: 5 passed, 0 failed', 0], '5 passed, 1 failed', 1],
    ['no test was found', ['', 0], ['checks: 5 passed, 0 failed', 0], '5 passed, 1 failed', 1],
  ] as const)('counts and exits as it should when %s', async (_case, test, check, lastLine, exit) => {
    fakeCommand({ test, check });
    const ended = await run();
    expect(ended.lines.at(-1)).toBe(lastLine);
    expect(ended.exit).toBe(exit);
  });
});

type Answer = readonly [output: string, exit: number];

/** Stands in for npx: answers by the last argument, in colour as a runner might. */
function fakeCommand(answers: { readonly test: Answer; readonly check: Answer }): void {
  const arms = Object.entries(answers).map(
    ([name, [output, exit]]) => `${name}) printf ' \\033[2m%s\\033[22m\\n' '${output}'; exit ${exit} ;;`,
  );
  const file = path.join(root, 'npx');
  writeFileSync(file, `#!/bin/sh\nfor last; do :; done\ncase $last in\n${arms.join('\n')}\nesac\n`);
  chmodSync(file, 0o755);
}

async function run(): Promise<{ exit: number; lines: readonly string[] }> {
  const env = { ...process.env, PATH: `${root}:${process.env['PATH'] ?? ''}` };
  const { exit, stdout } = await promisify(execFile)('bash', ['.ci/run'], { cwd: root, env }).then(
    ({ stdout }) => ({ exit: 0, stdout }),
    (error: unknown) => {
      const { code, stdout } = error as { code: number; stdout: string };
      return { exit: code, stdout };
    },
  );
  return { exit, lines: stdout.trimEnd().split('\n') };
}
