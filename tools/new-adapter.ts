/**
 * `pnpm new:adapter <framework>`: a conformance adapter in a folder of its own, with page, fixture and test. It
 * compiles and finds nothing; its test fails, and says what to write, until it finds a tool.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { adapterConstant } from './check-names.js';
import { ScaffoldError, kebabCaseName, runScaffold, writeFolder } from './scaffold.js';
import { ROOT } from './workspace.js';

const SOURCES = 'packages/conformance/src';
const FRAMEWORKS = `${SOURCES}/model/fact-base.ts`;

await runScaffold(async () => {
  const framework = kebabCaseName(process.argv[2], 'pnpm new:adapter ai-sdk');
  await assertKnown(framework);
  await writeFolder(`${SOURCES}/adapters/${framework}`, {
    'adapter.ts': adapterSource(framework),
    'adapter.test.ts': testSource(framework),
    'README.md': page(framework),
    'fixtures/one-tool.ts': `// The smallest module of ${framework} that defines one tool called "save".\n`,
  });
  await import('./generate-conformance-registries.js');
  console.log(
    `\nNow write the fixture and discover() until this passes:\n  pnpm vitest run ${SOURCES}/adapters/${framework}`,
  );
});

/** The names are part of the report's published schema, so a new one is a decision and no scaffold's. */
async function assertKnown(framework: string): Promise<void> {
  const text = await readFile(path.join(ROOT, FRAMEWORKS), 'utf8');
  const known = [...(/export type Framework =([^;]*);/u.exec(text)?.[1] ?? '').matchAll(/'([a-z-]+)'/gu)].map(
    ([, name]) => name,
  );
  if (!known.includes(framework)) {
    throw new ScaffoldError(
      `"${framework}" is none of ${known.join(', ')}. A framework's name is part of the report: add it to the type ` +
        `Framework in ${FRAMEWORKS} and to packages/conformance/schema/report.schema.json first.`,
    );
  }
}

function adapterSource(framework: string): string {
  return `import type { ToolAdapter } from '../../discover/discovered-tool.js';

/** Say here what a tool of ${framework} looks like, and where its name, effect and code stand. */
export const ${adapterConstant(framework)}: ToolAdapter = {
  framework: '${framework}',
  looksFor: 'what a project must contain, in one line',
  discover() {
    return [];
  },
};
`;
}

function testSource(framework: string): string {
  return `import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkFixture } from '../../testing/check-fixture.js';
import { ${adapterConstant(framework)} } from './adapter.js';

const oneTool = readFileSync(new URL('./fixtures/one-tool.ts', import.meta.url), 'utf8');
// A tool of our own SDK stands beside it, so that there is always something to check.
const beside =
  "import { defineTool } from '@toolwright/sdk';\\nexport const other = defineTool({ name: 'other', execute() {} });\\n";

describe('the ${framework} adapter', () => {
  it('finds the tool when a module defines one', () => {
    const { tools } = checkFixture({ 'src/tools.ts': oneTool, 'src/beside.ts': beside });
    const found = tools.filter(({ framework }) => framework === ${adapterConstant(framework)}.framework);
    expect(found, 'write fixtures/one-tool.ts, then discover() in adapter.ts').toMatchObject([{ name: 'save' }]);
  });
});
`;
}

function page(framework: string): string {
  return `# ${framework}

Which versions, and what is found: how a tool is defined, where its name stands, and what it says about its effect.

## What is not found

Each form that the adapter does not know, so that nobody takes silence for a proof.
`;
}
