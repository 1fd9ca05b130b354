import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { ROOT } from './workspace.js';

/**
 * Code in the documentation is code: every `ts` and `js` block of a page is a module that type-checks as it
 * stands, under the project's own strict options, and every `json` block parses. Blocks of one page can import each
 * other: a first line `// pages.ts` names a block's file.
 */

// On a machine that is busy with other things; a quiet one needs a tenth.
const COMPILING_MS = 300_000;

const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'GLOSSARY.md',
  ...markdownBelow('docs'),
  ...readdirSync(path.join(ROOT, 'packages')).map((name) => `packages/${name}/README.md`),
].filter((page) => ts.sys.fileExists(path.join(ROOT, page)));

// The root depends on every package that a page may import.
const AT = path.join(ROOT, 'docs/code');

interface Block {
  readonly language: string;
  readonly code: string;
  /** 1-based, of the first line of code. */
  readonly line: number;
}

interface Page {
  readonly page: string;
  readonly blocks: readonly Block[];
}

const pagesWithCode: readonly Page[] = PAGES.map((page) => ({ page, blocks: blocksOf(page) })).filter(
  ({ blocks }) => blocks.length > 0,
);

describe('the links of the documentation', () => {
  it.each(PAGES)('lead to something that is there when they are on %s', (page) => {
    const text = readFileSync(path.join(ROOT, page), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/gu)].map(
      ([, target]) => target!,
    );
    const missing = links.filter((target) => !existsSync(path.join(ROOT, path.dirname(page), target)));
    expect(missing).toEqual([]);
  });
});

describe('the code blocks of the documentation', () => {
  it('are found when the README is read', () => {
    expect(pagesWithCode.map(({ page }) => page)).toContain('README.md');
  });

  it('type-check when each is a module of its page', { timeout: COMPILING_MS }, () => {
    expect(typeErrors(pagesWithCode)).toEqual([]);
  });

  it.each(pagesWithCode)('parse when they are JSON of $page', ({ blocks }) => {
    for (const { code } of blocks.filter(({ language }) => language === 'json')) {
      expect(() => JSON.parse(code) as unknown).not.toThrow();
    }
  });

  it('are reported with the line of the page when one has a type error', () => {
    const bad = { language: 'ts', code: "import '@toolwright/sdk';\nexport const one: string = 1;", line: 7 };
    expect(typeErrors([{ page: 'a.md', blocks: [bad] }])).toEqual([
      expect.stringMatching(/^a\.md:8: Type 'number'/u),
    ]);
  });
});

function blocksOf(page: string): readonly Block[] {
  const lines = readFileSync(path.join(ROOT, page), 'utf8').split('\n');
  const blocks: Block[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const language = /^\s*```(\w+)/u.exec(lines[index]!)?.[1];
    if (language !== undefined) {
      const end = lines.findIndex((line, at) => at > index && /^\s*```\s*$/u.test(line));
      expect(end, `${page}:${index + 1}: a block is not closed`).toBeGreaterThan(index);
      blocks.push({ language, code: lines.slice(index + 1, end).join('\n'), line: index + 2 });
      index = end;
    }
  }
  return blocks;
}

/** The errors of the blocks of all pages, in one program: most of its time goes into what they import. */
function typeErrors(pages: readonly Page[]): readonly string[] {
  const files = new Map(pages.flatMap(({ page, blocks }) => modulesOf(page, blocks)));
  const folders = new Set([...files.keys()].map((file) => path.dirname(file)));
  const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.base.json'), (file) =>
    ts.sys.readFile(file),
  );
  const options: ts.CompilerOptions = {
    ...ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT).options,
    allowJs: true,
    checkJs: true,
    composite: false,
    noEmit: true,
    types: ['node'],
    typeRoots: [path.join(ROOT, 'node_modules/@types')],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, directoryExists } = host;
  host.directoryExists = (folder) =>
    folders.has(path.normalize(folder)) || directoryExists?.call(host, folder) === true;
  host.fileExists = (file) => files.has(path.normalize(file)) || fileExists.call(host, file);
  host.readFile = (file) => files.get(path.normalize(file))?.block.code ?? readFile.call(host, file);
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files].flatMap(([file, { page, block }]) => {
    const source = program.getSourceFile(file)!;
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ start = 0, messageText }) => {
        const line = block.line + source.getLineAndCharacterOfPosition(start).line;
        return `${page}:${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
      },
    );
  });
}

function modulesOf(page: string, blocks: readonly Block[]): [string, { page: string; block: Block }][] {
  const folder = path.join(AT, page.replace(/[/.]/gu, '-'));
  return blocks
    .filter(({ language }) => language === 'ts' || language === 'js')
    .map((block, index) => {
      const named = /^\/\/ ([\w./-]+\.[jt]s)$/u.exec(block.code.split('\n')[0]!)?.[1];
      return [path.join(folder, named ?? `block-${index + 1}.${block.language}`), { page, block }];
    });
}

function markdownBelow(folder: string): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);
}
