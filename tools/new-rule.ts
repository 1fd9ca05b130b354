/**
 * `pnpm new:rule <id>`: a conformance rule in a folder of its own, with page, fixtures and test. It compiles;
 * its test fails, and says what to write, until the rule decides something.
 */
import { ruleConstant } from './check-names.js';
import { kebabCaseName, runScaffold, writeFolder } from './scaffold.js';

const SOURCES = 'packages/conformance/src';

await runScaffold(async () => {
  const id = kebabCaseName(process.argv[2], 'pnpm new:rule no-silent-delete');
  await writeFolder(`${SOURCES}/rules/${id}`, {
    'rule.ts': ruleSource(id),
    'rule.test.ts': testSource(id),
    'rule.md': page(id),
    'fixtures/violated.md': fixture('Tools that break the rule', 'the smallest tool that breaks it', true),
    'fixtures/proven.md': fixture('Tools that keep the rule', 'the smallest tool that keeps it', false),
    'fixtures/inconclusive.md': fixture(
      'Tools of which the source does not say',
      'a tool whose code calls what cannot be found',
      true,
    ),
  });
  await import('./generate-conformance-registries.js');
  await import('./generate-rule-index.js');
  console.log(
    `\nNow write the fixtures and check() until this passes:\n  pnpm vitest run ${SOURCES}/rules/${id}`,
  );
});

function ruleSource(id: string): string {
  return `import { ConformanceError } from '../../model/errors.js';
import type { Rule } from '../../model/rule.js';

const ID = '${id}';

/** Say here why the rule is: what goes wrong where it is broken. */
export const ${ruleConstant(id)}: Rule = {
  id: ID,
  summary: 'One line: what is proven.',
  check() {
    throw new ConformanceError('INTERNAL', \`The rule \${ID} decides nothing yet: write check() in rules/\${ID}/rule.ts.\`);
  },
};
`;
}

function testSource(id: string): string {
  return `import { describe, it } from 'vitest';
import { expectCase } from '../../testing/expect-case.js';
import { readFixtureCases } from '../../testing/fixture-cases.js';

const cases = readFixtureCases(new URL('./fixtures/', import.meta.url));

describe('${id}', () => {
  it.each(cases.map((one) => [one.verdict, one.title, one] as const))(
    'is %s when %s',
    (_verdict, _title, one) => {
      expectCase('${id}', one);
    },
  );
});
`;
}

function page(id: string): string {
  return `# ${id}

What the rule proves, in one paragraph.

## A finding

The smallest code that breaks it, and what goes wrong then.

## Instead

The same code as it should be.

## What the verdict rests on

What the source must show for a proof, and when the answer is inconclusive.
`;
}

function fixture(heading: string, title: string, hasFinding: boolean): string {
  return `# ${heading}

## ${title}

\`\`\`ts src/tools.ts
import { defineTool } from '@toolwright/sdk';
export const save = defineTool({ name: 'save', execute() {} });
${hasFinding ? '//                  ^ finding\n' : ''}\`\`\`
`;
}
