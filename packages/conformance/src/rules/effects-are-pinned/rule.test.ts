import { describe, expect, it } from 'vitest';
import { checkFixture } from '../../testing/check-fixture.js';
import { expectCase } from '../../testing/expect-case.js';
import { readFixtureCases } from '../../testing/fixture-cases.js';

const cases = readFixtureCases(new URL('./fixtures/', import.meta.url));

describe('effects-are-pinned', () => {
  it.each(cases.map((one) => [one.verdict, one.title, one] as const))(
    'is %s when %s',
    (_verdict, _title, one) => {
      expectCase('effects-are-pinned', one);
    },
  );

  it('is violated when the configuration requires a manifest and there is none', () => {
    const report = checkFixture(
      `import { defineTool } from '@toolwright/sdk';
       export const find = defineTool({ name: 'find', execute() {} });`,
      { rules: ['effects-are-pinned'], config: { manifest: { required: true } } },
    );
    expect(report.diagnostics).toMatchObject([
      { verdict: 'violated', location: { file: 'toolwright.effects.json', line: 1 } },
    ]);
  });
});
