import { errorClass } from '@toolwright/sdk';
import { withinDeadline } from '@toolwright/sdk/call';
import type { StepBody } from '../audit/step.js';
import { classifyFailure, isRetryable } from '../failure/failure-class.js';
import { ModelError, type ModelTurn } from '../model/model.js';
import { normaliseTurn } from '../model/normalise-turn.js';
import { redactOrWithhold } from '../secrets/redactor.js';
import { waitFor } from '../time/time-source.js';
import type { Segment } from './loop-host.js';
import { prepareCalls } from './prepare-calls.js';

/** Longest wait before a model is asked anew, whatever the server or the doubling asks for. */
const MAX_BACKOFF_MS = 60_000;

/** Asks the model for the next turn and parses the arguments of its calls. Rejects with a ModelError. */
export async function askModel(segment: Segment): Promise<StepBody & { readonly kind: 'model' }> {
  const { host, recorder } = segment;
  const turn = await respondWithRetries(segment);
  return {
    kind: 'model',
    round: recorder.state.rounds + 1,
    content: await redactOrWithhold(host.redactor, turn.content),
    calls: await prepareCalls(turn.calls, host, recorder.state.callIds),
    finish: turn.finish,
    model: turn.model ?? null,
    usage: turn.usage ?? null,
  };
}

/** A model that fails is asked anew only where its failure allows it: no tool runs in between. */
async function respondWithRetries(segment: Segment): Promise<ModelTurn> {
  const { host, cancel, journal } = segment;
  const { modelRetries, modelBackoffMs } = host.limits;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await respond(segment);
    } catch (thrown) {
      const error = asModelError(thrown);
      if (attempt >= modelRetries || !isRetryable(error.failureClass) || cancel.aborted) {
        throw error;
      }
      const waitMs = Math.min(error.retryAfterMs ?? modelBackoffMs * 2 ** attempt, MAX_BACKOFF_MS);
      const { runId, correlationId } = journal.run;
      const { failureClass } = error;
      host.logger.warn('The model did not answer and is asked anew.', {
        runId,
        correlationId,
        failureClass,
        attempt: attempt + 1,
        waitMs,
      });
      await waitFor(host.time, waitMs, cancel);
    }
  }
}

async function respond(segment: Segment): Promise<ModelTurn> {
  const { host, recorder, journal, cancel, onText } = segment;
  const controller = new AbortController();
  const settled = await withinDeadline(
    {
      deadlineMs: host.limits.modelTimeoutMs,
      timer: host.time,
      cancel,
      controller,
      grace: () => Promise.resolve(),
    },
    () =>
      host.model.respond({
        messages: [...recorder.state.messages],
        tools: host.registry.offered(),
        correlationId: journal.run.correlationId,
        signal: controller.signal,
        ...(onText === undefined ? {} : { onText }),
      }),
  );
  switch (settled.kind) {
    case 'returned':
      return normaliseTurn(settled.value);
    case 'threw':
      throw asModelError(settled.error);
    case 'unsettled':
      throw new ModelError(
        'connection',
        settled.why === 'deadline'
          ? `The model did not answer within ${host.limits.modelTimeoutMs} ms. Raise limits.modelTimeoutMs, or use a faster model.`
          : 'The run was cancelled while the model was asked.',
      );
  }
}

// What an adapter of the host's own throws may quote a request, so its message stays out.
function asModelError(error: unknown): ModelError {
  return error instanceof ModelError
    ? error
    : new ModelError(classifyFailure(error), `The model adapter failed (${errorClass(error)}).`, {
        cause: error,
      });
}
