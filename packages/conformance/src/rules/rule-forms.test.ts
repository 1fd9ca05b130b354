import { describe, expect, it } from 'vitest';
import type { RuleId } from '../model/verdict.js';
import { readFormCases, verdictsOfForms } from '../testing/form-cases.js';

const RULES: readonly RuleId[] = [
  'effect-is-constant',
  'effect-matches-code',
  'idempotent-write-converges',
  'late-failure-names-the-write',
  'no-retry-advice',
  'nothing-claimed-after-a-write',
  'preview-never-writes',
  'reader-returns-no-target',
  'writer-returns-target',
];

describe.each(RULES)('%s', (rule) => {
  const forms = readFormCases(new URL(`${rule}/fixtures/forms/`, import.meta.url));
  const verdicts = verdictsOfForms(rule, forms);

  it.each(forms.map((form, index) => ({ ...form, found: verdicts[index] })))(
    'is $verdict when $title',
    ({ verdict, found }) => {
      expect(found).toBe(verdict);
    },
  );
});
