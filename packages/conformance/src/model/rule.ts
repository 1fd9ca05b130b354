import type { FactBase } from './fact-base.js';
import type { RuleId, RuleResult } from './verdict.js';

/** A rule reads facts and answers verdicts. It never sees a compiler node. */
export interface Rule {
  readonly id: RuleId;
  /** What is proven, in one line. */
  readonly summary: string;
  check(facts: FactBase): RuleResult;
}
