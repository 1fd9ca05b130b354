import type { LandedWrite, ToolResult } from '@toolwright/sdk';
import type { CallEnding, WriteOutcome } from '../audit/step.js';

/** A broken contract, with the answer that broke it, bounded; null when it was no result. */
export interface CallBreach {
  readonly rule: string;
  readonly found: string;
  readonly answer: ToolResult | null;
}

/** A call that ran, judged and put into words. */
export interface CallReport {
  /** What the model is told, bounded, before notes. */
  readonly result: ToolResult;
  /** Null for a read that kept its word. */
  readonly outcome: WriteOutcome | null;
  readonly ending: CallEnding;
  readonly errorClass: string | null;
  readonly landed: readonly LandedWrite[];
  /** Every note of the content handler, oldest first. */
  readonly notes: readonly string[];
  /** How the tool broke its contract; the run fails with it. */
  readonly breach: CallBreach | null;
  /** ISO 8601. */
  readonly startedAt: string;
}
