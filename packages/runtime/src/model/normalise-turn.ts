import { isStorableName } from '@toolwright/sdk';
import type { ModelFinish, ModelToolCall, ModelTurn } from './model.js';

const FINISHES: readonly unknown[] = ['stop', 'tool_calls', 'length', 'content_filter', 'other'];

/**
 * Makes a turn of whatever a model adapter answered. A field of the wrong type becomes an empty one, so
 * that a malformed call is answered as such and never ends the run.
 */
export function normaliseTurn(answer: unknown): ModelTurn {
  const { content, calls, finish, model, usage } = fieldsOf(answer);
  return {
    content: typeof content === 'string' ? content : '',
    calls: Array.isArray(calls) ? calls.map(normaliseCall) : [],
    finish: FINISHES.includes(finish) ? (finish as ModelFinish) : 'other',
    ...(typeof model === 'string' && isStorableName(model) ? { model } : {}),
    ...usageOf(usage),
  };
}

function normaliseCall(call: unknown): ModelToolCall {
  const { id, name, arguments: input } = fieldsOf(call);
  return {
    id: typeof id === 'string' ? id : '',
    name: typeof name === 'string' ? name : '',
    arguments: typeof input === 'string' ? input : textOf(input),
  };
}

// Some servers send the arguments as an object where the protocol has a text.
function textOf(input: unknown): string {
  try {
    return input === undefined ? '' : JSON.stringify(input);
  } catch {
    return '';
  }
}

function usageOf(usage: unknown): Pick<ModelTurn, 'usage'> {
  const { inputTokens, outputTokens } = fieldsOf(usage);
  return isCount(inputTokens) && isCount(outputTokens) ? { usage: { inputTokens, outputTokens } } : {};
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
