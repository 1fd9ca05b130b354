import type { PauseReason, StoredTarget, WriteOutcome } from '../audit/step.js';
import type { FailureStep } from '../audit/step.js';
import type { RuntimeError } from '../errors.js';
import type { ModelFinish } from '../model/model.js';
import type { ToolEffect } from '@toolwright/sdk';

/** One declared write of the run and what is known about it. */
export interface WriteReport {
  readonly callId: string;
  readonly tool: string;
  readonly outcome: WriteOutcome;
  readonly target: StoredTarget | null;
}

/** A call that waits for a person: enough to ask for its card and to decide about it, and nothing more. */
export interface Pause {
  readonly runId: string;
  readonly callId: string;
  readonly tool: string;
  readonly effect: ToolEffect;
  readonly reasons: readonly PauseReason[];
  /** Binds a decision to exactly the call and the preview of this pause. */
  readonly digest: string;
  /** ISO 8601, or null when the pause does not expire. */
  readonly expiresAt: string | null;
}

interface RunResultBase {
  readonly runId: string;
  readonly correlationId: string;
  /** Every declared write that ran, in order. */
  readonly writes: readonly WriteReport[];
}

export interface CompletedRun extends RunResultBase {
  readonly status: 'completed';
  readonly answer: string;
  readonly finish: ModelFinish;
}

export interface PausedRun extends RunResultBase {
  readonly status: 'paused';
  /** The calls that wait for a decision. Decide about each one, then resume the run. */
  readonly pauses: readonly Pause[];
}

export interface FailedRun extends RunResultBase {
  readonly status: 'failed';
  readonly failure: Pick<FailureStep, 'detail' | 'failureClass' | 'isRetryable' | 'message' | 'callId'>;
  readonly error: RuntimeError;
}

export interface CancelledRun extends RunResultBase {
  readonly status: 'cancelled';
}

/** Another owner has the run now; what became of it is in the store. */
export interface LostRun extends RunResultBase {
  readonly status: 'lost';
}

/** What one hold on a run came to. Narrows on `status`. */
export type RunResult = CompletedRun | PausedRun | FailedRun | CancelledRun | LostRun;
