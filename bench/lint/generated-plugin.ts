import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface GeneratedPlugin {
  readonly folder: string;
  readonly files: number;
  readonly tools: number;
}

const TOOLS_PER_FILE = 4;

/**
 * Writes a plugin of many tools as people write them: readers and writers with previews, helpers in other
 * modules, a loop that rebuilds results, and a binding with a raw content handler, without which half of the
 * typed rules would have nothing to ask.
 *
 * @param root the workspace, whose installed packages the plugin uses
 */
export async function generatePlugin(folder: string, tools: number, root: string): Promise<GeneratedPlugin> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(path.join(folder, 'src/tools'), { recursive: true });
  await mkdir(path.join(folder, 'node_modules/@toolwright'), { recursive: true });
  await mkdir(path.join(folder, 'node_modules/@types'), { recursive: true });
  const links = {
    '@toolwright/sdk': 'packages/sdk',
    '@types/node': 'node_modules/@types/node',
    zod: 'packages/sdk/node_modules/zod',
  };
  for (const [name, target] of Object.entries(links)) {
    await symlink(path.join(root, target), path.join(folder, 'node_modules', name), 'dir');
  }
  const files = new Map<string, string>([
    ['package.json', JSON.stringify({ name: 'generated-plugin', type: 'module', private: true })],
    ['tsconfig.json', JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['src'] })],
    ['src/raw-pages.ts', RAW_PAGES],
    ['src/content.ts', CONTENT],
    ['src/page-store.ts', PAGE_STORE],
    ['src/bounded.ts', BOUNDED],
  ]);
  for (let first = 0; first < tools; first += TOOLS_PER_FILE) {
    const own = Array.from({ length: Math.min(TOOLS_PER_FILE, tools - first) }, (_, index) =>
      toolSource(first + index),
    );
    files.set(`src/tools/tools-${first}.ts`, [TOOL_IMPORTS, ...own].join('\n'));
  }
  for (const [file, text] of files) {
    await writeFile(path.join(folder, file), text);
  }
  return { folder, files: files.size - 2, tools };
}

const COMPILER_OPTIONS = {
  target: 'ES2022',
  lib: ['ES2023'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
};

const RAW_PAGES = `import type { ContentRecord, ContentWrite, FinishingStep, RawContentHandler, WriteTarget } from '@toolwright/sdk';

export class RawPages implements RawContentHandler {
  readonly #landed: WriteTarget[] = [];
  write(operation: ContentWrite): Promise<WriteTarget> {
    return Promise.reject(new Error(operation.kind));
  }
  landed(): readonly WriteTarget[] {
    return this.#landed;
  }
  isTransactionOpen(): boolean {
    return false;
  }
  remainingSteps(): readonly FinishingStep[] {
    return [];
  }
  read(): Promise<ContentRecord | null> {
    return Promise.resolve(null);
  }
  find(): Promise<readonly ContentRecord[]> {
    return Promise.resolve([]);
  }
}
`;

const CONTENT = `import { safeContentHandler } from '@toolwright/sdk';
import { RawPages } from './raw-pages.js';

export const content = safeContentHandler(() => new RawPages());
`;

const PAGE_STORE = `import { readFile } from 'node:fs/promises';
import { WriteTarget, type ContentReader, type ContentRecord } from '@toolwright/sdk';

export interface Page {
  readonly title: string;
  readonly slug: string;
  readonly words: readonly string[];
}

export function pageTarget(id: number): WriteTarget {
  return WriteTarget.of('pages', id);
}

export async function loadPage(content: ContentReader, id: number): Promise<Page | null> {
  const record: ContentRecord | null = await content.read(pageTarget(id));
  if (record === null) {
    return null;
  }
  const title = String(record.data['title']);
  return { title, slug: title.toLowerCase().replaceAll(' ', '-'), words: title.split(' ') };
}

export async function loadTemplate(name: string): Promise<string> {
  return readFile(new URL(\`./templates/\${name}.html\`, import.meta.url), 'utf8');
}
`;

const BOUNDED = `import type { ToolResult } from '@toolwright/sdk';

export function bounded(result: ToolResult, maxCharacters: number): ToolResult {
  return result.withContent(result.content.slice(0, maxCharacters));
}
`;

const TOOL_IMPORTS = `import { defineTool, ToolEffect, ToolResult } from '@toolwright/sdk';
import * as z from 'zod';
import { loadPage, loadTemplate, pageTarget } from '../page-store.js';
`;

/** One tool; its kind, names and shape follow from its number. */
function toolSource(number: number): string {
  const input = `const input${number} = z.object({ id: z.number().int(), title: z.string().max(200), limit: z.number().optional() });\n`;
  return input + (number % 2 === 0 ? readerSource(number) : writerSource(number));
}

function readerSource(number: number): string {
  return `
export const showPage${number} = defineTool({
  name: 'show_page_${number}',
  description: 'Shows page ${number}, or the words of its title, for a person who asks for them.',
  input: input${number},
  async execute(input, context) {
    const page = await loadPage(context.content, input.id);
    if (page === null) {
      return ToolResult.error(\`There is no page \${input.id}.\`);
    }
    const found = await context.content.find('pages', { where: { slug: page.slug }, limit: input.limit ?? 10 });
    const lines = found
      .map((record) => String(record.data['title']))
      .filter((title) => title.startsWith(input.title))
      .map((title, index) => \`\${index + 1}. \${title}\`);
    const template = await loadTemplate('page-${number}');
    context.logger.info('shown', { lines: lines.length, template: template.length });
    return ToolResult.text([page.title, ...lines].join('\\n'));
  },
});
`;
}

function writerSource(number: number): string {
  const effect = number % 3 === 0 ? 'NON_IDEMPOTENT_WRITE' : 'IDEMPOTENT_WRITE';
  return `
function describe${number}(title: string, words: readonly string[]): string {
  return words.length === 0 ? title : \`\${title} (\${words.join(', ')})\`;
}

export const renamePage${number} = defineTool({
  name: 'rename_page_${number}',
  description: 'Gives page ${number} another title.',
  input: input${number},
  effect: ToolEffect.${effect},
  async preview(input, context) {
    const page = await loadPage(context.content, input.id);
    return [\`Renames \${page?.title ?? 'nothing'} to \${describe${number}(input.title, page?.words ?? [])}.\`];
  },
  async execute(input, context) {
    const page = await loadPage(context.content, input.id);
    if (page === null) {
      return ToolResult.refused(\`There is no page \${input.id}.\`);
    }
    if (page.title === input.title) {
      return ToolResult.unchanged('The page has this title.');
    }
    try {
      const target = await context.content.update(pageTarget(input.id), { title: input.title });
      return ToolResult.wrote(target, describe${number}(input.title, page.words));
    } catch (error) {
      context.logger.error('rename failed', { error });
      return ToolResult.error(\`Renaming page \${input.id} failed. Read it before anything is written.\`);
    }
  },
});
`;
}
