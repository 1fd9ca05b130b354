import { execFileSync, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { withFixture } from '../testing/check-fixture.js';
import { DEEP_CODE, FAULTY_TOOL, SOUND_TOOL } from '../testing/run-command.js';
import { packageFile } from './package-files.js';

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

function runBin(files: Readonly<Record<string, string>>, args: readonly string[]) {
  return withFixture(files, (cwd) =>
    spawnSync(process.execPath, [packageFile('bin/toolwright-conformance.js'), ...args], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    }),
  );
}

describe('the installed command', () => {
  beforeAll(() => {
    execFileSync(process.execPath, [tsc, '-b', path.dirname(packageFile('package.json'))]);
  });

  it('prints a document and nothing else when it is asked for JSON', () => {
    const { status, stdout, stderr } = runBin({ 'src/tools.ts': FAULTY_TOOL }, ['--format', 'json']);
    expect(status).toBe(1);
    expect(stderr).toBe('');
    expect((JSON.parse(stdout) as { readonly schemaVersion: number }).schemaVersion).toBe(1);
  });

  it('runs again with a larger stack when types nest deeper than the usual one', () => {
    const { status, stdout, stderr } = runBin(DEEP_CODE, ['--format', 'json']);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect((JSON.parse(stdout) as { readonly tools: readonly unknown[] }).tools).toHaveLength(1);
  });

  it('finds the files that it ships when it explains a rule or reads a configuration', () => {
    const explained = runBin({}, ['--explain', 'effect-is-constant']);
    expect(explained.status).toBe(0);
    expect(explained.stdout).toContain('# effect-is-constant');
    const configured = runBin({ 'src/tools.ts': SOUND_TOOL, 'toolwright.config.json': '{}' }, [
      '--list-tools',
    ]);
    expect(configured.status).toBe(0);
    expect(configured.stdout).toContain('save_page');
  });
});
