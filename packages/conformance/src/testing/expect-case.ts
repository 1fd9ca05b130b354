import { expect } from 'vitest';
import type { RuleId } from '../model/verdict.js';
import { checkFixture } from './check-fixture.js';
import type { FixtureCase } from './fixture-cases.js';

/** Checks one case of a rule: every verdict, and every place of a finding. */
export function expectCase(rule: RuleId, fixture: FixtureCase): void {
  const report = checkFixture(fixture.files, { rules: [rule] });
  const names = new Map(report.tools.map(({ id, name }) => [id, name]));
  const found = report.verdicts.map(({ toolId, verdict, reason }) => {
    const name = toolId === null ? 'project' : (names.get(toolId) ?? '(no literal)');
    return { name, verdict, reason };
  });
  expect(found, 'at least one verdict').not.toEqual([]);
  for (const { name, verdict, reason } of found) {
    const expected = fixture.toolVerdicts.get(name) ?? fixture.verdict;
    expect({ name, verdict, reason }).toMatchObject({ name, verdict: expected });
  }
  for (const tool of fixture.toolVerdicts.keys()) {
    expect(found.map(({ name }) => name)).toContain(tool);
  }
  const places = report.diagnostics.map(
    ({ location }) => `${location.file}:${String(location.line)}:${String(location.column)}`,
  );
  expect(new Set(places)).toEqual(new Set(fixture.findings));
}
