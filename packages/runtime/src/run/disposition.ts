import { ToolEffect } from '@toolwright/sdk';
import type { FailureDetail, FailureStep } from '../audit/step.js';

/** How often a run is put back into the queue, whatever the causes. */
export const REQUEUE_BUDGET = 3;

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;

/** Why a run is looked at: its owner vanished, or ended it with a failure. */
export type InterruptionCause =
  | { readonly kind: 'lease_expired' }
  | { readonly kind: 'failed'; readonly failure: Pick<FailureStep, 'detail' | 'isRetryable'> };

/** What the store knows of an interrupted run. */
export interface InterruptedRun {
  /** The effect of the write whose fence stands, or null when none does. */
  readonly fencedEffect: ToolEffect | null;
  /** Whether evidence came in that could not be recorded on the run, so that a step of it may be missing. */
  readonly isAuditUncertain: boolean;
  /** Whether a person asked for its end: then no call of it runs again that could find out what an open write did. */
  readonly isCancelRequested: boolean;
  /** How often the run was put back before. */
  readonly requeues: number;
}

/** What becomes of an interrupted run. */
export type Disposition =
  | { readonly kind: 'requeue'; readonly waitMs: number }
  | {
      readonly kind: 'dead_letter';
      readonly reason: 'not_retryable' | 'retries_exhausted';
      readonly detail: FailureDetail;
    };

/**
 * Decides about an interrupted run. A write that may have run and writes anew each time is never run
 * again by itself, whatever the budget; an idempotent one is, unless its audit may be lost or the run is to end.
 */
export function dispose(cause: InterruptionCause, run: InterruptedRun): Disposition {
  const { fencedEffect, isAuditUncertain, isCancelRequested, requeues } = run;
  if (cause.kind === 'failed' && !cause.failure.isRetryable) {
    return { kind: 'dead_letter', reason: 'not_retryable', detail: cause.failure.detail };
  }
  if (isAuditUncertain) {
    return { kind: 'dead_letter', reason: 'not_retryable', detail: 'audit_lost' };
  }
  const isLeftOpen = fencedEffect !== null && isCancelRequested;
  if (fencedEffect === ToolEffect.NON_IDEMPOTENT_WRITE || isLeftOpen) {
    return { kind: 'dead_letter', reason: 'not_retryable', detail: 'write_interrupted' };
  }
  if (requeues >= REQUEUE_BUDGET) {
    const detail = cause.kind === 'failed' ? cause.failure.detail : 'lease_lost';
    return { kind: 'dead_letter', reason: 'retries_exhausted', detail };
  }
  return { kind: 'requeue', waitMs: Math.min(FIRST_WAIT_MS * 2 ** requeues, LONGEST_WAIT_MS) };
}
