import type { RuleCases } from '../../rule-testing/rule-cases.js';
import { syntactic } from './syntactic.cases.js';
import { typed } from './typed.cases.js';

export const cases: RuleCases = { rule: 'keep-result-fields', syntactic, typed };
