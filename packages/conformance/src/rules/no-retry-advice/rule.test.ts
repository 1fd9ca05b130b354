import { describe, it } from 'vitest';
import { expectCase } from '../../testing/expect-case.js';
import { readFixtureCases } from '../../testing/fixture-cases.js';

const cases = readFixtureCases(new URL('./fixtures/', import.meta.url));

describe('no-retry-advice', () => {
  it.each(cases.map((one) => [one.verdict, one.title, one] as const))(
    'is %s when %s',
    (_verdict, _title, one) => {
      expectCase('no-retry-advice', one);
    },
  );
});
