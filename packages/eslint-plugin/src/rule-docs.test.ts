import { readFileSync } from 'node:fs';
import * as parser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import { assert, describe, expect, it } from 'vitest';
import { rules } from './generated/rules.js';
import toolwright from './index.js';

interface Example {
  readonly rule: string;
  readonly isCorrect: boolean;
  readonly code: string;
  readonly file: string;
  readonly options: readonly unknown[];
  readonly title: string;
}

const ids = Object.keys(rules) as (keyof typeof rules)[];
const examples = ids.flatMap(examplesOf);

/** Prose of a page by rule, as it ships. */
function pageOf(id: string): string {
  return readFileSync(new URL(`./rules/${id}/rule.md`, import.meta.url), 'utf8');
}

/** The fenced `ts` blocks of a page that are marked `correct` or `incorrect`. */
function examplesOf(rule: string): Example[] {
  const fences = pageOf(rule).matchAll(
    /^```ts (?<mark>correct|incorrect)(?<info>.*)\n(?<code>[^]*?)^```$/gmu,
  );
  return [...fences].map((match, index) => {
    const { mark, info = '', code = '' } = match.groups ?? {};
    const options = /options=(?<json>\{.*\})/u.exec(info)?.groups?.['json'];
    return {
      rule,
      isCorrect: mark === 'correct',
      code,
      file: /file=(?<file>\S+)/u.exec(info)?.groups?.['file'] ?? 'src/example.ts',
      options: options === undefined ? [] : [JSON.parse(options)],
      title: `${rule}, example ${index + 1}`,
    };
  });
}

function findingsOf({ code, file, rule, options }: Example, onlyOwn: boolean): Linter.LintMessage[] {
  const all = toolwright.configs.recommended.rules ?? {};
  const own = { [`@toolwright/${rule}`]: ['error', ...options] } as Linter.RulesRecord;
  return new Linter({ configType: 'flat' }).verify(
    code,
    [
      {
        files: ['**/*.ts'],
        languageOptions: { parser },
        plugins: { '@toolwright': toolwright },
        rules: onlyOwn ? own : { ...all, ...own },
      },
    ],
    { filename: file },
  );
}

/** What the line below a page's summary says, from the rule's own metadata. */
function factsOf(id: keyof typeof rules): string {
  const { docs, hasSuggestions } = rules[id].meta;
  assert(docs !== undefined);
  const severity = docs.recommended === 'error' ? 'an error' : 'a warning';
  return [
    `In \`recommended\` and \`recommendedTypeChecked\` as ${severity}.`,
    ...(hasSuggestions === true ? ['Offers suggestions.'] : []),
    ...(docs.usesTypes ? ['Uses types where the parser offers them.'] : []),
  ].join(' ');
}

describe('rule pages', () => {
  it.each(ids)('begin with the id, the summary and the facts of %s', (id) => {
    const [heading, summary = '', facts = ''] = pageOf(id).split(/\n\s*\n/u);
    expect(heading).toBe(`# ${id}`);
    expect(summary).toMatch(/^[A-Z].*\.$/su);
    expect(facts.replaceAll('\n', ' ')).toBe(factsOf(id));
  });

  it.each(ids)('have the same sections in the same order for %s', (id) => {
    const sections = [...pageOf(id).matchAll(/^## (?<title>.*)$/gmu)].map(({ groups }) => groups?.['title']);
    expect(sections.filter((title) => title !== 'How to fix it')).toEqual([
      'Why',
      'Not like this',
      'Like this',
      'Options',
      'What it knows',
    ]);
  });

  it.each(ids)('name each option of %s', (id) => {
    const [schema] = rules[id].meta.schema as readonly { readonly properties?: object }[];
    const names = Object.keys(schema?.properties ?? {});
    const section = pageOf(id).split('## Options')[1]?.split('\n## ')[0] ?? '';
    for (const name of names) {
      expect(section).toContain(`- \`${name}\`:`);
    }
    expect(section.includes('None.')).toBe(names.length === 0);
  });

  it.each(ids)('have examples of both kinds for %s', (id) => {
    const own = examples.filter(({ rule }) => rule === id);
    expect(own.filter(({ isCorrect }) => isCorrect)).not.toHaveLength(0);
    expect(own.filter(({ isCorrect }) => !isCorrect)).not.toHaveLength(0);
  });
});

describe('incorrect examples', () => {
  it.each(examples.filter(({ isCorrect }) => !isCorrect))(
    'have a finding of their rule in $title',
    (example) => {
      const findings = findingsOf(example, true);
      expect(findings.map(({ ruleId }) => ruleId)).toContain(`@toolwright/${example.rule}`);
      expect(findings.filter(({ fatal }) => fatal === true)).toEqual([]);
    },
  );
});

describe('correct examples', () => {
  it.each(examples.filter(({ isCorrect }) => isCorrect))(
    'have no finding of any rule in $title',
    (example) => {
      expect(findingsOf(example, false)).toEqual([]);
    },
  );
});
