import type { CaseSet } from '../../rule-testing/rule-cases.js';

const IMPORTS = `import { ToolResult, WriteTarget, type ReaderResult, type TextResult, type Tool, type WroteResult } from '@toolwright/sdk';
`;

/** A function that gets a result and answers another one; its body begins on line 3. */
function rebuild(body: string, type = 'ToolResult'): string {
  return `${IMPORTS}export function rebuild(result: ${type}): ToolResult {
${body}
}`;
}

export const syntactic: CaseSet = {
  valid: [
    {
      name: 'a result keeps all but its content',
      code: rebuild(`return result.withContent(bound(result.content));`),
    },
    {
      name: 'a result with artifacts keeps them, bounded',
      code: rebuild(`return result.withContent('x').withArtifacts(bound(result.artifacts));`, 'WroteResult'),
    },
    {
      name: 'every branch makes what it checked, with every field',
      code: rebuild(`switch (result.kind) {
  case 'text': return ToolResult.text(bound(result.content), { artifacts: result.artifacts });
  case 'wrote': return ToolResult.wrote(result.target, bound(result.content), { artifacts: bound(result.artifacts) });
  case 'unchanged': return ToolResult.unchanged(bound(result.content));
  case 'refused': return ToolResult.refused(bound(result.content));
}
if (result.target === null) return ToolResult.error(bound(result.content));
return ToolResult.error(bound(result.content), { target: result.target });`),
    },
    {
      name: 'a constant decides that the rebuild never runs',
      code: `import { ToolResult } from '@toolwright/sdk';
const TERSE: boolean = false;
export function middle(result: ToolResult): ToolResult {
  if (TERSE) return ToolResult.text(result.content.slice(0, 10));
  return result;
}`,
    },
    {
      name: 'a check that is kept in a name says which result is left',
      code: `import { ToolResult } from '@toolwright/sdk';
const isWrote = (result: ToolResult) => result.kind === 'wrote';
export function middle(result: ToolResult): ToolResult {
  const landed = isWrote(result);
  const isDone = landed || result.kind === 'text';
  if (isDone) return result;
  return ToolResult.refused('Not saved.');
}`,
    },
    {
      name: 'a reader cannot have written, so its failure is another failure',
      code: rebuild(
        `if (result.isError) return ToolResult.error(bound(result.content));
return ToolResult.text(bound(result.content), { artifacts: result.artifacts });`,
        'ReaderResult',
      ),
    },
    {
      name: 'a failure is made where the result names no record',
      code: rebuild(`if (result.target !== null) return result;
if (result.kind !== 'error') return ToolResult.error('Broken.');
const { target } = result;
return target ? result : ToolResult.error('Broken.');`),
    },
    {
      name: 'a failure passes the record on',
      code: rebuild(`if (result.kind === 'wrote') return ToolResult.error('Broken.', { target: result.target });
return result;`),
    },
    {
      name: 'a failure is made where there is no result',
      code: rebuild(
        `if (result === undefined) return ToolResult.error('No answer.');
return result;`,
        'ToolResult | undefined',
      ),
    },
    {
      name: 'a check cannot be read',
      code: rebuild(`if (isHarmless(result)) return ToolResult.error('Broken.');
assertReader(result);
return ToolResult.text(result.content);`),
    },
    {
      name: 'a result is thrown away by a catch that cannot see it',
      code: `${IMPORTS}export async function run(tool: Tool) {
  try { const result = await tool.execute({}, context); return result; } catch { return ToolResult.error('It threw.'); }
}`,
    },
    {
      name: 'several results go into one',
      code: `${IMPORTS}export const both = (a: ToolResult, b: ToolResult) => ToolResult.text(a.content + b.content);`,
    },
    {
      name: 'a failure is only shown to another function',
      code: rebuild(`report(ToolResult.error('x'));
return result;`),
    },
    {
      name: 'a result is converted to another type',
      code: `${IMPORTS}export const shown = (result: ToolResult) => ({ content: result.content });
export const wire = (result: ToolResult): CallToolResult => ({ content: [{ type: 'text', text: result.content }] });`,
    },
    {
      name: 'another package has a ToolResult of its own',
      code: `import { ToolResult } from 'another-sdk';
export function rebuild(result: ToolResult) { return ToolResult.text(result.content); }`,
    },
    {
      name: 'literals keep every field, by name, spread, rest or condition',
      code: `import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
export function a(result: CallToolResult): CallToolResult { return { ...result, content: bound(result.content) }; }
export function b(result: CallToolResult): CallToolResult {
  const { content, ...rest } = result;
  return { content: bound(content), ...rest };
}
export const c = (result: CallToolResult): CallToolResult => ({
  content: bound(result.content),
  structuredContent: result.structuredContent,
  ...(result._meta ? { _meta: result._meta } : {}),
  ...(result.isError && { isError: true }),
});
export const d = (result: CallToolResult): CallToolResult => ({ content: result.content, ...extra() });`,
    },
    {
      name: 'a type that is not marked loses a field',
      code: `interface Report { id: string; text?: string }
export const a = (report: Report): Report => ({ id: report.id });
/** Where to @preserved is no mark of the type below the comment. */
const x = 1;
interface Other { id: string; text?: string }
export const b = (other: Other): Other => ({ id: other.id });`,
    },
    {
      name: 'new artifacts are made from the old ones, or there were none',
      code: `${IMPORTS}export const a = (result: WroteResult) => result.withArtifacts([...result.artifacts, extra]);
export function b() { const result = ToolResult.text('x'); return result.withArtifacts([trace]); }`,
    },
  ],
  invalid: [
    {
      name: 'both branches of a loop bound the content and forget the record',
      code: rebuild(`return result.isError
  ? ToolResult.error(bound(result.content))
  : ToolResult.text(bound(result.content), { artifacts: boundAll(result.artifacts) });`),
      findings: [
        {
          messageId: 'lostByFactory',
          line: 4,
          data: { name: 'result', fields: 'target' },
          suggestions: [
            {
              messageId: 'useWithContent',
              output: rebuild(`return result.isError
  ? result.withContent(bound(result.content))
  : ToolResult.text(bound(result.content), { artifacts: boundAll(result.artifacts) });`),
            },
          ],
        },
        { messageId: 'lostByFactory', line: 5, data: { name: 'result', fields: 'target' } },
      ],
    },
    {
      name: 'a write is answered as text',
      code: rebuild(
        `return ToolResult.text(bound(result.content), { artifacts: bound(result.artifacts) });`,
        'WroteResult',
      ),
      findings: [
        {
          messageId: 'lostByFactory',
          line: 3,
          data: { name: 'result', fields: 'target' },
          suggestions: [
            {
              messageId: 'useWithContent',
              output: rebuild(
                `return result.withContent(bound(result.content)).withArtifacts(bound(result.artifacts));`,
                'WroteResult',
              ),
            },
          ],
        },
      ],
    },
    {
      name: 'a failure of a reader is answered as text',
      code: rebuild(
        `return ToolResult.text(result.content, { artifacts: result.artifacts });`,
        'ReaderResult',
      ),
      findings: [
        {
          messageId: 'lostByFactory',
          line: 3,
          data: { name: 'result', fields: 'isError' },
          suggestions: [
            {
              messageId: 'useWithContent',
              output: rebuild(`return result.withContent(result.content);`, 'ReaderResult'),
            },
          ],
        },
      ],
    },
    {
      name: 'the content goes through names, and the artifacts stay behind',
      code: rebuild(
        `const { content: shown } = result;
const short = shown.slice(0, 100);
return ToolResult.text(short);`,
        'TextResult',
      ),
      findings: [
        {
          messageId: 'lostByFactory',
          line: 5,
          data: { name: 'result', fields: 'artifacts' },
          suggestions: [
            {
              messageId: 'useWithContent',
              output: rebuild(
                `const { content: shown } = result;
const short = shown.slice(0, 100);
return result.withContent(short);`,
                'TextResult',
              ),
            },
          ],
        },
      ],
    },
    {
      name: 'only one field of the target is kept',
      code: rebuild(`if (result.kind !== 'wrote') return result;
return ToolResult.wrote(WriteTarget.of(result.target.table, 1), result.content, { artifacts: result.artifacts });`),
      findings: [
        {
          messageId: 'lostByFactory',
          line: 4,
          data: { name: 'result', fields: 'target' },
          suggestions: [
            {
              messageId: 'useWithContent',
              output: rebuild(`if (result.kind !== 'wrote') return result;
return result.withContent(result.content);`),
            },
          ],
        },
      ],
    },
    {
      name: 'a failure is made while a result is at hand',
      code: rebuild(`if (result.content.length > 100) return ToolResult.error('Too long.');
if (result.isError) return result;
if (blocked()) return ToolResult.refused('Blocked.');
return result.kind === 'text' ? result : ToolResult.error('Not text.');`),
      findings: [3, 5, 6].map((line) => ({ messageId: 'freshFailure', line, data: { name: 'result' } })),
    },
    {
      name: "a tool's result is at hand when a later step fails",
      code: `${IMPORTS}export async function run(tool: Tool) {
  const result = await tool.execute({}, context);
  try { await notify(result); } catch { return ToolResult.error(\`The notice failed.\`); }
  return result;
}`,
      findings: [{ messageId: 'freshFailure', line: 4 }],
    },
    {
      name: 'a failure quotes the result and forgets its record',
      code: rebuild(`return ToolResult.error('Blocked: ' + result.content);`, 'WroteResult'),
      findings: [{ messageId: 'lostByFactory', line: 3, data: { name: 'result', fields: 'target' } }],
    },
    {
      name: 'a literal keeps three named fields',
      code: rebuild(`return { content: result.content, isError: result.isError, kind: result.kind };`),
      findings: [
        {
          messageId: 'lostByLiteral',
          line: 3,
          data: { type: 'ToolResult', name: 'result', fields: 'artifacts and target' },
        },
      ],
    },
    {
      name: 'a result of the protocol loses optional fields, in every place that says its type',
      code: `import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
export async function a(result: CallToolResult): Promise<CallToolResult> { return { content: bound(result.content) }; }
export const b = (result: CallToolResult) => ({ content: result.content, isError: result.isError }) satisfies CallToolResult;
export function c(result: CallToolResult) {
  const { content, isError } = result;
  const short: CallToolResult = { content, isError, ...(result._meta && { _meta: result._meta }) };
  return short;
}
export function d(result: CallToolResult): CallToolResult {
  const { _meta, ...rest } = result;
  return { ...rest, content: bound(result.content) };
}`,
      findings: [
        {
          messageId: 'lostByLiteral',
          line: 2,
          data: { type: 'CallToolResult', name: 'result', fields: 'structuredContent, isError and _meta' },
        },
        {
          messageId: 'lostByLiteral',
          line: 3,
          data: { type: 'CallToolResult', name: 'result', fields: 'structuredContent and _meta' },
        },
        {
          messageId: 'lostByLiteral',
          line: 6,
          data: { type: 'CallToolResult', name: 'result', fields: 'structuredContent' },
        },
        {
          messageId: 'lostByLiteral',
          line: 11,
          data: { type: 'CallToolResult', name: 'result', fields: '_meta' },
        },
      ],
    },
    {
      name: 'a type of the file that is marked loses an optional field',
      code: `/**
 * What a step did.
 * @preserved
 */
export interface Report { readonly id: string; text?: string }
type Alias = Report;
export const a = (report: Report): Report => ({ id: report.id });
export function b(report: Alias): Alias { return { id: report.id } as Alias; }`,
      findings: [7, 8].map((line) => ({
        messageId: 'lostByLiteral',
        line,
        data: { type: 'Report', name: 'report', fields: 'text' },
      })),
    },
    {
      name: 'artifacts are replaced',
      code: `${IMPORTS}export const a = (result: WroteResult) => result.withArtifacts([]);
export const b = (result: TextResult) => result.withArtifacts([{ type: 'trace', data: 1 }]);`,
      findings: [2, 3].map((line) => ({ messageId: 'lostArtifacts', line, data: { name: 'result' } })),
    },
  ],
};
