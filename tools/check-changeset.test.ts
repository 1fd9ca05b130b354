import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkChangesets } from './check-changeset.js';

let parent: string;
let root: string;

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'toolwright-changeset-'));
  root = path.join(parent, 'origin');
  write('packages/sdk/package.json', JSON.stringify({ name: '@toolwright/sdk', version: '0.1.0' }));
  write('packages/sdk/api/sdk.api.md', 'export const before: 1;\n');
  write('.changeset/earlier.md', "---\n'@toolwright/sdk': patch\n---\n\nAn earlier change.\n");
  git(root, 'init', '-q', '-b', 'main');
  commit();
  git(root, 'checkout', '-q', '-b', 'change');
});

afterEach(() => {
  rmSync(parent, { recursive: true, force: true });
});

describe('the changeset check', () => {
  it('passes when no API report changed', async () => {
    write('packages/sdk/src/index.ts', 'export {};\n');
    expect((await checkChangesets(root)).problems).toEqual([]);
  });

  it('names report and package when a report changed without a new changeset', async () => {
    write('packages/sdk/api/sdk.api.md', 'export const after: 2;\n');
    commit();
    const { problems } = await checkChangesets(root);
    expect(problems).toEqual([expect.stringContaining('packages/sdk/api/sdk.api.md')]);
    expect(problems[0]).toContain('no new changeset names the package');
  });

  it('speaks before the commit when the changed report is only in the work tree', async () => {
    write('packages/sdk/api/sdk-new.api.md', 'export const added: 3;\n');
    expect((await checkChangesets(root)).problems).toHaveLength(1);
  });

  it('fails when the new changeset names another package', async () => {
    write('packages/sdk/api/sdk.api.md', 'export const after: 2;\n');
    write('.changeset/new.md', "---\n'@toolwright/runtime': patch\n---\n\n@toolwright/sdk has more.\n");
    expect((await checkChangesets(root)).problems).toHaveLength(1);
  });

  it('passes when a new changeset names the package', async () => {
    write('packages/sdk/api/sdk.api.md', 'export const after: 2;\n');
    write('.changeset/new.md', "---\n'@toolwright/sdk': patch\n---\n\nMore.\n");
    expect((await checkChangesets(root)).problems).toEqual([]);
  });

  it('accepts an earlier changeset when the work is on the main branch itself', async () => {
    git(root, 'checkout', '-q', 'main');
    write('packages/sdk/api/sdk.api.md', 'export const after: 2;\n');
    expect((await checkChangesets(root)).problems).toEqual([]);
    rmSync(path.join(root, '.changeset/earlier.md'));
    expect((await checkChangesets(root)).problems).toHaveLength(1);
  });

  it('passes and says so when a shallow clone has no earlier commit', async () => {
    write('packages/sdk/api/sdk.api.md', 'export const after: 2;\n');
    commit();
    const clone = path.join(parent, 'clone');
    git(parent, 'clone', '-q', '--depth', '1', '--branch', 'change', pathToFileURL(root).href, clone);
    expect(await checkChangesets(clone)).toEqual({
      problems: [],
      lookedAt: 'no earlier commit of the main branch to compare with',
    });
  });

  it('passes and says so when the folder is no git repository', async () => {
    rmSync(path.join(root, '.git'), { recursive: true });
    expect((await checkChangesets(root)).lookedAt).toContain('no earlier commit');
  });
});

function write(file: string, text: string): void {
  const target = path.join(root, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function commit(): void {
  git(root, 'add', '-A');
  git(root, '-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '-q', '-m', 'change');
}

function git(cwd: string, ...args: readonly string[]): void {
  execFileSync('git', [...args], { cwd, stdio: 'pipe' });
}
