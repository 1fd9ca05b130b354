import { describe, expect, it } from 'vitest';
import { readBodyCases, verdictsOfReaders } from '../../testing/body-cases.js';

describe.each([
  'definitions',
  'kept-code',
  'texts',
  'implicit-calls',
  'ordinary-readers',
  'clients-of-strangers',
  'handed-on-code',
])('a reader: %s', (name) => {
  const cases = readBodyCases(new URL(`fixtures/${name}.md`, import.meta.url));
  const verdicts = verdictsOfReaders(cases);

  it.each(cases.map((one, index) => ({ ...one, found: verdicts[index] })))(
    'is $verdict when $title',
    ({ verdict, found }) => {
      expect(found).toBe(verdict);
    },
  );
});

describe('a reader beside code that replaces globals', () => {
  const cases = readBodyCases(new URL('fixtures/patches.md', import.meta.url));

  // Each in a project of its own: what one replaces, all have.
  it.each(cases)('is $verdict when $title', (one) => {
    expect(verdictsOfReaders([one])).toEqual([one.verdict]);
  });
});
