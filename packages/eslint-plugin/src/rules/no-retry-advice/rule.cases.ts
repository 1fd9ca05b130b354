import type { CaseSet, RuleCases } from '../../rule-testing/rule-cases.js';

const IMPORTS = `import { defineTool, ToolResult, type WriterTool } from '@toolwright/sdk';
`;

/** A writer whose `execute` has this body, which begins on line 3. */
function writer(body: string, before = ''): string {
  return `${IMPORTS}${before}export const tool = defineTool({ effect: 'non_idempotent_write', async execute(input, context) {
${body}
} });`;
}

const syntactic: CaseSet = {
  valid: [
    {
      name: 'an error says what happened and what to read',
      code: writer(
        `return ToolResult.error(\`Page \${input.id} may have been saved. Read it before you write again.\`);`,
      ),
    },
    { name: 'an error forbids to try again', code: writer(`return ToolResult.error('Do not try again.');`) },
    { name: 'a text comes from elsewhere', code: writer(`return ToolResult.error(error.message);`) },
    {
      name: 'a refusal, an answer or a log gives advice',
      code: writer(`context.logger.warn('Please try again.');
if (input.a) return ToolResult.refused('The title is empty. Try again with a valid title.');
return ToolResult.wrote(target, 'Saved. To move it, call this tool again.');`),
    },
    {
      name: 'the tool is read-only',
      code: `${IMPORTS}export const tool = defineTool({ execute: () => ToolResult.error('Please try again.') });`,
    },
    {
      name: 'a function that the tool never calls gives advice',
      code: writer(
        `return ToolResult.error('It failed.');`,
        `export const busy = () => ToolResult.error('Please try again.');\n`,
      ),
    },
  ],
  invalid: [
    {
      name: 'an error tells the model to try again',
      code: writer(`return ToolResult.error('It failed. Please try again.');`),
      findings: [{ messageId: 'advice', line: 3, data: { advice: 'try again' } }],
    },
    {
      name: 'an error that names the record tells the model to try again',
      code: writer(`return ToolResult.error('The cache failed, retry.', { target });`),
      findings: [{ messageId: 'advice', line: 3, data: { advice: 'retry' } }],
    },
    {
      name: 'the advice is put together',
      code: writer(
        `if (input.a) return ToolResult.error(\`\${input.id} failed: \${ADVICE}\`);
if (input.b) return ToolResult.error('Failed. ' + (input.c ? 'x' : ADVICE));
return ToolResult.error(input.d ? 'Failed.' : 'Failed, ' + ADVICE);`,
        `const ADVICE = 'try again later';\n`,
      ),
      findings: [4, 6].map((line) => ({ messageId: 'advice', line })),
    },
    {
      name: 'the advice is in a helper, a method or a callback',
      code: `${IMPORTS}const failed = (what: string) => ToolResult.error(\`\${what} failed. Retry the call.\`);
export class Save implements WriterTool {
  readonly effect = 'idempotent_write';
  async execute(input) {
    if (input.a) return failed('It');
    return save(input).then(() => this.done()).catch(() => ToolResult.error('Call this tool again.'));
  }
  done() { return ToolResult.error('Repeat the request.'); }
}`,
      findings: [2, 7, 9].map((line) => ({ messageId: 'advice', line })),
    },
  ],
};

export const cases: RuleCases = { rule: 'no-retry-advice', syntactic, typed: { valid: [], invalid: [] } };
