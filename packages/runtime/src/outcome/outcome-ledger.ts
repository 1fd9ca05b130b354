import type { StoredTarget } from '../audit/step.js';
import type { DecidedReason, ObservedValue, UnknownReason } from './observed-outcome.js';

/** A person's word on what a call gave. */
export type Rating = 'helpful' | 'not_helpful';

/** A record that a call is known to have written, as it waits for its outcome. It outlives its run. */
export interface LandedTarget {
  /** Made of run, call and record: the same for the same ones. */
  readonly id: string;
  readonly runId: string;
  readonly correlationId: string;
  readonly callId: string;
  readonly tool: string;
  /** The model that asked for the call, as it named itself; null where it did not. */
  readonly model: string | null;
  readonly target: StoredTarget;
  /** The content system's history mark, see ContentHistory.mark; null without one. */
  readonly mark: string | null;
  /** ISO 8601. */
  readonly landedAt: string;
}

/** What was observed of a target, and by which entries of the history. No person is on it. */
export type ObservedOutcome = {
  readonly entries: readonly string[];
  /** ISO 8601. */
  readonly derivedAt: string;
} & (
  | { readonly value: ObservedValue; readonly reason: DecidedReason }
  | { readonly value: 'unknown'; readonly reason: UnknownReason }
);

/** Narrows which landed targets are looked at or counted. */
export interface OutcomeFilter {
  readonly tool?: string;
  /** Landed at this time or later. */
  readonly from?: Date;
  /** Landed before this time. */
  readonly to?: Date;
}

/** Which targets a derivation looks at. */
export interface OpenFilter extends OutcomeFilter {
  /** Those too that are unknown for good, as far as is known. */
  readonly again?: boolean;
}

/** Where a walk over the targets stands: the last one it has seen. */
export type TargetCursor = Pick<LandedTarget, 'landedAt' | 'id'>;

export interface ObservedCount {
  readonly tool: string;
  readonly model: string | null;
  /** Null for targets without a row: nothing is decided yet. */
  readonly value: ObservedOutcome['value'] | null;
  readonly reason: ObservedOutcome['reason'] | null;
  readonly count: number;
}

export interface RatingCount {
  readonly tool: string;
  readonly model: string | null;
  /** Null for calls that nobody rated. */
  readonly value: Rating | null;
  readonly count: number;
}

/** Names one call: by its run, or by what the host's own records call it. */
export type CallKey = { readonly callId: string } & (
  { readonly runId: string } | { readonly correlationId: string }
);

/** A target with what was observed of it; null while it is undecided. */
export interface TargetOutcome extends Omit<LandedTarget, 'mark'> {
  readonly observed: ObservedOutcome | null;
  /** Of the call: two targets of one call share it. */
  readonly rating: Rating | null;
}

/** What is known of a target by now; `observed` null for one that is undecided. */
export interface Finding {
  readonly target: LandedTarget;
  readonly observed: ObservedOutcome | null;
}

/**
 * Where landed write targets and their outcomes are kept, beside the runs and longer than them. The store puts a target
 * in with the step, or the late evidence, that names it; nothing takes one out.
 *
 * Every method rejects with a RuntimeError of code `STORE_UNAVAILABLE` when the store does not answer.
 */
export interface OutcomeLedger {
  /** Targets that may still get an outcome, the first to land first, at most so many. */
  open(filter: OpenFilter, after: TargetCursor | null, limit: number): Promise<readonly LandedTarget[]>;
  /**
   * Keeps what was found. A decided outcome stays as it is whatever comes later; an unknown one gives way to a decided
   * one, to another reason, and to nothing, and is open again where that may change. The same findings twice change nothing.
   */
  keep(findings: readonly Finding[]): Promise<void>;
  /** The targets of a call, the first to land first; of all its runs when the key names several. */
  ofCall(key: CallKey): Promise<readonly TargetOutcome[]>;
  /** Whether a run of that name is stored, and whether a call of that id has run in it. */
  hasRun(key: CallKey): Promise<{ readonly run: boolean; readonly call: boolean }>;
  /** Keeps the rating of a call in place of an earlier one. */
  rate(runId: string, callId: string, rating: Rating, at: Date): Promise<void>;
  /** How many targets have which outcome, per tool and model. */
  countObserved(filter: OutcomeFilter): Promise<readonly ObservedCount[]>;
  /** How many calls with a landed target have which rating, per tool and model. */
  countRatings(filter: OutcomeFilter): Promise<readonly RatingCount[]>;
}
