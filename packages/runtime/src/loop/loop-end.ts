import type { FailureDetail, FailureStep, StepBody } from '../audit/step.js';
import { RuntimeError } from '../errors.js';
import { classifyFailure, isRetryable } from '../failure/failure-class.js';
import type { Segment } from './loop-host.js';

/** How one hold on a run ended. */
export type LoopEnd =
  | { readonly kind: 'completed' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly failure: FailureStep; readonly error: RuntimeError }
  | { readonly kind: 'lost' };

export const LOST: LoopEnd = { kind: 'lost' };

/** Makes the failure that a run ends with; its error's class decides whether it may be retried. */
export function failureStep(
  detail: FailureDetail,
  error: RuntimeError,
  callId: string | null = null,
): FailureStep {
  const failureClass = classifyFailure(error);
  return {
    kind: 'failure',
    detail,
    failureClass,
    isRetryable: isRetryable(failureClass),
    message: error.message,
    callId,
  };
}

/** Records the failure, together with the steps that led to it, and ends the run with it. */
export async function failRun(
  segment: Segment,
  detail: FailureDetail,
  error: RuntimeError,
  options: { readonly callId?: string; readonly unit?: readonly StepBody[] } = {},
): Promise<LoopEnd> {
  const failure = failureStep(detail, error, options.callId ?? null);
  if (segment.journal.lost.aborted) {
    return LOST;
  }
  const isStored = await segment.recorder.recordStep([...(options.unit ?? []), failure], 'failed');
  return !isStored && isLost(segment) ? LOST : { kind: 'failed', failure, error };
}

/**
 * Fails a run whose end could not be stored: what nobody finds in the store has not happened. The run goes on
 * from its stored steps, so an answer that was stored after all is settled then.
 */
export function endUnstored(segment: Segment, what: string): Promise<LoopEnd> {
  return failRun(segment, 'store_unavailable', storeUnavailable(what));
}

/** The store could not take what the run needs to be stored before it may go on. Nothing was written. */
export function storeUnavailable(what: string): RuntimeError {
  return new StoreUnavailableError(
    'STORE_UNAVAILABLE',
    `The run stopped because ${what} could not be stored, and no call ran after that. ` +
      'Look for the cause in the log of the store; the run can continue from its stored steps.',
  );
}

class StoreUnavailableError extends RuntimeError {
  readonly failureClass = 'connection';
}

/** Ends the run at a step boundary when somebody cancelled it, or somebody else took it. */
export async function endAtBoundary(segment: Segment): Promise<LoopEnd | null> {
  const { journal, recorder, cancel } = segment;
  if (journal.lost.aborted) {
    return LOST;
  }
  if (cancel.aborted || (await isCancelRequested(segment))) {
    const error = new RuntimeError('RUN_CANCELLED', 'The run was cancelled between two of its steps.');
    const isStored = await recorder.recordStep([failureStep('cancelled', error)], 'cancelled');
    return isStored ? { kind: 'cancelled' } : endUnstored(segment, 'the cancellation');
  }
  return null;
}

/** Asked anew after every wait; a plain read of the signal would be narrowed away by the compiler. */
export function isLost({ journal }: Segment): boolean {
  return journal.lost.aborted;
}

async function isCancelRequested({ journal, host }: Segment): Promise<boolean> {
  try {
    return await journal.isCancelRequested();
  } catch {
    host.logger.error('The journal threw when it was asked whether the run was cancelled.');
    return false;
  }
}
