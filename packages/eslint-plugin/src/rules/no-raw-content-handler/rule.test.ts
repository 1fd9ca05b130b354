import { testRule } from '../../rule-testing/test-rule.js';
import { cases } from './rule.cases.js';
import { noRawContentHandler } from './rule.js';

testRule(noRawContentHandler, cases);
