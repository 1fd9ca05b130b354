import { describe, expect, it } from 'vitest';
import { checkFixture } from '../../testing/check-fixture.js';
import { expectCase } from '../../testing/expect-case.js';
import { readFixtureCases } from '../../testing/fixture-cases.js';

const cases = readFixtureCases(new URL('./fixtures/', import.meta.url));

describe('raw-handler-stays-wrapped', () => {
  it.each(cases.map((one) => [one.verdict, one.title, one] as const))(
    'is %s when %s',
    (_verdict, _title, one) => {
      expectCase('raw-handler-stays-wrapped', one);
    },
  );

  it('knows a handler by the configuration when it implements nothing', () => {
    const report = checkFixture(
      `export class SqlPages { write() {} }
       export const pages = new SqlPages();
       export const tool = { pages };`,
      { config: { rawHandlers: ['SqlPages'] } },
    );
    expect(report.diagnostics.map(({ rule, location }) => [rule, location.line])).toEqual([
      ['raw-handler-stays-wrapped', 2],
    ]);
  });

  it('leaves out more test files when the configuration names them', () => {
    const files = {
      'src/raw.ts': `import type { RawContentHandler } from '@toolwright/sdk';
        export class RawPages implements RawContentHandler {}`,
      'src/raw.demo.ts': `import { RawPages } from './raw.js';
        export const raw = new RawPages();`,
    };
    const verdictWith = (testFiles: readonly string[]): string | undefined =>
      checkFixture(files, { config: { testFiles } }).verdicts.find(
        ({ rule }) => rule === 'raw-handler-stays-wrapped',
      )?.verdict;
    expect(verdictWith([])).toBe('violated');
    expect(verdictWith(['**/*.demo.ts'])).toBe('proven');
  });

  it('names the class that is constructed when a subclass of a handler is', () => {
    const report = checkFixture(`
      import type { RawContentHandler } from '@toolwright/sdk';
      class RawPages implements RawContentHandler {}
      class Quiet extends RawPages {}
      export const quiet = new Quiet();
    `);
    expect(report.diagnostics).toMatchObject([
      {
        location: { line: 5 },
        witness: [{ line: 4 }, { line: 5 }],
        message: expect.stringContaining('Quiet'),
      },
    ]);
  });
});
