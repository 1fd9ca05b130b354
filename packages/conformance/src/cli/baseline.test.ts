import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withFixture } from '../testing/check-fixture.js';
import { type CommandResult, FAULTY_TOOL, runCommandIn, SOUND_TOOL } from '../testing/run-command.js';

/** Runs one command after another in one folder, with edits between. */
function inFolder(
  files: Readonly<Record<string, string>>,
  use: (
    run: (...args: string[]) => CommandResult,
    edit: (file: string, text: string) => void,
    folder: string,
  ) => void,
): void {
  withFixture(files, (folder) => {
    use(
      (...args) => runCommandIn(folder, args),
      (file, text) => {
        writeFileSync(path.join(folder, file), text);
      },
      folder,
    );
  });
}

describe('a baseline', () => {
  const BASELINE = ['--baseline', 'toolwright.baseline.json'];

  it('takes in what is there, and lets only new findings fail, when it is updated once', () => {
    inFolder({ 'src/tools.ts': FAULTY_TOOL }, (run, edit) => {
      expect(run().code).toBe(1);
      const updated = run('--update-baseline');
      expect(updated.code).toBe(0);
      expect(updated.stderr).toMatch(/^\d findings written to toolwright\.baseline\.json\.\n$/u);
      const known = run(...BASELINE);
      expect(known.code).toBe(0);
      expect(known.stdout).toContain('It is in the baseline.');

      edit('src/tools.ts', `// moved\n${FAULTY_TOOL}`);
      expect(run(...BASELINE).code).toBe(0);

      edit('src/more.ts', FAULTY_TOOL.replace('save_page', 'move_page'));
      expect(run(...BASELINE).code).toBe(1);
    });
  });

  it('fails the run when an entry no longer occurs, until it is updated', () => {
    inFolder({ 'src/tools.ts': FAULTY_TOOL }, (run, edit) => {
      run('--update-baseline');
      edit('src/tools.ts', SOUND_TOOL);
      const stale = run(...BASELINE);
      expect(stale.code).toBe(1);
      expect(stale.stdout).toContain('In the baseline, and gone');
      expect(run(...BASELINE, '--format', 'json').stderr).toContain(
        'error: the baseline knows a finding of effect-is-constant in src/tools.ts that is gone',
      );
      // Asked about another rule, or another file, nothing is known to be gone.
      expect(run(...BASELINE, '--rule', 'tool-names-unique').code).toBe(0);
      edit('src/other.ts', SOUND_TOOL.replace('save_page', 'other'));
      expect(run(...BASELINE, 'src/other.ts').code).toBe(0);
      run('--update-baseline', ...BASELINE);
      expect(run(...BASELINE).code).toBe(0);
    });
  });

  it('comes from the configuration when that names one', () => {
    const files = { 'src/tools.ts': FAULTY_TOOL, 'toolwright.config.json': '{ "baseline": "known.json" }' };
    inFolder(files, (run) => {
      expect(run().code).toBe(2);
      expect(run('--update-baseline').code).toBe(0);
      expect(run().code).toBe(0);
    });
  });

  it.each([
    ['{', 'is no valid JSON'],
    ['{ "schemaVersion": 2, "findings": [] }', 'is none of version 1'],
    ['{ "schemaVersion": 1, "findings": [{ "fingerprint": 1 }] }', 'is none of version 1'],
  ])('is refused when it is %s', (text, message) => {
    inFolder({ 'src/tools.ts': SOUND_TOOL, 'known.json': text }, (run) => {
      const { code, stderr } = run('--baseline', 'known.json');
      expect(code).toBe(2);
      expect(stderr).toContain(message);
    });
  });
});

describe('an effects manifest', () => {
  it('is written beside each package.json when it is updated, and then holds', () => {
    const files = {
      'tsconfig.json':
        '{ "compilerOptions": { "module": "NodeNext", "types": [] }, "include": ["packages"] }',
      'packages/a/package.json': '{ "name": "a" }',
      'packages/a/tools.ts': SOUND_TOOL,
      'packages/b/package.json': '{ "name": "b" }',
      'packages/b/tools.ts': SOUND_TOOL.replace('save_page', 'move_page'),
      'packages/c/package.json': '{ "name": "c" }',
      'packages/c/none.ts': '',
    };
    inFolder(files, (run, edit, folder) => {
      const updated = run('--update-manifest', '--rule', 'effects-are-pinned');
      expect(updated.code).toBe(0);
      expect(updated.stdout).toMatch(/proven +effects-are-pinned/u);
      expect(
        JSON.parse(readFileSync(path.join(folder, 'packages/a/toolwright.effects.json'), 'utf8')),
      ).toEqual({
        schemaVersion: 1,
        tools: { save_page: 'idempotent_write' },
      });
      expect(existsSync(path.join(folder, 'packages/c/toolwright.effects.json'))).toBe(false);
      expect(run('--rule', 'effects-are-pinned').code).toBe(0);

      edit('packages/b/tools.ts', SOUND_TOOL.replace('save_page', 'rename_page'));
      const changed = run('--rule', 'effects-are-pinned');
      expect(changed.code).toBe(1);
      expect(changed.stdout).toContain('packages/b/toolwright.effects.json:4:5');
      expect(changed.stdout).toContain('> 4 |     "move_page": "idempotent_write"');
      expect(changed.stdout).toContain('does not pin this tool, which is new or renamed');
    });
  });
});
