import type { CaseSet, RuleCases } from '../../rule-testing/rule-cases.js';

const IMPORTS = `import { defineTool, ToolEffect, ToolResult, WriteTarget, type WriterTool } from '@toolwright/sdk';
`;

/** A writer whose `execute` has this body, which begins on line 3. */
function writer(body: string, before = ''): string {
  return `${IMPORTS}${before}export const tool = defineTool({ name: 'a', effect: 'idempotent_write', input, async execute(input, context) {
${body}
} });`;
}

const WROTE = `return ToolResult.wrote(WriteTarget.of('pages', input.id), 'ok');`;

const syntactic: CaseSet = {
  valid: [
    { name: 'every path names the record', code: writer(WROTE) },
    {
      name: 'a path finds nothing to change, refuses or fails',
      code: writer(`if (!input.title) return ToolResult.unchanged('Nothing to change.');
if (input.id < 0) return ToolResult.refused('No such page.');
if (input.late) return ToolResult.error('It broke.');
${WROTE}`),
    },
    {
      name: 'the only record is named by an error',
      code: writer(`const target = await context.content.update(input.target, {});
return ToolResult.error('It was written, then the cache failed.', { target });`),
    },
    {
      name: 'a path comes from another module',
      code: writer(`return finish(input);`, `import { finish } from './finish.js';\n`),
    },
    {
      name: 'a text that another module makes is all that is known, so the record may come from there',
      code: writer(`if (input.dry) return ToolResult.unchanged('Dry run.');
return other(input);`),
    },
    {
      name: 'a name holds one of several results and is checked',
      code: writer(`const found = input.id ? ToolResult.error('No.') : ToolResult.text('x');
if (found.isError) return found;
${WROTE}`),
    },
    {
      name: 'a helper answers in several ways',
      code: writer(
        `return answer(input.id, true);`,
        `function answer(id, changed) { return changed ? ToolResult.wrote(WriteTarget.of('pages', id), 'x') : ToolResult.text('x'); }\n`,
      ),
    },
    {
      name: 'a return can never be reached',
      code: writer(`${WROTE}
return ToolResult.text('never');`),
    },
    {
      name: 'a nested function returns text',
      code: writer(`const label = () => { return ToolResult.text('x'); };\n${WROTE}`),
    },
    {
      name: 'a finally answers instead of what was tried',
      code: writer(`try { return ToolResult.text('x'); } finally { ${WROTE} }`),
    },
    {
      name: 'a helper answers in its finally',
      code: writer(
        `return save(input.id);`,
        `function save(id) { try { return ToolResult.text('x'); } catch { return ToolResult.text('y'); } finally { return ToolResult.wrote(WriteTarget.of('pages', id), 'x'); } }
`,
      ),
    },
    {
      name: 'a constant of the file decides which path is taken',
      code: writer(
        `if (OFF) return ToolResult.text('off');
if (false) return ToolResult.text('never');
switch (MODE) { case 'list': return ToolResult.text('list'); default: break; }
const answer = !OFF ? ToolResult.wrote(WriteTarget.of('pages', 1), 'x') : ToolResult.text('x');
return isOff() ? ToolResult.text('x') : answer;`,
        `const OFF = false;\nconst MODE: string = 'set';\nconst isOff = () => OFF;\n`,
      ),
    },
    {
      name: 'a constant decides that the only record is named',
      code: writer(
        `if (ON) { ${WROTE} }
return ToolResult.unchanged('x');`,
        `const ON = true;\n`,
      ),
    },
    {
      name: 'a constant of another module decides',
      code: writer(
        `if (settings.off) return ToolResult.text('off');\n${WROTE}`,
        `import { settings } from './settings.js';\n`,
      ),
    },
    { name: 'every path throws', code: writer(`throw new Error('no');`) },
    {
      name: 'the tool is read-only',
      code: `${IMPORTS}export const tool = defineTool({ name: 'a', execute: () => ToolResult.text('x') });`,
    },
    {
      name: 'the effect is not in this file',
      code: `${IMPORTS}export const tool = defineTool({ effect: effects.page, execute: () => ToolResult.text('x') });`,
    },
    {
      name: 'a spread can bring another effect along',
      code: `${IMPORTS}export const tool = defineTool({ effect: 'idempotent_write', ...rest, execute: () => write() });`,
    },
    {
      name: 'another package has a ToolResult of its own',
      code: `import { ToolResult } from 'another-sdk';
import { defineTool } from '@toolwright/sdk';
export const tool = defineTool({ effect: 'idempotent_write', execute: () => ToolResult.text('x') });`,
    },
  ],
  invalid: [
    {
      name: 'a path answers text',
      code: writer(`if (input.id) ${WROTE}
return ToolResult.text('ok');`),
      findings: [{ messageId: 'text', line: 4 }],
    },
    {
      name: 'an arrow answers text, through await, casts and a ternary',
      code: `${IMPORTS}export const tool = defineTool({
  effect: ToolEffect.NON_IDEMPOTENT_WRITE,
  execute: async (input) =>
    input.id
      ? ToolResult.wrote(WriteTarget.of('pages', input.id), 'ok')
      : ((await ToolResult.text('x')) as any),
});`,
      findings: [{ messageId: 'text', line: 7 }],
    },
    {
      name: 'paths in a switch, a loop and a try answer text',
      code: writer(`switch (input.kind) {
  case 'a': return ToolResult.text('a');
  default: break;
}
for (const one of input.all) { if (one) return ToolResult.text('b'); }
try { ${WROTE} } catch { return ToolResult.text('c'); }`),
      findings: [4, 7, 8].map((line) => ({ messageId: 'text', line })),
    },
    {
      name: 'an endless loop answers text',
      code: writer(`while (true) { if (input.done) return ToolResult.text('x'); }`),
      findings: [{ messageId: 'text', line: 3 }],
    },
    {
      name: 'a finally only tidies up',
      code: writer(`try { return ToolResult.text('x'); } finally { if (input.id) { close(); } }`),
      findings: [{ messageId: 'text', line: 3 }],
    },
    {
      name: 'text is kept in a name, with its content changed',
      code: writer(`const result = ToolResult.text('x');
if (input.id) ${WROTE}
return result.withContent('y');`),
      findings: [{ messageId: 'text', line: 3 }],
    },
    {
      name: 'helpers of the file answer text',
      code: writer(
        `if (input.id) ${WROTE}
return done('x');`,
        `const done = (content) => ToolResult.text(content);\n`,
      ),
      findings: [{ messageId: 'text', line: 5 }],
    },
    {
      name: 'promises end in text',
      code: writer(`if (input.a) return save(input).then((target) => ToolResult.wrote(target, 'x')).catch(() => ToolResult.text('y'));
return Promise.resolve(ToolResult.text('z'));`),
      findings: [3, 4].map((line) => ({ messageId: 'text', line })),
    },
    {
      name: 'a factory is taken out of ToolResult',
      code: `import * as sdk from '@toolwright/sdk';
const { text: say } = sdk.ToolResult;
export const tool = sdk.defineTool({ effect: 'idempotent_write', execute: () => say('x') });`,
      findings: [{ messageId: 'text', line: 3 }],
    },
    {
      name: 'a class answers text',
      code: `${IMPORTS}export class Publish implements WriterTool<typeof input> {
  readonly effect = ToolEffect.IDEMPOTENT_WRITE;
  async execute(input) { return this.done(input); }
  private done(input) { return ToolResult.text('published'); }
}`,
      findings: [{ messageId: 'text', line: 4 }],
    },
    {
      name: 'no path names a record',
      code: writer(`if (input.id) return ToolResult.unchanged('x');
return ToolResult.error('y');`),
      findings: [{ messageId: 'neverNamesTarget', line: 2 }],
    },
    {
      name: 'an error says that there is no record',
      code: `${IMPORTS}export const tool = defineTool({
  effect: 'idempotent_write',
  execute: (input) => ToolResult.error('x', { target: undefined }),
});`,
      findings: [{ messageId: 'neverNamesTarget', line: 4 }],
    },
  ],
};

const typed: CaseSet = {
  valid: [
    {
      name: 'another module answers with a record, or with anything',
      code: `import { defineTool } from '@toolwright/sdk';
import { anything, failedAfterWrite, written } from './answers.js';
export const a = defineTool({ effect: 'idempotent_write', execute: () => written('x') });
export const b = defineTool({ effect: 'idempotent_write', execute: () => anything('x') });
export const c = defineTool({ effect: 'idempotent_write', execute: () => failedAfterWrite('x') });`,
    },
    {
      name: 'a result of several kinds is checked',
      code: `import { defineTool } from '@toolwright/sdk';
import { anything, written } from './answers.js';
export const tool = defineTool({ effect: 'idempotent_write', async execute() {
  const first = anything('x');
  if (first.kind === 'error') return first;
  return written('y');
} });`,
    },
    {
      name: 'a check leaves what the code of another module never makes',
      code: `import { defineTool } from '@toolwright/sdk';
import { onlyWrote, written } from './answers.js';
export const tool = defineTool({ effect: 'idempotent_write', async execute() {
  const first = onlyWrote('x');
  if (first.kind === 'text') return first;
  return written('y');
} });`,
    },
  ],
  invalid: [
    {
      name: 'another module answers text',
      code: `import { defineTool } from '@toolwright/sdk';
import { answer, written } from './answers.js';
export const tool = defineTool({ effect: 'idempotent_write', async execute(input) {
  const result = await answer('x');
  if (input) return result;
  return written('y');
} });`,
      findings: [{ messageId: 'text', line: 4 }],
    },
    {
      name: 'a checked result is text after all',
      code: `import { defineTool } from '@toolwright/sdk';
import { anything, written } from './answers.js';
export const tool = defineTool({ effect: 'idempotent_write', async execute(input) {
  const first = anything(input.text);
  if (first.kind === 'text') return first;
  return written('y');
} });`,
      findings: [{ messageId: 'text', line: 5 }],
    },
  ],
};

export const cases: RuleCases = { rule: 'require-write-target', syntactic, typed };
