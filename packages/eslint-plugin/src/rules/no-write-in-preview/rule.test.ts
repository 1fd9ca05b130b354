import { testRule } from '../../rule-testing/test-rule.js';
import { cases } from './rule.cases.js';
import { noWriteInPreview } from './rule.js';

testRule(noWriteInPreview, cases);
