import type { CaseSet, RuleCases } from '../../rule-testing/rule-cases.js';

const IMPORTS = `import { defineTool, ToolEffect, ToolResult, WriteTarget, type ReaderTool, type Tool } from '@toolwright/sdk';
`;

/** A tool without an effect whose `execute` has this body, which begins on line 3. */
function reader(body: string): string {
  return `${IMPORTS}export const tool = defineTool({ name: 'a', input, async execute(input, context) {
${body}
} });`;
}

const syntactic: CaseSet = {
  valid: [
    {
      name: 'the record that an error is given may be none',
      code: `import { defineTool, ToolResult } from '@toolwright/sdk';
export const tool = defineTool({ name: 'a', execute(input) {
  const target = input.id ? undefined : input.target;
  return ToolResult.error('x', { target });
} });`,
    },
    {
      name: 'a constant decides that no record is named',
      code: `import { defineTool, ToolResult } from '@toolwright/sdk';
const COUNTS = false;
export const tool = defineTool({ name: 'a', execute: (input) => COUNTS ? ToolResult.wrote(input.target, 'x') : ToolResult.text('x') });`,
    },
    {
      name: 'a reader answers, refuses and fails',
      code: reader(`if (!input.id) return ToolResult.refused('No id.');
if (input.id < 0) return ToolResult.error('It broke.');
return ToolResult.text('x');`),
    },
    {
      name: 'an error says that there is no record',
      code: reader(`return ToolResult.error('x', { target: undefined });`),
    },
    {
      name: "an error's record comes from elsewhere",
      code: reader(`return ToolResult.error('x', options);`),
    },
    {
      name: 'a target is made to read it',
      code: reader(`const found = await context.content.read(WriteTarget.of('pages', 1));
return ToolResult.text(String(found));`),
    },
    { name: 'an answer comes from another module', code: reader(`return written(input);`) },
    {
      name: 'the tool declares a write',
      code: `${IMPORTS}export const tool = defineTool({ effect: 'idempotent_write', execute: () => ToolResult.wrote(WriteTarget.of('pages', 1), 'x') });`,
    },
    {
      name: 'a class inherits its effect',
      code: `${IMPORTS}export class Publish extends Writer implements Tool {
  execute() { return ToolResult.wrote(WriteTarget.of('pages', 1), 'x'); }
}`,
    },
    {
      name: 'a spread can bring a write along',
      code: `${IMPORTS}export const tool = defineTool({ ...writes, execute: () => ToolResult.wrote(target, 'x') });`,
    },
    {
      name: 'a name holds one of several results and is checked',
      code: reader(`const found = input.id ? ToolResult.wrote(target, 'x') : ToolResult.text('y');
if (found.kind === 'text') return found;
return ToolResult.error('z');`),
    },
  ],
  invalid: [
    {
      name: 'a tool without an effect names a record',
      code: reader(`return ToolResult.wrote(WriteTarget.of('pages', input.id), 'x');`),
      findings: [{ messageId: 'target', line: 3 }],
    },
    {
      name: 'a tool that says that it is read-only names a record in an error',
      code: `${IMPORTS}export const tool = defineTool({
  effect: ToolEffect.READ_ONLY,
  execute: (input) => input.id ? ToolResult.text('x') : ToolResult.error('y', { target }),
});`,
      findings: [{ messageId: 'target', line: 4 }],
    },
    {
      name: 'a class and an object typed as readers name a record',
      code: `${IMPORTS}export class Show implements ReaderTool {
  execute = async (input) => { return ToolResult.wrote(target, 'x'); };
}
export const show = { execute(input) { return ToolResult.wrote(target, 'x').withContent('y'); } } satisfies ReaderTool;`,
      findings: [3, 5].map((line) => ({ messageId: 'target', line })),
    },
    {
      name: 'a helper of the file names a record',
      code: `${IMPORTS}function done(target) { return ToolResult.wrote(target, 'x'); }
export const tool = defineTool({ execute: async (input) => { return done(input.target); } });`,
      findings: [{ messageId: 'target', line: 3 }],
    },
  ],
};

const typed: CaseSet = {
  valid: [
    {
      name: 'another module answers text, or anything',
      code: `import { defineTool } from '@toolwright/sdk';
import { anything, answer } from './answers.js';
export const a = defineTool({ execute: () => answer('x') });
export const b = defineTool({ execute: () => anything('x') });`,
    },
  ],
  invalid: [
    {
      name: 'another module names a record',
      code: `import { defineTool } from '@toolwright/sdk';
import { failedAfterWrite, written } from './answers.js';
export const a = defineTool({ execute: () => written('x') });
export const b = defineTool({ execute: async () => { return failedAfterWrite('x'); } });`,
      findings: [3, 4].map((line) => ({ messageId: 'target', line })),
    },
  ],
};

export const cases: RuleCases = { rule: 'no-target-from-reader', syntactic, typed };
