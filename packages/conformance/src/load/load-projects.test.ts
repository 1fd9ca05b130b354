import { rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ts } from '../../engine/typescript.mjs';
import { describe, expect, it } from 'vitest';
import { ConformanceError } from '../model/errors.js';
import { withFixture } from '../testing/check-fixture.js';
import type { LoadedProject } from './loaded-project.js';
import { loadProjects, type LoadRequest } from './load-projects.js';
import { SourceFileCache } from './source-file-cache.js';

const cache = new SourceFileCache();

type Files = Readonly<Record<string, string | null>>;

interface Loaded {
  readonly projects: readonly LoadedProject[];
  readonly checked: readonly string[];
  readonly notes: readonly string[];
  readonly assumptions: readonly string[];
}

/** Loads a fixture and lets `look` see the programs while its files are there. */
function load<T>(
  files: Files,
  look: (loaded: Loaded, folder: string) => T,
  request: Partial<LoadRequest> = {},
): T {
  return withFixture(files, (folder) => {
    const absolute = (paths: readonly string[] = []): string[] => paths.map((one) => path.join(folder, one));
    const { projects, notes, assumptions } = loadProjects({
      testFileGlobs: [],
      cache,
      ...request,
      cwd: path.join(folder, request.cwd ?? '.'),
      paths: absolute(request.paths),
      configs: absolute(request.configs),
    });
    const all = [...projects];
    const checked = all.flatMap((project) =>
      project.sourceFiles.map((file) => project.relative(file.fileName)),
    );
    return look({ projects: all, checked, notes, assumptions }, folder);
  });
}

function checkedFiles(files: Files, request: Partial<LoadRequest> = {}): readonly string[] {
  return load(files, ({ checked }) => checked, request);
}

/** The type of an exported name as the program sees it; `any` where nothing resolves. */
function typeOf({ projects }: Loaded, name: string): string {
  for (const { sourceFiles, checker } of projects) {
    for (const file of sourceFiles) {
      // A CommonJS file is no module by its syntax, and has a symbol all the same.
      const module = (file as unknown as { readonly symbol?: ts.Symbol }).symbol;
      const symbol = module === undefined ? undefined : checker.tryGetMemberInModuleExports(name, module);
      if (symbol !== undefined) {
        return checker.typeToString(checker.getTypeOfSymbol(symbol));
      }
    }
  }
  throw new Error(`${name} is not exported.`);
}

function failure(files: Files, request: Partial<LoadRequest> = {}): { code: string; message: string } {
  try {
    checkedFiles(files, request);
  } catch (error) {
    if (error instanceof ConformanceError) {
      return { code: error.code, message: error.message };
    }
    throw error;
  }
  throw new Error('It was loaded.');
}

const config = (options: object, rest: object = {}): string =>
  JSON.stringify({ compilerOptions: { module: 'NodeNext', types: [], ...options }, ...rest });

describe('a configuration', () => {
  it('is followed to its references when it is a solution', () => {
    const files = {
      'tsconfig.json':
        '{ "files": [], "references": [{ "path": "./app" }, { "path": "./tsconfig.node.json" }] }',
      'app/tsconfig.json': config({ composite: true }, { include: ['src'] }),
      'app/src/a.ts': 'export const a = 1;',
      'tsconfig.node.json': config({}, { files: ['vite.config.ts'] }),
      'vite.config.ts': 'export const b = 1;',
    };
    expect(checkedFiles(files)).toEqual(['app/src/a.ts', 'vite.config.ts']);
    expect(checkedFiles(files, { configs: ['tsconfig.json'] })).toEqual(['app/src/a.ts', 'vite.config.ts']);
  });

  it('is followed to the references below it, and not to other packages, when it has files', () => {
    const files = {
      'app/tsconfig.json': config(
        {},
        { include: ['src'], references: [{ path: './tsconfig.node.json' }, { path: '../lib' }] },
      ),
      'app/tsconfig.node.json': config({}, { files: ['build.ts'] }),
      'app/src/a.ts': 'export const a = 1;',
      'app/build.ts': 'export const b = 1;',
      'lib/tsconfig.json': config({ composite: true }, { include: ['src'] }),
      'lib/src/c.ts': 'export const c = 1;',
    };
    expect(checkedFiles(files, { paths: ['app'] })).toEqual(['app/build.ts', 'app/src/a.ts']);
  });

  it('names a reference that is missing when a solution has one', () => {
    const files = {
      'tsconfig.json': '{ "files": [], "references": [{ "path": "./app" }, { "path": "./gone" }] }',
      'app/tsconfig.json': config({}, { include: ['src'] }),
      'app/src/a.ts': '',
    };
    expect(load(files, ({ notes }) => notes)).toEqual([
      'tsconfig.json refers to gone/tsconfig.json, which does not exist; it was left out.',
    ]);
  });

  it('is no error when it has options that TypeScript 6 deprecates', () => {
    const options = {
      target: 'ES5',
      module: 'CommonJS',
      moduleResolution: 'node',
      baseUrl: 'src',
      outFile: 'out.js',
      downlevelIteration: true,
      esModuleInterop: false,
      alwaysStrict: false,
      importsNotUsedAsValues: 'error',
      charset: 'utf8',
      unknownOption: true,
    };
    const files = {
      'tsconfig.json': JSON.stringify({ compilerOptions: options, include: ['src'] }),
      'src/deep/b.ts': 'export const b = 2;',
      'src/a.ts': "import { b } from 'deep/b'; export const a = b;",
    };
    load(files, (loaded) => {
      expect([...loaded.checked].sort()).toEqual(['src/a.ts', 'src/deep/b.ts']);
      expect(typeOf(loaded, 'a')).toBe('2');
    });
  });

  it('ends the run with line and column when it is no valid JSON', () => {
    expect(failure({ 'tsconfig.json': '{\n  "include": ["src"\n', 'src/a.ts': '' })).toMatchObject({
      code: 'BAD_TSCONFIG',
      message: expect.stringMatching(/^tsconfig\.json is no valid JSON: line \d, column \d/u),
    });
  });

  it('ends the run when one that it extends is no valid JSON', () => {
    const files = {
      'tsconfig.json': '{ "extends": "./base.json" }',
      'base.json': '{ "compilerOptions": [ }',
      'src/a.ts': '',
    };
    expect(failure(files)).toMatchObject({
      code: 'BAD_TSCONFIG',
      message: expect.stringContaining('base.json'),
    });
  });

  it('ends the run when a file that it extends is missing', () => {
    expect(failure({ 'tsconfig.json': '{ "extends": "./base.json" }', 'src/a.ts': '' })).toEqual({
      code: 'BAD_TSCONFIG',
      message:
        'tsconfig.json extends "base.json", which does not exist. Correct the path in "extends", or create the file.',
    });
  });

  it('says what it took for granted when a package that it extends is not installed', () => {
    const files = {
      'tsconfig.json': '{ "extends": "@tsconfig/node20/tsconfig.json", "include": ["src"] }',
      'src/b.ts': 'export const b = "x" as string | null;',
      'src/a.ts': 'import { b } from "./b.js"; export const a = b;',
    };
    load(files, (loaded) => {
      expect(typeOf(loaded, 'a')).toBe('string | null');
      expect(loaded.assumptions).toEqual([
        'tsconfig.json extends "@tsconfig/node20/tsconfig.json", which is not installed: what it leaves out was taken as strict, ES modules, resolved as a bundler does.',
      ]);
    });
  });

  it('ends the run when it lists no file', () => {
    expect(failure({ 'src/readme.md': '#' })).toMatchObject({ code: 'NO_SOURCE' });
  });
});

describe('TypeScript’s own defaults', () => {
  const node = {
    'node_modules/@types/node/package.json':
      '{ "name": "@types/node", "version": "20.0.0", "types": "index.d.ts" }',
    'node_modules/@types/node/index.d.ts':
      'declare module "node:fs" { export function readFileSync(name: string): "text"; }',
    'tsconfig.json':
      '{ "compilerOptions": { "target": "ES2022", "module": "CommonJS", "moduleResolution": "node" } }',
    'a.ts': "import { readFileSync } from 'node:fs'; export const a = readFileSync('x');",
  };
  const installed = (version: string): Files => ({
    'node_modules/typescript/package.json': JSON.stringify({ name: 'typescript', version }),
  });
  const named = (range: string): Files => ({
    'package.json': JSON.stringify({ name: 'x', devDependencies: { typescript: range } }),
  });
  const typeWith = (files: Files): string => load({ ...node, ...files }, (loaded) => typeOf(loaded, 'a'));

  it('keep the ambient types of node when TypeScript 5 is installed', () => {
    expect(typeWith(installed('5.9.3'))).toBe('"text"');
  });

  it('are those of TypeScript 6 when that is installed, whatever package.json says', () => {
    expect(typeWith({ ...installed('6.0.3'), ...named('^5.0.0') })).toBe('any');
  });

  it.each(['^5.4.0', '~5.9', '5.x', '>=5 <7', 'npm:typescript@^5.9.3'])(
    'follow package.json when nothing is installed and it says %s',
    (range) => {
      expect(typeWith(named(range))).toBe('"text"');
    },
  );

  it.each(['^6.0.0', 'latest', '*', 'next'])(
    'are those of the bundled one when package.json says %s',
    (range) => {
      expect(typeWith(named(range))).toBe('any');
    },
  );

  it('follow the catalog of the workspace when package.json refers to it', () => {
    const workspace = (version: string): Files => ({
      'pnpm-workspace.yaml': `packages: []\ncatalog:\n  typescript: ${version}\n`,
      ...named('catalog:'),
    });
    expect(typeWith(workspace('^5.9.0'))).toBe('"text"');
    expect(typeWith(workspace('^6.0.0'))).toBe('any');
  });
});

describe('a path', () => {
  const project = {
    'tsconfig.json': config({}, { include: ['src'] }),
    'src/tools/a.ts': "import { b } from '../b.js'; export const a = b;",
    'src/b.ts': 'export const b = 1;',
    'scripts/c.ts': 'export const c = 1;',
  };

  it('is checked alone, in the program that lists it, when it is a file', () => {
    load(
      project,
      (loaded) => {
        expect(loaded.checked).toEqual(['src/tools/a.ts']);
        expect(typeOf(loaded, 'a')).toBe('1');
        expect(loaded.projects[0]?.ownFiles).toHaveLength(2);
      },
      { paths: ['src/tools/a.ts'] },
    );
  });

  it('is checked with all below it when it is a folder of a project', () => {
    expect(checkedFiles(project, { paths: ['src/tools'] })).toEqual(['src/tools/a.ts']);
    expect(checkedFiles(project, { paths: ['src/tools', 'src/b.ts'] })).toEqual([
      'src/tools/a.ts',
      'src/b.ts',
    ]);
  });

  it('is read with default options when no configuration lists it', () => {
    load(
      project,
      ({ checked, notes }) => {
        expect(checked).toEqual(['scripts/c.ts']);
        expect(notes).toEqual([
          'No tsconfig.json covers scripts: its TypeScript files were read with default options.',
        ]);
      },
      { paths: ['scripts'] },
    );
  });

  it('leads to the reference that lists it when the configuration above is a solution', () => {
    const files = {
      'tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
      'tsconfig.app.json': config({ strict: false }, { include: ['src'] }),
      'src/a.ts': 'export const a = 1;',
    };
    load(
      files,
      ({ checked, projects }) => {
        expect(checked).toEqual(['src/a.ts']);
        expect(projects[0]?.program.getCompilerOptions().strict).toBe(false);
      },
      { paths: ['src/a.ts'] },
    );
  });

  it('is refused with what is there when it holds only build output', () => {
    expect(failure({ 'tsconfig.json': null, 'dist/a.js': '' })).toMatchObject({
      code: 'NO_SOURCE',
      message: expect.stringContaining('Only build output was found (1 files, for example dist/a.js)'),
    });
    expect(checkedFiles({ 'tsconfig.json': null, 'dist/a.js': '' }, { paths: ['dist/a.js'] })).toEqual([
      'dist/a.js',
    ]);
  });

  it('is checked although it is a test when it is named outright', () => {
    const files = { ...project, 'src/a.test.ts': '' };
    expect(checkedFiles(files, { paths: ['src'] })).not.toContain('src/a.test.ts');
    expect(checkedFiles(files, { paths: ['src/a.test.ts'] })).toEqual(['src/a.test.ts']);
    const folder = { ...project, 'src/tests/a.ts': '', 'src/tests/a.spec.ts': '' };
    expect(checkedFiles(folder, { paths: ['src/tests'] })).toEqual(['src/tests/a.ts']);
  });
});

describe('plain JavaScript', () => {
  it('is read with the types of its comments when there is no configuration', () => {
    const files = {
      'tsconfig.json': null,
      'package.json': '{ "name": "plain" }',
      'index.js': "const { b } = require('./b'); exports.a = b;",
      'b.js': '/** @type {"x" | "y"} */\nexports.b = read();',
      'dist/bundle.js': '',
      'node_modules/c/index.js': '',
    };
    load(files, (loaded) => {
      expect(loaded.checked).toEqual(['b.js', 'index.js']);
      expect(typeOf(loaded, 'a')).toBe('"x" | "y"');
    });
  });

  it('is read by its jsconfig.json when it has one', () => {
    const files = {
      'tsconfig.json': null,
      'jsconfig.json': '{ "include": ["lib"] }',
      'lib/a.js': '',
      'b.js': '',
    };
    expect(checkedFiles(files)).toEqual(['lib/a.js']);
  });
});

describe('a workspace', () => {
  const packages = {
    'tsconfig.json': null,
    'packages/a/package.json': '{ "name": "@x/a", "type": "module" }',
    'packages/a/tsconfig.json': config({}, { include: ['src'] }),
    'packages/a/src/a.ts': "import { b } from '@x/b'; export const a = b;",
    'packages/b/package.json': JSON.stringify({
      name: '@x/b',
      type: 'module',
      exports: { source: './src/b.ts', types: './dist/b.d.ts', default: './dist/b.js' },
    }),
    'packages/b/tsconfig.json': config({}, { include: ['src'] }),
    'packages/b/src/b.ts': 'export const b = "fresh";',
    'packages/b/dist/b.d.ts': 'export declare const b: "stale";',
    'packages/js/package.json': '{ "name": "@x/js" }',
    'packages/js/index.js': '',
    'tools/loose.ts': '',
  };
  const everything = ['packages/a/src/a.ts', 'packages/b/src/b.ts', 'packages/js/index.js', 'tools/loose.ts'];

  it.each([
    ['pnpm', { 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n' }],
    ['npm', { 'package.json': '{ "name": "root", "workspaces": ["./packages/*/"] }' }],
    ['yarn', { 'package.json': '{ "name": "root", "workspaces": { "packages": ["packages/*"] } }' }],
  ])('is checked package by package when it is one of %s', (_kind, root) => {
    expect([...checkedFiles({ ...packages, ...root })].sort()).toEqual(everything);
  });

  it('leaves out packages when a pattern does', () => {
    const root = { 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n  - "!packages/js"\n' };
    load({ ...packages, ...root }, ({ projects }) => {
      expect(projects.map((project) => project.relative(project.root))).toEqual([
        'packages/a',
        'packages/b',
        '.',
      ]);
    });
  });

  it('gives each file to the configuration nearest to it when the root’s takes in everything', () => {
    const files = {
      ...packages,
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
      'tsconfig.json': config({ strict: false, allowJs: true }),
    };
    load(files, ({ projects, checked }) => {
      expect([...checked].sort()).toEqual(everything);
      const root = projects.find((project) => project.relative(project.root) === '.');
      expect(root?.sourceFiles.map((file) => root.relative(file.fileName)).sort()).toEqual([
        'packages/js/index.js',
        'tools/loose.ts',
      ]);
    });
  });

  it('is read from sources when a package has a build that is stale', () => {
    const files = { ...packages, 'node_modules/@x/.keep': '' };
    withFixture(files, (folder) => {
      symlinkSync(path.join(folder, 'packages/b'), path.join(folder, 'node_modules/@x/b'));
      const { projects } = loadProjects({
        cwd: folder,
        paths: [path.join(folder, 'packages/a')],
        configs: [],
        testFileGlobs: [],
      });
      const loaded = { projects: [...projects], checked: [], notes: [], assumptions: [] };
      expect(typeOf(loaded, 'a')).toBe('"fresh"');
    });
  });
});

describe('installed packages', () => {
  const esmOnly = {
    'node_modules/esm/package.json': JSON.stringify({
      name: 'esm',
      type: 'module',
      exports: { source: './src/index.ts', import: { types: './index.d.ts' } },
    }),
    'node_modules/esm/index.d.ts': 'export declare const esm: "declared";',
    'node_modules/esm/src/index.ts': 'export const esm = "source";',
    'src/a.ts': "import { esm } from 'esm'; export const a = esm;",
  };

  it('are read by their declarations when they publish sources, too', () => {
    expect(load(esmOnly, (loaded) => typeOf(loaded, 'a'))).toBe('"declared"');
  });

  it('may be missing', () => {
    withFixture({ 'src/a.ts': "import { b } from 'gone'; export const a = b;" }, (folder) => {
      rmSync(path.join(folder, 'node_modules'), { recursive: true });
      const { projects } = loadProjects({ cwd: folder, paths: [], configs: [], testFileGlobs: [] });
      const loaded = { projects: [...projects], checked: [], notes: [], assumptions: [] };
      expect(typeOf(loaded, 'a')).toBe('any');
    });
  });
});

describe('a symbolic link', () => {
  it('out of the project is followed by imports', () => {
    withFixture(
      {
        'outside/b.ts': 'export const b = 1;',
        'inside/package.json': '{ "name": "i", "type": "module" }',
        'inside/a.ts': "import { b } from './linked/b.js'; export const a = b;",
      },
      (folder) => {
        symlinkSync(path.join(folder, 'outside'), path.join(folder, 'inside/linked'));
        const { projects } = loadProjects({
          cwd: folder,
          paths: [path.join(folder, 'inside')],
          configs: [],
          testFileGlobs: [],
        });
        const loaded = { projects: [...projects], checked: [], notes: [], assumptions: [] };
        expect(loaded.projects[0]?.sourceFiles.map((file) => path.basename(file.fileName))).toEqual(['a.ts']);
        expect(typeOf(loaded, 'a')).toBe('1');
      },
    );
  });
});

describe('a place in the source', () => {
  it('is relative to the working directory, with line and column from 1', () => {
    load(
      { 'src/a.ts': '\nexport const a = 1;' },
      ({ projects }) => {
        const [project] = projects;
        const statement = project?.sourceFiles[0]?.statements[0];
        expect(statement === undefined ? null : project?.locate(statement)).toEqual({
          file: '../src/a.ts',
          line: 2,
          column: 1,
        });
        expect(ts.version).toMatch(/^6\./u);
      },
      { cwd: 'node_modules', paths: ['src'] },
    );
  });
});
