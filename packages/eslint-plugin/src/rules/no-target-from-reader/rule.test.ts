import { testRule } from '../../rule-testing/test-rule.js';
import { cases } from './rule.cases.js';
import { noTargetFromReader } from './rule.js';

testRule(noTargetFromReader, cases);
