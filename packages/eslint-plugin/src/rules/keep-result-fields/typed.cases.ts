import type { CaseSet } from '../../rule-testing/rule-cases.js';

export const typed: CaseSet = {
  valid: [
    {
      name: 'the compiler knows that the result names no record',
      code: `import { ToolResult, type Tool } from '@toolwright/sdk';
import { answer, isShort } from './answers.js';
export function middle(content: string) {
  const result = answer(content);
  return isShort(result) ? result : ToolResult.error('Too long.');
}`,
    },
    {
      name: 'the code of another module makes less than its type allows',
      code: `import { ToolResult } from '@toolwright/sdk';
import { onlyText } from './answers.js';
export async function middle(content: string): Promise<ToolResult> {
  const result: ToolResult = await Promise.resolve(onlyText(content));
  return ToolResult.text(result.content.trim());
}
export function other(content: string): ToolResult {
  const result = onlyText(content);
  return result.content === '' ? ToolResult.refused('Nothing.') : ToolResult.text(result.content);
}`,
    },
    {
      name: 'the code of a tool of another file decides whether there are artifacts',
      code: `import { defineTool, ToolResult } from '@toolwright/sdk';
export const show = defineTool({ name: 'show', description: 'x', input, execute: () => ToolResult.text('x') });
export async function middle(given: never, context: never): Promise<ToolResult> {
  const result = await show.execute(given, context);
  return result.kind === 'text' ? ToolResult.text(result.content.trim()) : result;
}`,
    },
    {
      name: 'every branch makes what it checked, with every field',
      code: `import { ToolResult } from '@toolwright/sdk';
export function middle(result: ToolResult): ToolResult {
  switch (result.kind) {
    case 'text':
      return ToolResult.text(result.content, { artifacts: result.artifacts });
    case 'wrote':
      return ToolResult.wrote(result.target, result.content, { artifacts: result.artifacts });
    case 'unchanged':
    case 'refused': {
      return result;
    }
  }
  if (result.target === null) return ToolResult.error(result.content);
  return ToolResult.error(result.content, { target: result.target });
}`,
    },
    {
      name: 'a spread keeps what a marked type of another module has',
      code: `import { lastReport, type StepReport } from './preserved.js';
export function short(report: StepReport): StepReport {
  return { ...report, text: report.text.slice(0, 10) };
}
export const other: { id: string } = { id: lastReport().id };`,
    },
  ],
  invalid: [
    {
      name: 'the result comes from another module',
      code: `import { ToolResult } from '@toolwright/sdk';
import { anything } from './answers.js';
export function middle(content: string) {
  const result = anything(content);
  return ToolResult.text(result.content.trim(), { artifacts: [] });
}`,
      findings: [
        {
          messageId: 'lostByFactory',
          line: 5,
          data: { name: 'result', fields: 'target and isError' },
        },
      ],
    },
    {
      name: 'the result is that of a tool, and ToolResult has another name',
      code: `import type { Tool } from '@toolwright/sdk';
import { ToolResult } from '@toolwright/sdk';
export async function run(tools: readonly Tool[]) {
  for (const tool of tools) {
    const result = await tool.execute({}, {} as never);
    if (result.content.length > 10) return ToolResult.error('Too long.');
  }
  return null;
}`,
      findings: [{ messageId: 'freshFailure', line: 6 }],
    },
    {
      name: 'a check that only the compiler can read leaves a record',
      code: `import { ToolResult } from '@toolwright/sdk';
import { anything, isWrote } from './answers.js';
export function middle(content: string) {
  const result = anything(content);
  if (!isWrote(result)) return result;
  return ToolResult.text(result.content);
}`,
      findings: [
        {
          messageId: 'lostByFactory',
          line: 6,
          data: { name: 'result', fields: 'target' },
          suggestions: [
            {
              messageId: 'useWithContent',
              output: `import { ToolResult } from '@toolwright/sdk';
import { anything, isWrote } from './answers.js';
export function middle(content: string) {
  const result = anything(content);
  if (!isWrote(result)) return result;
  return result.withContent(result.content);
}`,
            },
          ],
        },
      ],
    },
    {
      name: 'an optional field of a marked type of another module stays behind',
      code: `import { lastReport, type StepReport } from './preserved.js';
export function short(report: StepReport): StepReport {
  return { id: report.id, text: report.text.slice(0, 10) };
}
export function last(): StepReport {
  const report = lastReport();
  const { id, text } = report;
  return { id, text } satisfies StepReport;
}`,
      findings: [3, 8].map((line) => ({
        messageId: 'lostByLiteral',
        line,
        data: { type: 'StepReport', name: 'report', fields: 'writtenId' },
      })),
    },
  ],
};
