import type { PreparedCall } from '../../audit/prepared-call.js';
import type { Step } from '../../audit/step.js';
import type { ModelMessage } from '../../model/model.js';

const SEALED = '(sealed)';

/**
 * A step without anything that a person, a model or a tool said: what stays readable beside its sealed copy. Which
 * call, which tool, how it ended and which record it wrote are kept, so that a run whose key is gone can still be
 * judged. Null for a step that has no content.
 */
export function contentFree(step: Step): Step | null {
  switch (step.kind) {
    case 'request':
      return { ...step, messages: step.messages.map(contentFreeMessage) };
    case 'model':
      return { ...step, content: SEALED, calls: step.calls.map(contentFreeCall) };
    case 'tool': {
      const { result, breach } = step;
      return {
        ...step,
        result: { ...result, content: SEALED, artifacts: [] },
        breach: breach === null ? null : { ...breach, answer: null },
      };
    }
    case 'note':
      return { ...step, text: SEALED };
    case 'denied':
      return { ...step, answer: SEALED };
    case 'approval':
      if (step.phase === 'requested') {
        return { ...step, preview: { lines: [SEALED], isCut: false } };
      }
      return step.phase === 'waived' || step.reason === null ? null : { ...step, reason: SEALED };
    case 'resolution':
      return step.reason === null ? null : { ...step, reason: SEALED };
    case 'write_target':
    case 'failure':
      return null;
  }
}

function contentFreeMessage(message: ModelMessage): ModelMessage {
  return message.role === 'assistant'
    ? { ...message, content: SEALED, calls: [] }
    : { ...message, content: SEALED };
}

function contentFreeCall(call: PreparedCall): PreparedCall {
  const { refusal } = call;
  return {
    ...call,
    rawArguments: SEALED,
    arguments: call.arguments === null ? null : SEALED,
    refusal: refusal === null ? null : { ...refusal, answer: SEALED },
  };
}
