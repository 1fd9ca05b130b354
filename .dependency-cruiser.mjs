// @ts-check
import { readFileSync } from 'node:fs';

/**
 * Import directions. Every rule says in its comment what to do instead; `tools/check-boundaries.test.ts`
 * plants one violation of each and expects it to be found, so a rule that stops matching fails a test.
 */

// Not published: tests, what they share, and what they read. (The SDK's own testing/ is published.)
const TEST_CODE =
  '\\.(test(-d)?|cases)\\.ts$|^packages/(conformance/src/testing|eslint-plugin/src/rule-testing)/';
const TEST_FILES = `${TEST_CODE}|/fixtures/`;
const SDK = '^packages/sdk/src/';
/** @type {Record<string, { source: string }>} */
const SDK_EXPORTS = JSON.parse(
  readFileSync(new URL('packages/sdk/package.json', import.meta.url), 'utf8'),
).exports;
const SDK_ENTRY_POINTS = Object.values(SDK_EXPORTS).map(
  ({ source }) => `^packages/sdk/${source.slice(2).replace('.', '\\.')}$`,
);
const COMPILER =
  '(^|/)node_modules/(ts-morph|@ts-morph/[^/]+|typescript|@typescript-eslint/[^/]+)/|^packages/conformance/engine/';

// What one stage of the conformance pipeline hands to the next, where it holds compiler nodes, and the
// questions about symbols and constants that several of them ask.
const HANDED_ON = '(load/loaded-project|discover/discovered-tool|compiler/[^/]+)\\.ts$';
const CONFORMANCE = '^packages/conformance/src/';
const INTERPRETER = `${CONFORMANCE}facts/(interpret|intrinsics)/`;

/** @param {string} stage @param {readonly string[]} [also] */
const stageImports = (stage, also = []) => ({
  name: `conformance-${stage}-imports-model-and-itself`,
  comment:
    `${stage} is one stage of a pipeline that only analyze.ts knows. Put a type that two stages share into ` +
    'model/ (plain data), or hand the value over in analyze.ts.',
  severity: /** @type {const} */ ('error'),
  from: { path: `${CONFORMANCE}${stage}/`, pathNot: TEST_FILES },
  to: {
    path: CONFORMANCE,
    pathNot: [`${CONFORMANCE}(model|${[stage, ...also].join('|')})/`, `${CONFORMANCE}${HANDED_ON}`],
  },
});

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circular',
      comment:
        'Modules that import each other cannot be loaded or tested alone. Move what both need into a third module, ' +
        'or pass it as an argument. (Types that describe each other are no cycle: they are gone when the code runs.)',
      severity: 'error',
      from: { pathNot: INTERPRETER },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-circular-out-of-the-interpreter',
      comment:
        'Expressions hold statements hold expressions, so the modules of the interpreter call each other. Nothing else ' +
        'takes part in that: move what the interpreter needs from outside into a module that does not import it.',
      severity: 'error',
      from: { path: INTERPRETER },
      to: {
        circular: true,
        via: { pathNot: INTERPRETER },
        viaOnly: { dependencyTypesNot: ['type-only'] },
      },
    },
    {
      name: 'every-import-resolves',
      comment:
        'The import leads nowhere. Check the spelling (it ends in .js) and the exports of the package.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'dependencies-are-declared',
      comment:
        "Shipped code imports a package that its own package.json does not name, so it works here and breaks at a user's. " +
        'Add it to dependencies or peerDependencies (version from the catalog in pnpm-workspace.yaml).',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: TEST_FILES },
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown'],
        // An optional peer counts as both.
        dependencyTypesNot: ['npm', 'npm-dev', 'npm-peer', 'npm-optional'],
      },
    },
    {
      name: 'no-dev-dependency-in-shipped-code',
      comment:
        'A devDependency is not installed at the user. Make it a dependency or a peerDependency, or move the code into a test.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: TEST_FILES },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['npm', 'npm-peer', 'npm-optional', 'type-only'],
      },
    },
    {
      name: 'no-test-in-shipped-code',
      comment: 'Tests and fixtures are not published. Move what both need into a module of its own.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: TEST_FILES },
      to: { path: TEST_FILES },
    },
    {
      name: 'sources-not-builds',
      comment:
        'A build can be stale. Import the package by its name; the source condition leads to its sources.',
      severity: 'error',
      from: { pathNot: '^packages/[^/]+/bin/' },
      to: { path: '^(packages|examples)/[^/]+/dist/' },
    },
    {
      name: 'package-by-its-name',
      comment:
        'Reach another package of the workspace by its name, as a user does, never by a relative path into its folder.',
      severity: 'error',
      from: { path: '^(packages|examples)/([^/]+)/' },
      to: {
        path: '^(packages|examples)/[^/]+/',
        pathNot: '^$1/$2/',
        dependencyTypes: ['local'],
        dependencyTypesNot: ['aliased', 'npm', 'npm-dev', 'npm-peer'],
      },
    },
    {
      name: 'sdk-imports-no-sibling',
      comment:
        'The SDK is what everything else rests on. Move the code into the package that needs it, or declare a port in the SDK.',
      severity: 'error',
      from: { path: SDK },
      to: { path: '^(packages/(?!sdk/)|examples/)' },
    },
    {
      name: 'sdk-core-stays-light',
      comment:
        'A plugin that is neither served over MCP nor tested must not need these packages. Keep them behind ' +
        'the subpaths @toolwright/sdk/mcp and @toolwright/sdk/testing.',
      severity: 'error',
      from: { path: SDK, pathNot: [`${SDK}(mcp|testing)/`, TEST_FILES] },
      to: { path: [`${SDK}(mcp|testing)/`, '(^|/)node_modules/(@modelcontextprotocol|vitest|@vitest)/'] },
    },
    {
      name: 'sdk-by-its-entry-points',
      comment:
        'Only what the SDK exports is its contract. Export the name from an entry point of the SDK, or do without it.',
      severity: 'error',
      from: { pathNot: SDK },
      to: { path: SDK, pathNot: SDK_ENTRY_POINTS },
    },
    {
      name: 'catalogue-is-data',
      comment:
        'The catalogue is data and its schema. Code that uses the data belongs to the package that uses it.',
      severity: 'error',
      from: { path: '^packages/catalogue/' },
      to: { path: '^(packages/(?!catalogue/)|examples/)' },
    },
    {
      name: 'checkers-know-no-host',
      comment:
        'The conformance command and the ESLint plugin judge any host. What both need goes to packages/catalogue (data) ' +
        'or to the contract-names of the SDK.',
      severity: 'error',
      from: { path: '^packages/(conformance|eslint-plugin)/' },
      to: { path: '^(packages/(runtime|payload)|examples)/' },
    },
    {
      name: 'checkers-apart',
      comment:
        'The conformance command and the ESLint plugin are installed one without the other. What both need goes to ' +
        'packages/catalogue (data) or to the contract-names of the SDK.',
      severity: 'error',
      from: { path: '^packages/(conformance|eslint-plugin)/' },
      to: { path: '^packages/(conformance|eslint-plugin)/', pathNot: '^packages/$1/' },
    },
    {
      name: 'checkers-take-names-from-the-sdk',
      comment:
        "A checker analyses any version of the SDK, so it takes from this one only the contract's names " +
        '(@toolwright/sdk/contract-names). Add a missing name there.',
      severity: 'error',
      from: { path: '^packages/(conformance|eslint-plugin)/src/', pathNot: TEST_FILES },
      to: { path: SDK, pathNot: `${SDK}contract-names\\.ts$` },
    },
    {
      name: 'hosts-know-no-checker',
      comment: 'A check is a development dependency of the workspace. Run its command; do not import it.',
      severity: 'error',
      from: {
        path: '^(packages/(runtime|payload)/src|examples)/',
        // What configures a linter is no part of the host.
        pathNot: [TEST_FILES, '/eslint\\.config\\.js$'],
      },
      to: { path: '^packages/(conformance|eslint-plugin)/' },
    },
    {
      name: 'bindings-know-the-sdk-only',
      comment:
        'A binding to a content system works with any loop. What both need is a port of the SDK (src/content); the host ' +
        'brings the two together.',
      severity: 'error',
      from: { path: '^packages/payload/src/', pathNot: TEST_FILES },
      to: { path: '^(packages/(?!payload/|sdk/)|tests/)' },
    },
    {
      name: 'no-package-imports-an-example',
      comment: 'Examples show how packages are used; nothing rests on them. Move shared code into a package.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^examples/' },
    },
    {
      name: 'rules-see-no-compiler',
      comment:
        'From the fact base on everything is plain data, so that another engine can stand behind it. Record a fact in ' +
        'facts/ (with its type in model/fact-base.ts) and read that.',
      severity: 'error',
      from: { path: `${CONFORMANCE}(model|rules|run-rules|reporters|cli)/`, pathNot: TEST_FILES },
      to: { path: [COMPILER, `${CONFORMANCE}${HANDED_ON}`] },
    },
    stageImports('model', ['generated']),
    stageImports('load'),
    stageImports('discover', ['adapters']),
    stageImports('adapters', ['discover']),
    stageImports('facts'),
    stageImports('rules'),
    stageImports('run-rules', ['generated', 'rules']),
    stageImports('reporters'),
    {
      name: 'outcome-reads-no-approval',
      comment:
        'Whether a person allowed a call says nothing about its quality. Derive outcomes from write targets, ratings and ' +
        "the content system's history only.",
      severity: 'error',
      from: {
        path: '^packages/runtime/src/(outcome/|store/(memory|sql/sql)-outcome|store/sql/outcome)',
        // These look through a whole store of runs.
        pathNot: '^packages/runtime/src/store/.*\\.test\\.ts$',
      },
      to: { path: '^packages/runtime/src/(approval/|store/sql/approval)', reachable: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules|^(packages|examples)/[^/]+/dist/' },
    exclude: { path: '/fixtures/' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      conditionNames: ['source', 'types', 'import', 'node', 'default'],
      exportsFields: ['exports'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
