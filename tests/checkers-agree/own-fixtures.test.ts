import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { readFixtureCases } from '../../packages/conformance/src/testing/fixture-cases.js';
import type { RuleCases } from '../../packages/eslint-plugin/src/rule-testing/rule-cases.js';
import { checkProjects, type CheckedProject, type ProjectFiles } from './checked-projects.js';
import { contradictionsIn } from './contradictions.js';
import { RULE_PAIRS } from './rule-pairs.js';

/** What each tool tests itself with, read by the other one as well. */
interface OwnCase {
  readonly title: string;
  readonly files: ProjectFiles;
}

const LINT = new URL('../../packages/eslint-plugin/src/', import.meta.url);
const CONFORMANCE = new URL('../../packages/conformance/src/', import.meta.url);
const TYPED_FIXTURES = new URL('fixtures/typed/', LINT);

const cases = [...commandCases(), ...(await lintCases())];
const titles = cases.map(({ title }, index) => [title, index] as const);
let checked: readonly CheckedProject[] = [];

beforeAll(async () => {
  checked = await checkProjects(cases.map(({ files }) => files));
}, 300_000);

function commandCases(): OwnCase[] {
  return Object.values(RULE_PAIRS).flatMap((rule) =>
    readFixtureCases(new URL(`rules/${rule}/fixtures/`, CONFORMANCE)).map(({ title, verdict, files }) => ({
      title: `${rule} is ${verdict} when ${title}`,
      files,
    })),
  );
}

/** Without those that set options: what these name, one project knows, and the command has a configuration of its own. */
async function lintCases(): Promise<OwnCase[]> {
  const found: OwnCase[] = [];
  for (const rule of Object.keys(RULE_PAIRS)) {
    const module = (await import(new URL(`rules/${rule}/rule.cases.ts`, LINT).href)) as { cases: RuleCases };
    const { syntactic, typed } = module.cases;
    for (const { set, more } of [
      { set: syntactic, more: {} },
      { set: typed, more: typedFixtures() },
    ]) {
      for (const { name, code, options, filename } of [...set.valid, ...set.invalid]) {
        if (options === undefined) {
          const file = filename?.replace(/^.*\//u, '') ?? 'file.ts';
          found.push({ title: `${rule}: ${name}`, files: { ...more, [`src/${file}`]: code } });
        }
      }
    }
  }
  return found;
}

function typedFixtures(): ProjectFiles {
  return Object.fromEntries(
    readdirSync(TYPED_FIXTURES)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => [`src/${name}`, readFileSync(new URL(name, TYPED_FIXTURES), 'utf8')]),
  );
}

describe('the lint rules', () => {
  it.each(titles)('find nothing that the command proves: %s', (_title, index) => {
    const project = checked[index];
    expect(project === undefined ? ['not checked'] : contradictionsIn(project)).toEqual([]);
  });

  it('find something in enough cases when this test is worth anything', () => {
    const found = checked.filter(({ withoutTypes }) => withoutTypes.length > 0);
    expect(found.length).toBeGreaterThan(cases.length / 4);
  });
});
