import { describe, expect, it } from 'vitest';
import { checkFixture } from '../../testing/check-fixture.js';
import { expectCase } from '../../testing/expect-case.js';
import { readFixtureCases } from '../../testing/fixture-cases.js';

const cases = readFixtureCases(new URL('./fixtures/', import.meta.url));

describe('tool-names-unique', () => {
  it.each(cases.map((one) => [one.verdict, one.title, one] as const))(
    'is %s when %s',
    (_verdict, _title, one) => {
      expectCase('tool-names-unique', one);
    },
  );

  it('gives two tools of one name two ids when both are in one plugin', () => {
    const report = checkFixture(`
      import { defineTool } from '@toolwright/sdk';
      export const a = defineTool({ name: 'save', execute() {} });
      export const b = defineTool({ name: 'save', execute() {} });
      export const c = defineTool({ name: 'save', execute() {} });
    `);
    const ids = report.tools.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(report.diagnostics.map(({ toolId, witness }) => [toolId, witness.length])).toEqual(
      ids.map((id) => [id, 3]),
    );
  });
});
