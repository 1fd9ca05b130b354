/** Writes the table of ESLint rules into packages/eslint-plugin/README.md, from the rules' pages. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeGenerated } from './generated-file.js';
import { foldersWith } from './rule-folders.js';
import { ROOT } from './workspace.js';

const RULES = 'packages/eslint-plugin/src/rules';
const README = 'packages/eslint-plugin/README.md';
const SECTION = /(<!-- rules: [^>]*-->\n)[^]*?(<!-- \/rules -->)/u;

// What the line of facts on a page says, and its sign in the table.
const SIGNS = [
  { says: 'as an error', sign: '❌' },
  { says: 'as a warning', sign: '⚠️' },
  { says: 'Offers suggestions', sign: '💡' },
  { says: 'Uses types', sign: '💭' },
] as const;

const readme = await readFile(path.join(ROOT, README), 'utf8');
if (!SECTION.test(readme)) {
  throw new Error(`${README}: expected the section between "<!-- rules: … -->" and "<!-- /rules -->".`);
}
const rows = await Promise.all((await foldersWith(RULES, 'rule.md')).map(row));
const table = ['| Rule | What it holds |  |', '| --- | --- | --- |', ...rows].join('\n');
await writeGenerated(
  README,
  readme.replace(SECTION, (_all, open: string, close: string) => `${open}\n${table}\n\n${close}`),
);

async function row(id: string): Promise<string> {
  const page = await readFile(path.join(ROOT, RULES, id, 'rule.md'), 'utf8');
  const [, summary, facts] = page
    .split(/\n\s*\n/u)
    .map((paragraph) => paragraph.replaceAll('\n', ' ').trim());
  if (summary === undefined || facts?.startsWith('In `recommended`') !== true) {
    throw new Error(
      `${RULES}/${id}/rule.md: expected the heading, one paragraph, and the line "In \`recommended\` …".`,
    );
  }
  const signs = SIGNS.filter(({ says }) => facts.includes(says)).map(({ sign }) => sign);
  return `| [\`${id}\`](src/rules/${id}/rule.md) | ${summary.replaceAll('|', '\\|')} | ${signs.join(' ')} |`;
}
