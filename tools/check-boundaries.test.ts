import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import config from '../.dependency-cruiser.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DEPCRUISE = path.join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

const PACKAGES = ['sdk', 'catalogue', 'conformance', 'eslint-plugin', 'runtime', 'payload'] as const;
const SDK_EXPORTS = {
  '.': 'index',
  './contract-names': 'contract-names',
  './testing': 'testing/index',
  './mcp': 'mcp/index',
};
const REGISTRY_PACKAGES = ['ts-morph', 'vitest', 'undeclared', 'only-for-tests'];

/** A small workspace of the same shape, in which every boundary holds. */
const CLEAN: Readonly<Record<string, string>> = {
  'packages/sdk/src/index.ts': "export * from './tool/tool.js';",
  'packages/sdk/src/tool/tool.ts': 'export const tool = 1;',
  'packages/sdk/src/contract-names.ts': 'export const NAME = 1;',
  'packages/sdk/src/testing/index.ts': "import 'vitest';\nexport * from '../index.js';",
  'packages/sdk/src/mcp/index.ts': "export * from '../index.js';",
  'packages/catalogue/src/index.ts': 'export const DATA = 1;',
  'packages/conformance/src/analyze.ts':
    "import './load/load.js';\nimport './facts/collect.js';\nimport './rules/one/rule.js';\nimport './reporters/json.js';",
  'packages/conformance/src/model/fact-base.ts': 'export type Fact = number;',
  'packages/conformance/src/load/loaded-project.ts':
    "import type { Node } from 'ts-morph';\nexport type LoadedProject = Node;",
  'packages/conformance/src/load/load.ts': "import 'ts-morph';\nimport '../model/fact-base.js';",
  'packages/conformance/src/discover/discovered-tool.ts':
    "import type { Node } from 'ts-morph';\nexport type DiscoveredTool = Node;",
  'packages/conformance/src/discover/discover.ts': "import '../adapters/toolwright/adapter.js';",
  'packages/conformance/src/adapters/toolwright/adapter.ts':
    "import '@toolwright/sdk/contract-names';\nimport '../../load/loaded-project.js';",
  'packages/conformance/src/facts/collect.ts':
    "import '@toolwright/catalogue';\nimport '../load/loaded-project.js';\nimport '../discover/discovered-tool.js';",
  // The modules of the interpreter may call each other.
  'packages/conformance/src/facts/interpret/statements.ts': "import './loops.js';",
  'packages/conformance/src/facts/interpret/loops.ts': "import './statements.js';",
  'packages/conformance/src/rules/one/rule.ts': "import '../../model/fact-base.js';",
  'packages/conformance/src/reporters/json.ts': "import '../model/fact-base.js';",
  'packages/eslint-plugin/src/index.ts':
    "import '@toolwright/sdk/contract-names';\nimport '@toolwright/catalogue';",
  'packages/runtime/src/index.ts': "import '@toolwright/sdk';",
  'packages/runtime/src/approval/policy.ts': 'export const policy = 1;',
  'packages/runtime/src/outcome/observed.ts': "import '@toolwright/sdk';",
  'packages/payload/src/index.ts': "import '@toolwright/sdk';",
  'examples/pages/src/main.ts': "import '@toolwright/sdk';\nimport '@toolwright/runtime';",
};

interface Planted {
  readonly rule: string;
  readonly file: string;
  readonly source: string;
  /** What the planted file needs beside itself. */
  readonly beside?: Readonly<Record<string, string>>;
}

const conformance = (file: string): string => `packages/conformance/src/${file}`;

/** One violation of each rule, and a second where a rule has two sides. */
const PLANTED: readonly Planted[] = [
  {
    rule: 'no-circular',
    file: 'packages/runtime/src/run/first.ts',
    source: "import './second.js';",
    beside: { 'packages/runtime/src/run/second.ts': "import './first.js';" },
  },
  {
    rule: 'no-circular-out-of-the-interpreter',
    file: conformance('facts/interpret/expressions.ts'),
    source: "import '../values/value.js';",
    beside: { [conformance('facts/values/value.ts')]: "import '../interpret/expressions.js';" },
  },
  { rule: 'every-import-resolves', file: 'packages/runtime/src/lost.ts', source: "import './nowhere.js';" },
  {
    rule: 'dependencies-are-declared',
    file: 'packages/runtime/src/guest.ts',
    source: "import 'undeclared';",
  },
  {
    rule: 'no-dev-dependency-in-shipped-code',
    file: 'packages/runtime/src/dev.ts',
    source: "import 'only-for-tests';",
  },
  {
    rule: 'no-test-in-shipped-code',
    file: 'packages/runtime/src/leaky.ts',
    source: "import './some.test.js';",
    beside: { 'packages/runtime/src/some.test.ts': 'export const value = 1;' },
  },
  {
    rule: 'sources-not-builds',
    file: 'packages/runtime/src/stale.ts',
    source: "import '../dist/built.js';",
    beside: { 'packages/runtime/dist/built.js': 'export const built = 1;' },
  },
  {
    rule: 'package-by-its-name',
    file: 'packages/runtime/src/relative.ts',
    source: "import '../../sdk/src/index.js';",
  },
  {
    rule: 'package-by-its-name',
    file: 'examples/pages/src/relative.ts',
    source: "import '../../../packages/runtime/src/index.js';",
  },
  {
    rule: 'sdk-imports-no-sibling',
    file: 'packages/sdk/src/upward.ts',
    source: "import '@toolwright/catalogue';",
  },
  {
    rule: 'sdk-core-stays-light',
    file: 'packages/sdk/src/heavy.ts',
    source: "import './testing/index.js';",
  },
  { rule: 'sdk-core-stays-light', file: 'packages/sdk/src/matcher.ts', source: "import 'vitest';" },
  {
    rule: 'sdk-by-its-entry-points',
    file: 'packages/payload/src/deep.ts',
    source: "import '../../sdk/src/tool/tool.js';",
  },
  {
    rule: 'catalogue-is-data',
    file: 'packages/catalogue/src/upward.ts',
    source: "import '@toolwright/sdk';",
  },
  {
    rule: 'checkers-know-no-host',
    file: 'packages/eslint-plugin/src/host.ts',
    source: "import '@toolwright/runtime';",
  },
  {
    rule: 'checkers-apart',
    file: 'packages/eslint-plugin/src/other.ts',
    source: "import '@toolwright/conformance';",
    beside: { 'packages/conformance/src/index.ts': "export * from './analyze.js';" },
  },
  {
    rule: 'checkers-take-names-from-the-sdk',
    file: conformance('facts/effects.ts'),
    source: "import type { ToolEffect } from '@toolwright/sdk';\nexport type Effect = ToolEffect;",
  },
  {
    rule: 'hosts-know-no-checker',
    file: 'packages/payload/src/checking.ts',
    source: "import '@toolwright/conformance';",
    beside: { 'packages/conformance/src/index.ts': "export * from './analyze.js';" },
  },
  {
    rule: 'bindings-know-the-sdk-only',
    file: 'packages/payload/src/loop.ts',
    source: "import '@toolwright/runtime';",
  },
  {
    rule: 'no-package-imports-an-example',
    file: 'packages/payload/src/example.ts',
    source: "import '../../../examples/pages/src/main.js';",
  },
  {
    rule: 'rules-see-no-compiler',
    file: conformance('rules/one/nodes.ts'),
    source: "import type { Node } from 'ts-morph';\nexport type Seen = Node;",
  },
  {
    rule: 'rules-see-no-compiler',
    file: conformance('reporters/frames.ts'),
    source: "import '../load/loaded-project.js';",
  },
  ...(
    [
      ['model', '../facts/collect.js'],
      ['load', '../discover/discover.js'],
      ['discover', '../facts/collect.js'],
      ['adapters', '../facts/collect.js'],
      ['facts', '../load/load.js'],
      ['rules', '../facts/collect.js'],
      ['run-rules', '../facts/collect.js'],
      ['reporters', '../rules/one/rule.js'],
    ] as const
  ).map(([stage, specifier]) => ({
    rule: `conformance-${stage}-imports-model-and-itself`,
    file: conformance(`${stage}/sideways.ts`),
    source: `import '${specifier}';`,
  })),
  {
    rule: 'outcome-reads-no-approval',
    file: 'packages/runtime/src/outcome/rated.ts',
    source: "import '../run/between.js';",
    beside: { 'packages/runtime/src/run/between.ts': "import '../approval/policy.js';" },
  },
  {
    rule: 'outcome-reads-no-approval',
    file: 'packages/runtime/src/store/sql/sql-outcome-ledger.ts',
    source: "import './outcome-statements.js';",
    beside: {
      'packages/runtime/src/store/sql/outcome-statements.ts': "import './approval-inbox.js';",
      'packages/runtime/src/store/sql/approval-inbox.ts': 'export const inbox = 1;',
    },
  },
];

interface Finding {
  readonly rule: string;
  readonly from: string;
}

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolwright-boundaries-'));
  for (const file of ['.dependency-cruiser.mjs', 'tsconfig.base.json']) {
    await cp(path.join(ROOT, file), path.join(folder, file));
  }
  await write('package.json', JSON.stringify({ name: 'planted', private: true, type: 'module' }));
  for (const name of REGISTRY_PACKAGES) {
    await write(
      `node_modules/${name}/package.json`,
      JSON.stringify({ name, version: '1.0.0', main: 'index.js' }),
    );
    await write(`node_modules/${name}/index.js`, 'export const Node = 1;');
    await write(`node_modules/${name}/index.d.ts`, 'export interface Node { kind: number }');
  }
  for (const name of PACKAGES) {
    await write(`packages/${name}/package.json`, JSON.stringify(manifest(name)));
    await mkdir(path.join(folder, 'node_modules/@toolwright'), { recursive: true });
    await symlink(path.join(folder, 'packages', name), path.join(folder, 'node_modules/@toolwright', name));
  }
  await write(
    'examples/pages/package.json',
    JSON.stringify({
      name: 'pages',
      type: 'module',
      dependencies: { '@toolwright/sdk': '*', '@toolwright/runtime': '*' },
    }),
  );
  for (const [file, source] of Object.entries(CLEAN)) {
    await write(file, source);
  }
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the import boundaries', () => {
  it('find nothing when every import goes the right way', async () => {
    expect(await cruise()).toEqual([]);
  });

  it('report each planted violation under its own rule when one is planted per rule', async () => {
    for (const planted of PLANTED) {
      await write(planted.file, planted.source);
      for (const [file, source] of Object.entries(planted.beside ?? {})) {
        await write(file, source);
      }
    }

    const found = await cruise();

    for (const { rule, file } of PLANTED) {
      expect(found, `${rule} in ${file}`).toContainEqual({ rule, from: file });
    }
  });

  it('have a planted violation for every rule of the configuration', () => {
    const rules = (config.forbidden ?? []).map((rule) => rule.name);
    expect([...new Set(PLANTED.map(({ rule }) => rule))].sort()).toEqual(rules.sort());
  });

  it('say what to do instead in every rule', () => {
    for (const rule of config.forbidden ?? []) {
      expect(rule.comment?.length, rule.name).toBeGreaterThan(60);
      expect(rule.severity, rule.name).toBe('error');
    }
  });
});

function manifest(name: (typeof PACKAGES)[number]): Readonly<Record<string, unknown>> {
  const entries = name === 'sdk' ? SDK_EXPORTS : { '.': 'index' };
  return {
    name: `@toolwright/${name}`,
    version: '0.1.0',
    type: 'module',
    exports: Object.fromEntries(
      Object.entries(entries).map(([subpath, file]) => [subpath, { source: `./src/${file}.ts` }]),
    ),
    dependencies: Object.fromEntries(
      [...PACKAGES.map((sibling) => `@toolwright/${sibling}`), 'ts-morph']
        .filter((dependency) => dependency !== `@toolwright/${name}`)
        .map((dependency) => [dependency, '*']),
    ),
    peerDependencies: { vitest: '*' },
    devDependencies: { 'only-for-tests': '*' },
  };
}

async function write(file: string, source: string): Promise<void> {
  const target = path.join(folder, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, `${source}\n`);
}

/** Runs the command that `check` runs, with the project's own configuration. */
async function cruise(): Promise<readonly Finding[]> {
  const args = [
    DEPCRUISE,
    '--config',
    '.dependency-cruiser.mjs',
    '--output-type',
    'json',
    'packages',
    'examples',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: unknown) => error as { stdout: string });
  const report = JSON.parse(stdout) as {
    summary: { violations: readonly { from: string; rule: { name: string } }[] };
  };
  return report.summary.violations.map(({ from, rule }) => ({ rule: rule.name, from }));
}
