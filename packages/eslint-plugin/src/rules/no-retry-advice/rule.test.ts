import { testRule } from '../../rule-testing/test-rule.js';
import { cases } from './rule.cases.js';
import { noRetryAdvice } from './rule.js';

testRule(noRetryAdvice, cases);
