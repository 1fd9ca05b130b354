import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { readFixtureCases } from '../../packages/conformance/src/testing/fixture-cases.js';
import type { RuleCases } from '../../packages/eslint-plugin/src/rule-testing/rule-cases.js';
import {
  checkProjects,
  type CheckedProject,
  type LintFinding,
  type ProjectFiles,
} from './checked-projects.js';
import { contradictionsIn } from './contradictions.js';
import { RULE_PAIRS } from './rule-pairs.js';

/** What each tool tests itself with, read by the other one as well. */
interface OwnCase {
  readonly rule: string;
  readonly title: string;
  readonly files: ProjectFiles;
}

const LINT = new URL('../../packages/eslint-plugin/src/', import.meta.url);
const CONFORMANCE = new URL('../../packages/conformance/src/', import.meta.url);
const TYPED_FIXTURES = new URL('fixtures/typed/', LINT);

const cases = [...commandCases(), ...(await lintCases())];
const { projects, places } = inFewProjects(cases);
const titles = cases.map(({ title }, index) => [title, index] as const);
let checked: readonly CheckedProject[] = [];

beforeAll(async () => {
  checked = await checkProjects(projects);
}, 300_000);

/** Where a case lies: a project, and the folder of it that is the case's own. */
interface Place {
  readonly project: number;
  readonly folder: string;
}

/** Puts the cases of a rule that need no project of their own into one, each in its folder: loading takes longest. */
function inFewProjects(all: readonly OwnCase[]): { projects: ProjectFiles[]; places: readonly Place[] } {
  const filled: Record<string, string | null>[] = [];
  const shared = new Map<string, number>();
  const found = all.map(({ rule, files }, index): Place => {
    const own = Object.entries(files);
    if (!own.every(([name, text]) => name.startsWith('src/') && text !== null)) {
      return { project: filled.push({ ...files }) - 1, folder: 'src/' };
    }
    const project = shared.get(rule) ?? filled.push({}) - 1;
    shared.set(rule, project);
    const folder = `src/case-${String(index)}/`;
    const target = filled[project] ?? {};
    own.forEach(([name, text]) => (target[name.replace('src/', folder)] = text));
    return { project, folder };
  });
  return { projects: filled, places: found };
}

function commandCases(): OwnCase[] {
  return Object.values(RULE_PAIRS).flatMap((rule) =>
    readFixtureCases(new URL(`rules/${rule}/fixtures/`, CONFORMANCE)).map(({ title, verdict, files }) => ({
      rule,
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
          found.push({ rule, title: `${rule}: ${name}`, files: { ...more, [`src/${file}`]: code } });
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

/** What both tools say about the files of one case. */
function checkedCase(index: number): CheckedProject {
  const place = places[index];
  const project = place === undefined ? undefined : checked[place.project];
  if (place === undefined || project === undefined) {
    throw new Error(`Case ${String(index)} was not checked.`);
  }
  const isOwn = ({ file }: LintFinding): boolean => file.startsWith(place.folder);
  return {
    report: project.report,
    withoutTypes: project.withoutTypes.filter(isOwn),
    withTypes: project.withTypes.filter(isOwn),
  };
}

describe('the lint rules', () => {
  it.each(titles)('find nothing that the command proves: %s', (_title, index) => {
    expect(contradictionsIn(checkedCase(index))).toEqual([]);
  });

  it('find something in enough cases when this test is worth anything', () => {
    const found = cases.filter((_, index) => checkedCase(index).withoutTypes.length > 0);
    expect(found.length).toBeGreaterThan(cases.length / 4);
  });
});
