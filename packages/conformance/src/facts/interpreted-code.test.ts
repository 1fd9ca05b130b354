import { describe, expect, it } from 'vitest';
import { readBodyCases, verdictsOfBodies } from '../testing/body-cases.js';

describe.each(['mutation', 'implicit-calls', 'identity', 'common-code'])('the code of a tool: %s', (name) => {
  const cases = readBodyCases(new URL(`fixtures/${name}.md`, import.meta.url));
  const verdicts = verdictsOfBodies(cases);

  it.each(cases.map((one, index) => ({ ...one, found: verdicts[index] })))(
    'is $verdict when $title',
    ({ verdict, found }) => {
      expect(found).toBe(verdict);
    },
  );
});
