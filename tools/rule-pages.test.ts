import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { RULE_IDS, type RuleId } from '../packages/conformance/src/model/verdict.js';
import { checkFixture } from '../packages/conformance/src/testing/check-fixture.js';
import { ROOT } from './workspace.js';

/**
 * The examples of a rule's page are checked by the rule: what stands under "A finding" is one, and what
 * stands under "Instead" is none.
 */

const RULES = 'packages/conformance/src/rules';

// So that there is something to check beside an example that has no tool.
const BESIDE = `
  import { defineTool, ToolResult } from '@toolwright/sdk';
  import * as z from 'zod';
  export const ping = defineTool({
    name: 'ping', description: 'Answers.', input: z.object({}), execute: () => ToolResult.text('pong'),
  });
`;

const examples = RULE_IDS.flatMap((rule) => {
  const text = readFileSync(path.join(ROOT, RULES, rule, 'rule.md'), 'utf8');
  return [
    ...codeUnder('## A finding', text).map((code) => ({ rule, code, verdict: 'violated' as const })),
    ...codeUnder('## Instead', text).map((code) => ({ rule, code, verdict: 'proven' as const })),
  ];
});

describe('the pages of the conformance rules', () => {
  it('are there when a rule is', () => {
    const folders = readdirSync(path.join(ROOT, RULES), { withFileTypes: true });
    expect(folders.filter((entry) => entry.isDirectory()).map(({ name }) => name)).toEqual([...RULE_IDS]);
    expect(new Set(examples.map(({ rule }) => rule)).size).toBeGreaterThan(RULE_IDS.length / 2);
  });

  it.each(examples)('are right when $rule calls an example $verdict', ({ rule, code, verdict }) => {
    const report = checkFixture(
      { 'src/tools.ts': code, 'src/beside.ts': BESIDE },
      { rules: [rule satisfies RuleId] },
    );
    const verdicts = report.verdicts.map((one) => one.verdict);
    const shown = JSON.stringify(report.verdicts, null, 2);
    expect(verdicts.includes('violated'), shown).toBe(verdict === 'violated');
    expect(verdicts, shown).not.toContain('inconclusive');
  });
});

function codeUnder(heading: string, text: string): readonly string[] {
  const section = text.split(/^(?=## )/mu).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^```ts\n(.*?)^```$/gmsu)].map(([, code = '']) => code);
}
