import { RULE_IDS } from '../generated/rule-ids.js';
import type { SourceLocation, WitnessStep } from './location.js';

export type Verdict = 'proven' | 'violated' | 'inconclusive' | 'not_applicable';

/**
 * What a verdict rests on: `proven` follows from source or a catalogue entry, `by-name` from the
 * verbs of a client that is known only by its declarations.
 */
export type Confidence = 'proven' | 'by-name';

export { RULE_IDS };

export type RuleId = (typeof RULE_IDS)[number];

/** One rule's answer: for a tool, for a rebuild site (`location` set), or for the project (both null). */
export interface RuleVerdict {
  readonly rule: RuleId;
  readonly toolId: string | null;
  readonly location: SourceLocation | null;
  readonly verdict: Verdict;
  readonly confidence: Confidence;
  /** Why, in one sentence; never empty unless the verdict is `proven`. */
  readonly reason: string;
}

/** A finding: a violation, or a place that kept a verdict from being reached. */
export interface Diagnostic {
  readonly rule: RuleId;
  readonly verdict: 'violated' | 'inconclusive';
  readonly message: string;
  readonly toolId: string | null;
  readonly location: SourceLocation;
  readonly confidence: Confidence;
  /** From the tool's `execute` to the fault, or from the field read to the place that forgot it. */
  readonly witness: readonly WitnessStep[];
}

/** What a rule answers. */
export interface RuleResult {
  readonly verdicts: readonly RuleVerdict[];
  readonly diagnostics: readonly Diagnostic[];
}
