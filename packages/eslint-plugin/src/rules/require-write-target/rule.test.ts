import { testRule } from '../../rule-testing/test-rule.js';
import { cases } from './rule.cases.js';
import { requireWriteTarget } from './rule.js';

testRule(requireWriteTarget, cases);
