import { testRule } from '../../rule-testing/test-rule.js';
import { cases } from './rule.cases.js';
import { noConfigurableEffect } from './rule.js';

testRule(noConfigurableEffect, cases);
