import type { Report } from '@toolwright/conformance';
import toolwright from '@toolwright/eslint-plugin';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkProjects, type CheckedProject, type LintFinding } from './checked-projects.js';
import { contradictionsIn } from './contradictions.js';
import { RULE_PAIRS } from './rule-pairs.js';
import { readSharedFixtures, type SharedFixture } from './shared-fixtures.js';

const fixtures = readSharedFixtures();
const cases = fixtures.map((fixture, index) => [fixture.rule, fixture.title, index] as const);
let checked: readonly CheckedProject[] = [];

beforeAll(async () => {
  checked = await checkProjects(fixtures.map(({ files }) => files));
}, 300_000);

function at(index: number): { fixture: SharedFixture; project: CheckedProject; report: Report } {
  const fixture = fixtures[index];
  const project = checked[index];
  if (fixture === undefined || project === undefined || project.report === null) {
    throw new Error(`The command found nothing to check in case ${String(index)}.`);
  }
  return { fixture, project, report: project.report };
}

function lintRuleOf({ rule }: SharedFixture): string {
  return Object.entries(RULE_PAIRS).find(([, conformance]) => conformance === rule)?.[0] ?? 'none';
}

function placesOf(findings: readonly LintFinding[], fixture: SharedFixture): string[] {
  const rule = lintRuleOf(fixture);
  return distinct(
    findings.filter((one) => one.rule === rule).map(({ file, line }) => `${file}:${String(line)}`),
  );
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}

/** The command's verdicts by tool, by the line of a rebuild, or for the project. */
function verdictsOf(report: Report, { rule }: SharedFixture): Record<string, string> {
  const names = new Map(report.tools.map(({ id, name }) => [id, name ?? '(no literal)']));
  return Object.fromEntries(
    report.verdicts
      .filter((one) => one.rule === rule)
      .map(({ toolId, location, verdict }) => [
        location === null
          ? (names.get(toolId ?? '') ?? 'project')
          : `${location.file}:${String(location.line)}`,
        verdict,
      ]),
  );
}

describe('the shared fixtures', () => {
  it('have cases of every rule that both tools have', () => {
    expect(new Set(fixtures.map(({ rule }) => rule))).toEqual(new Set(Object.values(RULE_PAIRS)));
  });

  it('name the conformance rule of every lint rule', () => {
    expect(Object.keys(RULE_PAIRS).sort()).toEqual(Object.keys(toolwright.rules ?? {}).sort());
  });

  it('have a case that both tools find, and one in which both find nothing, for every rule', () => {
    for (const rule of Object.values(RULE_PAIRS)) {
      const own = fixtures.filter((one) => one.rule === rule);
      expect({
        rule,
        found: own.some(({ places }) =>
          places.some(({ command, lint }) => command !== null && lint !== 'none'),
        ),
      }).toEqual({ rule, found: true });
      expect({ rule, clean: own.some(({ places }) => places.length === 0) }).toEqual({ rule, clean: true });
    }
  });
});

describe('the conformance command', () => {
  it.each(cases)('says what %s expects when %s', (_rule, _title, index) => {
    const { fixture, report } = at(index);
    expect(verdictsOf(report, fixture)).toEqual(Object.fromEntries(fixture.verdicts));
    const places = report.diagnostics
      .filter(({ rule }) => rule === fixture.rule)
      .map(({ verdict, location }) => `${location.file}:${String(location.line)} ${verdict}`);
    expect(distinct(places)).toEqual(
      distinct(
        fixture.places.flatMap(({ place, command }) => (command === null ? [] : [`${place} ${command}`])),
      ),
    );
  });
});

describe('the lint rules', () => {
  it.each(cases)('find what %s expects without types when %s', (_rule, _title, index) => {
    const { fixture, project } = at(index);
    const expected = fixture.places.filter(({ lint }) => lint === 'both').map(({ place }) => place);
    expect(placesOf(project.withoutTypes, fixture)).toEqual(distinct(expected));
  });

  it.each(cases)('find what %s expects with types when %s', (_rule, _title, index) => {
    const { fixture, project } = at(index);
    const expected = fixture.places.filter(({ lint }) => lint !== 'none').map(({ place }) => place);
    expect(placesOf(project.withTypes, fixture)).toEqual(distinct(expected));
  });

  it.each(cases)('find nothing that the command proves for %s when %s', (_rule, _title, index) => {
    expect(contradictionsIn(at(index).project)).toEqual([]);
  });
});
