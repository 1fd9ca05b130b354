import { readdirSync } from 'node:fs';
import toolwright from '@toolwright/eslint-plugin';
import * as parser from '@typescript-eslint/parser';
import { RuleTester } from '@typescript-eslint/rule-tester';
import { Linter } from 'eslint';
import { afterAll, describe, expect, it } from 'vitest';
import {
  runRuleCases,
  type CaseRunner,
  type RuleCases,
} from '../../packages/eslint-plugin/src/rule-testing/rule-cases.js';

const RULES = new URL('../../packages/eslint-plugin/src/rules/', import.meta.url);

const ids = readdirSync(RULES);

describe('the tested ESLint', () => {
  it('is major 9 when this package resolves it', () => {
    expect(Linter.version).toMatch(/^9\./u);
  });

  it('has a case file for each rule of the plugin when the folders are read', () => {
    expect(ids).toEqual(Object.keys(toolwright.rules ?? {}));
  });

  it('knows the presets by name when a configuration extends them', () => {
    const messages = new Linter({ configType: 'flat' }).verify(
      `import { defineTool, ToolResult } from '@toolwright/sdk';
export const tool = defineTool({ effect: process.env.EFFECT, execute: () => ToolResult.text('x') });`,
      [{ ...toolwright.configs.recommended, languageOptions: { parser } }],
    );
    expect(messages.map(({ ruleId }) => ruleId)).toEqual(['@toolwright/no-configurable-effect']);
  });
});

for (const id of ids) {
  const { cases } = (await import(new URL(`${id}/rule.cases.ts`, RULES).href)) as { cases: RuleCases };
  const rule = toolwright.rules?.[id];
  if (rule === undefined) {
    throw new Error(`The plugin has no rule "${id}". Run \`pnpm generate\`.`);
  }
  runRuleCases(rule, cases, {
    // The class of another ESLint has a type of its own, though it is the same code.
    RuleTester: RuleTester as unknown as CaseRunner['RuleTester'],
    parser,
    afterAll,
    describe,
    it,
  });
}
