import type { CaseSet, RuleCases } from '../../rule-testing/rule-cases.js';

const IMPORTS = `import { defineTool, type WriterContext, type WriterTool } from '@toolwright/sdk';
import fs, { promises as files, writeFileSync as save } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { execSync, spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
`;

/** A tool whose preview has this body, which begins on line 8. */
function previewing(body: string, before = ''): string {
  return `${IMPORTS}${before}export const tool = defineTool({ effect: 'idempotent_write', execute, async preview(input, context) {
${body}
} });`;
}

const syntactic: CaseSet = {
  valid: [
    {
      name: 'a preview reads',
      code: previewing(`const text = await readFile(input.path, 'utf8');
const page = await context.content.read(input.target);
const answer = await fetch('https://example.org/pages', { method: 'GET' });
const log = execSync('git status');
return [text, page, answer, log];`),
    },
    {
      name: 'a preview logs and caches',
      code: previewing(`console.log(input.id);
cache.set(input.id, 1);
return [];`),
    },
    {
      name: 'a preview writes into the temporary folder',
      code: previewing(`await writeFile(path.join(os.tmpdir(), 'draft'), 'x');
const folder = await mkdtemp(path.join(os.tmpdir(), 'draft-'));
await writeFile(path.join(folder, 'a'), 'x');
return [];`),
    },
    {
      name: 'a path comes from another module, which may lead to the temporary folder',
      code: previewing(
        `await writeFile(path.join(scratch, 'a'), 'x');
const file = draftPath();
save(file, 'x');
return [];`,
        `import { draftPath, scratch } from './scratch.js';\n`,
      ),
    },
    {
      name: 'what a call does depends on an argument',
      code: previewing(`await fetch(input.url, { method: input.method });
spawn(input.command, []);
fs.openSync(input.path, input.flags);
return [];`),
    },
    {
      name: 'execute writes',
      code: `${IMPORTS}export const tool = defineTool({
  effect: 'idempotent_write',
  execute: (input) => writeFile(input.path, 'x'),
  preview: (input) => [\`Writes \${input.path}\`],
});`,
    },
    {
      name: 'a helper that preview and execute share is told not to write',
      code: previewing(
        `return save(input, true);`,
        `async function save(input, dryRun) {
  if (dryRun) return ['Would save.'];
  await writeFile(input.path, 'x');
}\n`,
      ).replace('writeFileSync as save', 'writeFileSync as keep'),
    },
    {
      name: 'constants decide that nothing is written',
      code: previewing(
        `if (!DRY) await writeFile('a', 'x');
false && (await writeFile('b', 'x'));
await store('c');
return [];
await writeFile('d', 'x');`,
        `const DRY: boolean = true;
const MODE = 'preview';
async function store(name) { const isDry = MODE === 'preview'; if (!isDry) { await writeFile(name, 'x'); } }\n`,
      ),
    },
    {
      name: 'a helper of a helper is told not to write',
      code: previewing(
        `return outer(input, true);`,
        `async function outer(input, dryRun) { if (!dryRun) { await inner(input); } return []; }
async function inner(input) { await writeFile(input.path, 'x'); }\n`,
      ),
    },
    {
      name: 'helpers are told a path of the temporary folder, or make one',
      code: previewing(
        `await store(path.join(os.tmpdir(), 'a'));
await writeFile(scratch('b'), 'x');
return [];`,
        `const folder = path.join(os.tmpdir(), 'drafts');
const scratch = (name) => path.join(folder, name);
async function store(file) { await writeFile(file, 'x'); }\n`,
      ),
    },
    {
      name: 'a function that is only kept writes',
      code: previewing(`const later = () => writeFile('a', 'x');
register(() => writeFile('b', 'x'));
return [String(later)];`),
    },
    {
      name: 'a function of the file only has the name of one that writes',
      code: previewing(`const writeFile = (name) => name;
return [writeFile('a')];`),
    },
    {
      name: 'another package has a defineTool of its own',
      code: `import { defineTool } from 'another-sdk';
import { writeFile } from 'node:fs/promises';
export const tool = defineTool({ preview: () => writeFile('a', '@toolwright/sdk') });`,
    },
  ],
  invalid: [
    {
      name: 'a preview writes a file, in every way to name it',
      code: previewing(`await writeFile(input.path, 'x');
save('a', 'x');
fs.writeFileSync('a', 'x');
await files.appendFile('a', 'x');
await fs.promises.rm('a');
const { unlinkSync: remove } = fs;
remove('a');
await (await import('node:fs/promises')).rename('a', 'b');
require('fs').mkdirSync('a');
return [];`),
      findings: [8, 9, 10, 11, 12, 14, 15, 16].map((line) => ({ messageId: 'writes', line })),
    },
    {
      name: 'a preview sends',
      code: previewing(`const METHOD = 'POST';
await fetch('https://example.org/pages', { method: METHOD, body: '{}' });
await globalThis.fetch(\`https://example.org/\${input.id}\`, { method: 'DELETE' });
return [];`),
      findings: [9, 10].map((line) => ({ messageId: 'writes', line })),
    },
    {
      name: 'a preview runs a command that writes',
      code: previewing(`execSync('rm -rf build');
spawn('git', ['commit', '-m', input.message]);
return [];`),
      findings: [8, 9].map((line) => ({ messageId: 'writes', line })),
    },
    {
      name: 'a preview casts its context',
      code: previewing(`await (context as WriterContext).content.update(input.target, {});
const { content } = context as unknown as WriterContext;
await content.create('pages', {});
return [];`),
      findings: [8, 10].map((line) => ({ messageId: 'writes', line })),
    },
    {
      name: 'callbacks that run on the spot write',
      code: previewing(`await Promise.all(input.paths.map((one) => writeFile(one, 'x')));
load(input).then(() => { save('a', 'x'); });
return [];`),
      findings: [8, 9].map((line) => ({ messageId: 'writes', line })),
    },
    {
      name: 'a helper and a method write',
      code: `${IMPORTS}async function store(name: string) { await touch(name); }
const touch = (name: string) => writeFile(name, 'x');
export class Save implements WriterTool {
  readonly effect = 'idempotent_write';
  async execute(input) { save(input.path, 'x'); }
  async preview(input, context) {
    await store(input.path);
    return this.execute(input);
  }
}`,
      findings: [
        { messageId: 'writesThrough', line: 13 },
        { messageId: 'writesThrough', line: 14 },
      ],
    },
    {
      name: 'a preview executes the tool',
      code: `${IMPORTS}export const tool = defineTool({
  effect: 'idempotent_write',
  async execute(input, context) { return context.content.update(input.target, {}); },
  preview: async (input, context) => [(await tool.execute(input, context)).content],
});`,
      findings: [{ messageId: 'writesThrough', line: 10 }],
    },
    {
      name: 'a preview is kept in a name',
      code: `${IMPORTS}const preview = async (input) => { await writeFile(input.path, 'x'); return []; };
export const a = defineTool({ effect: 'idempotent_write', execute, preview });
export const b = defineTool({ effect: 'idempotent_write', execute, preview });`,
      findings: [{ messageId: 'writes', line: 7 }],
    },
  ],
};

export const cases: RuleCases = { rule: 'no-write-in-preview', syntactic, typed: { valid: [], invalid: [] } };
