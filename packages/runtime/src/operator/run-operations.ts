import type { ToolEffect } from '@toolwright/sdk';
import type { LateEvidence, RunRecord } from '../audit/run-journal.js';
import type { FailureDetail, StoredTarget } from '../audit/step.js';
import type { RunStatus } from '../run/lifecycle.js';

/** Why nothing retries a run. */
export interface DeadLetter {
  readonly reason: 'not_retryable' | 'retries_exhausted';
  readonly detail: FailureDetail | null;
}

/** A run as its row tells it, without anything that was said in it: no key is needed. Times are ISO 8601. */
export interface RunSummary extends RunRecord {
  readonly status: RunStatus;
  readonly updatedAt: string;
  /** When a queued run may start; null for another. */
  readonly dueAt: string | null;
  readonly leaseExpiresAt: string | null;
  /** How often it was put back by itself. */
  readonly requeues: number;
  readonly steps: number;
  readonly isCancelRequested: boolean;
  /** Null unless it is one. */
  readonly deadLetter: DeadLetter | null;
  /** What a failed run failed with. */
  readonly failure: FailureDetail | null;
  /** The write whose fence stands: nobody knows whether it wrote. */
  readonly openWrite: {
    readonly callId: string;
    readonly tool: string;
    readonly effect: ToolEffect;
  } | null;
  /** Whether evidence came in that could not be recorded on the run. */
  readonly hasLateEvidence: boolean;
}

export interface RunFilter {
  readonly status?: RunStatus;
  /** Only dead letters. */
  readonly isDeadLetter?: boolean;
  /** The newest change first. 1 to 1000. */
  readonly limit: number;
}

/** What a person found out about a write whose outcome was unknown. */
export interface WriteResolution {
  /** Which call; may be left out where only one is without a known outcome. */
  readonly callId?: string;
  readonly outcome:
    { readonly kind: 'landed'; readonly target: StoredTarget } | { readonly kind: 'not_landed' };
  /** The id of the person who looked. */
  readonly by: string;
  readonly reason: string | null;
}

export interface RequeueOptions {
  /** Somebody has read the late evidence of the run: a write of it may have happened and stand in no step. */
  readonly isEvidenceRead?: boolean;
}

/** What an operator does with stored runs. */
export interface RunOperations {
  list(filter: RunFilter): Promise<readonly RunSummary[]>;
  find(runId: string): Promise<RunSummary | null>;
  /** What came to light too late to change the run, oldest first. Kept even of a run that was purged. */
  lateEvidence(runId: string): Promise<readonly LateEvidence[]>;
  /**
   * Puts a failed run back into the queue, with a budget of its own. It goes on from its stored steps.
   *
   * @throws RuntimeError with code `RUN_NOT_FOUND`, `RUN_NOT_REQUEUABLE`, `WRITE_UNRESOLVED` while the outcome of a
   *   write is unknown, or `EVIDENCE_UNREAD`.
   */
  requeue(runId: string, options?: RequeueOptions): Promise<void>;
  /**
   * Records what a person found out about a write, in the run's trace. An open write's fence goes with it, so that
   * the run can be put back; the call never runs again.
   *
   * @throws RuntimeError with code `RUN_NOT_FOUND`, `RUN_NOT_RESOLVABLE`, or `WRONG_KEY`.
   * @returns the call that was resolved.
   */
  resolve(runId: string, resolution: WriteResolution): Promise<{ readonly callId: string }>;
  /**
   * Deletes runs that ended before that time, with their steps. Late evidence and outcomes stay, and so does a run
   * with an open write.
   *
   * @returns how many.
   */
  purge(before: Date): Promise<number>;
  /**
   * Seals anew what is not sealed with the first key, or stands in the clear though there are keys.
   *
   * @throws RuntimeError with code `INVALID_CONFIGURATION` when the store has no key, and `WRONG_KEY` when a step cannot be
   *   opened; what was sealed anew by then stays so.
   * @returns how many steps.
   */
  rotateKeys(): Promise<number>;
}
