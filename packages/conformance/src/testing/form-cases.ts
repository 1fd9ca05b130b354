import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RuleId, Verdict } from '../model/verdict.js';
import { CASE_OPTIONS } from './body-cases.js';
import { checkFixture } from './check-fixture.js';

/**
 * A form of `fixtures/forms/<verdict>.md`: a heading and code blocks. A block says what it is:
 *
 * - `ts writer`, `ts idempotent-writer`, `ts reader`, `ts preview`: the body of a tool of the SDK, which has
 *   `uid`, `title`, `flag`, `tags` of its input, and `content`, `logger`, `signal` of its context;
 * - `ts mcp-writer`, `ts mcp-idempotent-writer`, `ts mcp-reader`: the body of a tool of an MCP server;
 * - `ts module`: what stands before it in its file;
 * - `ts name.ts`: a whole file. What it needs of the SDK and zod is imported where it imports neither.
 *
 * `$$` is the number of the form, which makes names unique: all forms of a rule are one project.
 */
export interface FormCase {
  readonly title: string;
  readonly verdict: Verdict;
  /** Source texts by path. */
  readonly files: ReadonlyMap<string, string>;
}

const VERDICTS: readonly Verdict[] = ['violated', 'inconclusive', 'proven', 'not_applicable'];

const SDK_IMPORTS = `import { defineTool, ToolEffect, ToolResult, WriteTarget } from '@toolwright/sdk';
import type { ContentWriter, ReaderTool, Tool, WriterContext, WriterTool, WroteResult } from '@toolwright/sdk';
import * as z from 'zod';
`;
const MCP_IMPORTS = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
`;
const INPUT = '{ uid: z.number(), title: z.string(), flag: z.boolean(), tags: z.array(z.string()) }';
const TSCONFIG = JSON.stringify({
  compilerOptions: { ...CASE_OPTIONS, allowJs: true, resolveJsonModule: true },
  include: ['src'],
});

/** The forms of a rule, by the folder `forms` of its fixtures. */
export function readFormCases(folder: URL): readonly FormCase[] {
  return readdirSync(fileURLToPath(folder)).flatMap((name) => readFile(folder, name));
}

function readFile(folder: URL, name: string): readonly FormCase[] {
  const verdict = VERDICTS.find((one) => name === `${one}.md`);
  if (verdict === undefined) {
    throw new Error(`${name}: a file of forms is called after a verdict (${VERDICTS.join(', ')}).`);
  }
  return readFileSync(new URL(name, folder), 'utf8')
    .split(/^## /mu)
    .slice(1)
    .map((section) => parseForm(section, verdict));
}

/** What a rule says of each form: of several tools in it, the worst. */
export function verdictsOfForms(rule: RuleId, forms: readonly FormCase[]): readonly (Verdict | undefined)[] {
  const files = forms.flatMap((form, index) =>
    [...form.files].map(
      ([name, text]) =>
        [`src/form-${String(index)}/${name}`, text.replaceAll('$$', () => String(index))] as const,
    ),
  );
  const report = checkFixture({ 'tsconfig.json': TSCONFIG, ...Object.fromEntries(files) }, { rules: [rule] });
  const places = new Map(report.tools.map(({ id, location }) => [id, location.file]));
  return forms.map((_, index) => {
    const found = report.verdicts
      .filter(({ toolId }) => places.get(toolId ?? '')?.startsWith(`src/form-${String(index)}/`) === true)
      .map(({ verdict }) => verdict);
    return VERDICTS.find((one) => found.includes(one));
  });
}

function parseForm(section: string, verdict: Verdict): FormCase {
  const title = section.slice(0, section.indexOf('\n')).trim();
  const files = new Map<string, string>();
  let module = '';
  for (const [, kind = '', code = ''] of section.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gmsu)) {
    if (kind === 'module') {
      module = code;
    } else if (kind.includes('.')) {
      files.set(
        kind,
        /from '(?:@toolwright\/sdk|zod)'/u.test(code) || !isOfSdk(code) ? code : SDK_IMPORTS + code,
      );
    } else {
      files.set('tool.ts', fileOf(kind, module, code));
    }
  }
  if (files.size === 0) {
    throw new Error(`${title}: expected code blocks.`);
  }
  return { title, verdict, files };
}

function isOfSdk(code: string): boolean {
  return /\b(?:defineTool|ToolResult|ToolEffect|WriteTarget|WriterTool|ReaderTool|ContentWriter)\b/u.test(
    code,
  );
}

function fileOf(kind: string, module: string, body: string): string {
  switch (kind) {
    case 'reader':
      return sdkFile(module, executes(body));
    case 'writer':
      return sdkFile(module, `effect: ToolEffect.NON_IDEMPOTENT_WRITE,\n${executes(body)}`);
    case 'idempotent-writer':
      return sdkFile(module, `effect: ToolEffect.IDEMPOTENT_WRITE,\n${executes(body)}`);
    case 'preview':
      return sdkFile(
        module,
        `effect: ToolEffect.IDEMPOTENT_WRITE,
  async preview({ uid, title, flag, tags }, context): Promise<any> {
    const content: any = context.content;
${body}  },
  async execute({ uid, title }, { content }) {
    return ToolResult.wrote(await content.update(WriteTarget.of('pages', uid), { title }), 'Saved.');
  },`,
      );
    case 'mcp-writer':
      return mcpFile(module, 'readOnlyHint: false', body);
    case 'mcp-idempotent-writer':
      return mcpFile(module, 'readOnlyHint: false, idempotentHint: true', body);
    case 'mcp-reader':
      return mcpFile(module, 'readOnlyHint: true', body);
    default:
      throw new Error(`${kind}: no kind of code block.`);
  }
}

function executes(body: string): string {
  return `async execute({ uid, title, flag, tags }, { content, signal, logger }): Promise<any> {\n${body}  },`;
}

function sdkFile(module: string, members: string): string {
  return `${SDK_IMPORTS}${module}
export const tool = defineTool({
  name: 'form_$$',
  description: '',
  input: z.object(${INPUT}),
  ${members}
});
`;
}

function mcpFile(module: string, hints: string, body: string): string {
  return `${MCP_IMPORTS}${module}
const server = new McpServer({ name: 'forms', version: '1' });
const config = { description: '', inputSchema: ${INPUT}, annotations: { ${hints} } };
server.registerTool('form_$$', config, async ({ uid, title, flag, tags }) => {
${body}});
`;
}
