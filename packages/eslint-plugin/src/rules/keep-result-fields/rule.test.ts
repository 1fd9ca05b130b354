import { testRule } from '../../rule-testing/test-rule.js';
import { cases } from './rule.cases.js';
import { keepResultFields } from './rule.js';

testRule(keepResultFields, cases);
