import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './workspace.js';

const CONFORMANCE = 'packages/conformance';
// On a machine that is busy with other things; a quiet one needs a tenth.
const COMPILING_MS = 300_000;

/** A copy of what the scaffolds write into, so that they can be tried without leaving anything behind. */
let root: string;

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'toolwright-scaffold-'));
  for (const copied of [
    'tools',
    'package.json',
    'tsconfig.base.json',
    'vitest.config.ts',
    '.prettierrc.json',
    `${CONFORMANCE}/src`,
    `${CONFORMANCE}/engine`,
    `${CONFORMANCE}/schema`,
    `${CONFORMANCE}/package.json`,
    'packages/eslint-plugin/src/rules',
  ]) {
    cpSync(path.join(ROOT, copied), path.join(root, copied), { recursive: true });
  }
  // Every framework has its adapter: one of them is made again.
  rmSync(path.join(root, `${CONFORMANCE}/src/adapters/langchain`), { recursive: true });
  for (const linked of [
    'node_modules',
    `${CONFORMANCE}/node_modules`,
    'packages/sdk',
    'packages/catalogue',
  ]) {
    symlinkSync(path.join(ROOT, linked), path.join(root, linked));
  }
  writeFileSync(
    path.join(root, 'tsconfig.json'),
    JSON.stringify({
      extends: './tsconfig.base.json',
      compilerOptions: { composite: false, noEmit: true },
      include: [
        `${CONFORMANCE}/src/rules/*`,
        `${CONFORMANCE}/src/adapters/*`,
        `${CONFORMANCE}/src/generated/*`,
      ],
      exclude: ['**/fixtures'],
    }),
  );
});

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

describe('the scaffolds', () => {
  it(
    'make a rule and an adapter that compile and whose tests fail with what to write',
    { timeout: COMPILING_MS },
    async () => {
      // The adapter first: once the new rule is registered, it throws wherever something is checked.
      expect(await run('tsx', 'tools/new-adapter.ts', 'langchain')).toMatchObject({ exit: 0 });
      const adapterTests = await run('vitest', 'run', 'adapters/langchain');
      expect(adapterTests.exit).toBe(1);
      expect(adapterTests.output).toContain('write fixtures/one-tool.ts, then discover() in adapter.ts');

      expect(await run('tsx', 'tools/new-rule.ts', 'no-silent-delete')).toMatchObject({ exit: 0 });
      const ruleTests = await run('vitest', 'run', 'rules/no-silent-delete');
      expect(ruleTests.exit).toBe(1);
      expect(ruleTests.output).toContain(
        'The rule no-silent-delete decides nothing yet: write check() in rules/no-silent-delete/rule.ts.',
      );

      expect(await run('tsc', '-p', 'tsconfig.json')).toEqual({ exit: 0, output: '' });
      expect(text(`${CONFORMANCE}/src/generated/rules.ts`)).toContain('noSilentDelete');
      expect(text(`${CONFORMANCE}/src/generated/adapters.ts`)).toContain('LANGCHAIN_ADAPTER');
      expect(text('docs/rules/README.md')).toContain('no-silent-delete');
    },
  );

  it.each([
    ['tools/new-rule.ts', [], 'found none'],
    ['tools/new-rule.ts', ['NoSilentDelete'], 'found "NoSilentDelete"'],
    ['tools/new-rule.ts', ['tool-names-unique'], 'is there already'],
    ['tools/new-adapter.ts', ['smoke-signals'], 'is none of toolwright, mcp'],
  ])('refuse with exit code 2 when called as %s %j', async (script, args, message) => {
    const ended = await run('tsx', script, ...args);
    expect(ended).toEqual({ exit: 2, output: expect.stringContaining(message) });
    expect(existsSync(path.join(root, `${CONFORMANCE}/src/adapters/smoke-signals`))).toBe(false);
  });
});

function text(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

async function run(name: string, ...args: readonly string[]): Promise<{ exit: number; output: string }> {
  const file = path.join(ROOT, 'node_modules/.bin', name);
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' };
  try {
    const { stdout, stderr } = await promisify(execFile)(file, [...args], { cwd: root, env });
    return { exit: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { exit: code, output: stdout + stderr };
  }
}
