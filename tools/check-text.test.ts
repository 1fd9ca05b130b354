import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkText } from './check-text.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'toolwright-text-'));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe('the text check', () => {
  it.each([
    ['a path of one machine', 'docs/a.md', 'see /home/someone/project'],
    ['a path of one machine in quotes', 'tools/a.ts', "const at = '/root/project';"],
    ['a download address in the lockfile', 'pnpm-lock.yaml', '  resolution: {tarball: x}'],
    ['a registry host', 'docs/a.md', 'npm --registry registry.example.org'],
    ['an unfinished place', 'packages/sdk/src/a.ts', '// TODO later'],
    ['a stub', 'packages/sdk/src/a.ts', "throw new SdkError('X', 'not implemented');"],
    ['a focused test', 'packages/sdk/src/a.test.ts', "it.only('x', () => {});"],
    ['a skipped table of tests', 'packages/sdk/src/a.test.ts', "describe.skip.each([1])('x', () => {});"],
    ['a focused rule test case', 'packages/sdk/src/a.test.ts', 'valid: [{ code, only: true }]'],
    ['a number of an issue elsewhere', 'docs/a.md', 'as in owner/repo#12'],
    ['a letter of an issue', 'docs/a.md', 'comes with issue C'],
    ['words of who asked', 'docs/a.md', 'kept as requested'],
  ])('reports the line when a file has %s', async (_what, file, line) => {
    write(file, `one line before\n${line}\n`);
    const { problems } = await checkText(root, [file]);
    expect(problems).toEqual([expect.stringContaining(`${file}:2: "`)]);
  });

  it.each([
    'https://example.org/home/someone',
    './root/relative',
    'a todo list of pages',
    'the session of a content handler',
    'an issue of the magazine',
  ])('accepts the line when it reads "%s"', async (line) => {
    write('docs/a.md', `${line}\n`);
    expect((await checkText(root, ['docs/a.md'])).problems).toEqual([]);
  });

  it.each([
    'src/utils/a.ts',
    'src/text-helpers.ts',
    'src/run-manager.ts',
    'src/common.ts',
    'src/camelCase.ts',
  ])('reports the name when a file is called %s', async (file) => {
    write(file, '');
    expect((await checkText(root, [file])).problems).toHaveLength(1);
  });

  it.each(['README.md', 'docs/decisions/0001-a-b.md', 'tsconfig.base.json', 'src/a.test-d.ts', '.npmrc'])(
    'accepts the name when a file is called %s',
    async (file) => {
      write(file, '');
      expect((await checkText(root, [file])).problems).toEqual([]);
    },
  );

  it('reports a file when it has 501 lines and accepts it with 500', async () => {
    write('src/long.ts', 'x;\n'.repeat(501));
    write('src/fits.ts', 'x;\n'.repeat(500));
    write('src/generated/long.ts', 'x;\n'.repeat(501));
    const { problems } = await checkText(root, ['src/long.ts', 'src/fits.ts', 'src/generated/long.ts']);
    expect(problems).toEqual([expect.stringContaining('src/long.ts: 501 lines')]);
  });
});

function write(file: string, text: string): void {
  const target = path.join(root, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}
