import { describe, expect, it } from 'vitest';
import { rules } from './generated/rules.js';

// What users have in their configurations and their tests: options, defaults and the wording of findings.
describe('what users rely on', () => {
  it.each(Object.keys(rules) as (keyof typeof rules)[])('stays as it was when %s changes', async (id) => {
    const { schema, messages, defaultOptions, type, hasSuggestions } = rules[id].meta;
    const frozen = JSON.stringify({ type, hasSuggestions, schema, defaultOptions, messages }, null, 2);
    await expect(`${frozen}\n`).toMatchFileSnapshot(`./rules/${id}/frozen.snap`);
  });
});
