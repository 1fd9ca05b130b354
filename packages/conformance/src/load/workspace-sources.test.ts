import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withFixture } from '../testing/check-fixture.js';
import { WorkspaceSources } from './workspace-sources.js';

const ROOT = { 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n', 'app/index.ts': '' };
const packageJson = (fields: object): string => JSON.stringify({ name: '@acme/store', ...fields });

/** What an import means in a workspace with one package in `packages/store`, relative to that package; null without one. */
function found(specifier: string, files: Readonly<Record<string, string>>, root = ROOT): string | null {
  const placed = Object.entries(files).map(([name, text]) => [`packages/store/${name}`, text]);
  return withFixture({ ...root, ...Object.fromEntries(placed) }, (folder) => {
    const source = new WorkspaceSources(path.join(folder, 'app')).resolve(specifier);
    return source === null ? null : path.posix.relative(`${folder}/packages/store`, source);
  });
}

describe('the source that an import means in a workspace', () => {
  it.each<[string, object, string, string]>([
    ['its `source`', { source: './lib/all.ts', main: './dist/index.js' }, 'lib/all.ts', 'dist/index.js'],
    ['what its `main` is built from', { main: './dist/index.js' }, 'src/index.ts', 'dist/index.js'],
    [
      'what its `types` are built from',
      { types: 'build/types/index.d.ts' },
      'src/index.ts',
      'build/types/index.d.ts',
    ],
    ['what lies beside the built folder', { main: 'dist/server.js' }, 'server.ts', 'dist/server.js'],
    ['JavaScript that nothing builds', { main: './index.js' }, 'index.js', 'other.js'],
    ['src/index where it names nothing', {}, 'src/index.ts', 'other.ts'],
    ['index where it has no src', {}, 'index.mts', 'other.ts'],
    ['the export of itself', { exports: './dist/esm/index.mjs' }, 'src/index.ts', 'dist/esm/index.mjs'],
    [
      'the first condition with a source',
      { exports: { import: './dist/a.js', require: './dist/b.cjs' } },
      'src/a.ts',
      'dist/a.js',
    ],
    [
      'the condition `source`, whatever stands first',
      { exports: { '.': { import: './dist/a.js', source: './lib/b.ts' } } },
      'lib/b.ts',
      'src/a.ts',
    ],
    [
      'a condition in a condition',
      { exports: { '.': { node: { import: './dist/a.js' } } } },
      'src/a.ts',
      'dist/a.js',
    ],
  ])('is %s', (_what, fields, source, other) => {
    const files = { 'package.json': packageJson(fields), [source]: '', [other]: '' };
    expect(found('@acme/store', files)).toBe(source);
  });

  it.each<[string, string, object, string]>([
    [
      'an export by its key',
      '@acme/store/pages',
      { exports: { './pages': './dist/content/pages.js' } },
      'src/content/pages.ts',
    ],
    ['an export by a pattern', '@acme/store/a/b', { exports: { './*': './dist/*.js' } }, 'src/a/b.ts'],
    [
      'an export by a pattern with an end',
      '@acme/store/a.js',
      { exports: { './*.js': './dist/*.js' } },
      'src/a.ts',
    ],
    ['a file of the package', '@acme/store/dist/pages.js', {}, 'src/pages.ts'],
    ['a file below src', '@acme/store/pages', {}, 'src/pages.ts'],
    ['a folder below src', '@acme/store/pages', {}, 'src/pages/index.ts'],
  ])('is, for a path in the package, %s', (_what, specifier, fields, source) => {
    expect(found(specifier, { 'package.json': packageJson(fields), [source]: '', 'src/other.ts': '' })).toBe(
      source,
    );
  });

  it.each([
    ['a package of nobody here', '@acme/other'],
    ['a package whose name only begins like one', '@acme/store-more'],
    ['a file that is not there', '@acme/store/nothing'],
    ['a file of its own', './store'],
  ])('is none for %s', (_what, specifier) => {
    expect(found(specifier, { 'package.json': packageJson({}), 'src/index.ts': '' })).toBeNull();
  });

  it('is none for a package that holds only what was built', () => {
    expect(
      found('@acme/store', { 'package.json': packageJson({ main: 'dist/index.js' }), 'dist/index.d.ts': '' }),
    ).toBeNull();
  });

  it('is found by the workspaces of npm too, and not beyond the repository', () => {
    const files = { 'package.json': packageJson({}), 'src/index.ts': '' };
    const npm = { 'package.json': JSON.stringify({ workspaces: ['packages/*'] }), 'app/index.ts': '' };
    expect(found('@acme/store', files, npm as never)).toBe('src/index.ts');
    expect(found('@acme/store', files, { ...ROOT, 'app/.git/HEAD': '' } as never)).toBeNull();
  });
});
