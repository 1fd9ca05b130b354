import { RuntimeError } from '../errors.js';
import type { ModelStep } from '../audit/step.js';
import { ModelError } from '../model/model.js';
import { answerTurn } from './answer-turn.js';
import { askModel } from './ask-model.js';
import { endAtBoundary, endUnstored, failRun, type LoopEnd } from './loop-end.js';
import type { Segment } from './loop-host.js';

/**
 * Drives a run from where its steps stand until it completes, pauses, fails, is cancelled or is lost.
 * The one execution path: a fresh run, a resume and a requeue differ only in the steps they start from.
 */
export async function runLoop(segment: Segment): Promise<LoopEnd> {
  const { state } = segment.recorder;
  for (;;) {
    const end =
      (await endAtBoundary(segment)) ??
      (state.openCalls.length > 0 ? await answerTurn(segment) : await nextRound(segment));
    if (end !== null) {
      return end;
    }
  }
}

async function nextRound(segment: Segment): Promise<LoopEnd | null> {
  const { recorder, host } = segment;
  const { maxRounds } = host.limits;
  if (recorder.state.answer !== null) {
    // Said already, and not settled when the run was interrupted.
    const isSettled = await recorder.recordStep([], 'completed');
    return isSettled ? { kind: 'completed' } : endUnstored(segment, "the run's end");
  }
  if (recorder.state.rounds >= maxRounds) {
    const error = new RuntimeError(
      'ROUNDS_EXHAUSTED',
      `The model was asked ${String(maxRounds)} times and still made calls. ` +
        'Give it a smaller task, or raise limits.maxRounds.',
    );
    return failRun(segment, 'rounds_exhausted', error);
  }
  const step = await nextStep(segment);
  if (step instanceof ModelError) {
    return (await endAtBoundary(segment)) ?? failRun(segment, 'model_failed', step);
  }
  if (segment.journal.lost.aborted) {
    return { kind: 'lost' };
  }
  const isFinal = step.calls.length === 0;
  const isStored = await recorder.recordStep([step], isFinal ? 'completed' : undefined);
  if (!isFinal) {
    return null;
  }
  return isStored ? { kind: 'completed' } : endUnstored(segment, "the model's answer");
}

async function nextStep(segment: Segment): Promise<ModelStep | ModelError> {
  try {
    return await askModel(segment);
  } catch (error) {
    if (error instanceof ModelError) {
      return error;
    }
    throw error;
  }
}
