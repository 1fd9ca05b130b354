import * as parser from '@typescript-eslint/parser';
import { RuleTester } from '@typescript-eslint/rule-tester';
import { afterAll, describe, it } from 'vitest';
import { runRuleCases, type RuleCases } from './rule-cases.js';

/** Runs a rule's cases under the ESLint that this package develops with. */
export function testRule(rule: object, cases: RuleCases): void {
  runRuleCases(rule, cases, { RuleTester, parser, afterAll, describe, it });
}
