import { errorClass, parseArguments, type ToolEffect } from '@toolwright/sdk';
import type { CallRefusal, PreparedCall } from '../audit/prepared-call.js';
import { RuntimeError } from '../errors.js';
import { canonicalJson, digestOf } from '../json/canonical-json.js';
import type { ModelToolCall } from '../model/model.js';
import { NOTHING_DONE } from './answer-text.js';
import type { LoopLimits } from './loop-host.js';
import type { RegisteredTool, ToolRegistry } from './tool-registry.js';

/** Most of a refused call's raw arguments that the trace keeps, in characters. */
const MAX_REFUSED_ARGUMENTS = 2_000;
const MAX_NAME_LENGTH = 200;

/**
 * Parses the arguments of every call of a turn, once. What comes back is what is stored, previewed,
 * approved and executed; a call that cannot run carries its refusal instead.
 *
 * @param usedIds every call id of the run before this turn; the ids of this turn are added.
 */
export async function prepareCalls(
  calls: readonly ModelToolCall[],
  registry: ToolRegistry,
  usedIds: ReadonlySet<string>,
  limits: Pick<LoopLimits, 'maxArgumentBytes' | 'maxCallsPerTurn'>,
): Promise<readonly PreparedCall[]> {
  const ids = new Set(usedIds);
  const prepared: PreparedCall[] = [];
  for (const [index, call] of calls.entries()) {
    const isDuplicate = ids.has(call.id);
    const callId = call.id === '' || isDuplicate ? freshId(call.id, ids) : call.id;
    ids.add(callId);
    prepared.push(await prepareCall(call, { callId, index, isDuplicate }, registry, limits));
  }
  return prepared;
}

function freshId(id: string, ids: ReadonlySet<string>): string {
  const stem = id === '' ? 'call' : id;
  let number = 2;
  while (ids.has(`${stem}_${String(number)}`)) {
    number += 1;
  }
  return `${stem}_${String(number)}`;
}

async function prepareCall(
  call: ModelToolCall,
  place: { readonly callId: string; readonly index: number; readonly isDuplicate: boolean },
  registry: ToolRegistry,
  limits: Pick<LoopLimits, 'maxArgumentBytes' | 'maxCallsPerTurn'>,
): Promise<PreparedCall> {
  const { callId } = place;
  const { maxArgumentBytes, maxCallsPerTurn } = limits;
  const name = call.name.slice(0, MAX_NAME_LENGTH);
  const registered = registry.get(call.name);
  const effect = registry.effectFor(call.name);
  const refuse = (reason: CallRefusal['reason'], why: string): PreparedCall => ({
    callId,
    tool: name,
    effect,
    toolVersion: registered?.version ?? '',
    rawArguments: call.arguments.slice(0, MAX_REFUSED_ARGUMENTS),
    arguments: null,
    argumentsDigest: '',
    refusal: { reason, answer: why },
  });
  if (place.isDuplicate) {
    return refuse(
      'duplicate_call_id',
      `${NOTHING_DONE}: its id was used for an earlier call of this conversation, and every call needs one of its own.`,
    );
  }
  if (place.index >= maxCallsPerTurn) {
    return refuse(
      'too_many_calls',
      `${NOTHING_DONE}: at most ${String(maxCallsPerTurn)} calls are accepted in one answer.`,
    );
  }
  if (call.name === '') {
    return refuse('malformed_call', `${NOTHING_DONE}: it names no tool.`);
  }
  if (registered === undefined) {
    return refuse(
      'not_offered',
      `${NOTHING_DONE}: there is no such tool. Use only the tools that are offered.`,
    );
  }
  const bytes = Buffer.byteLength(call.arguments, 'utf8');
  if (bytes > maxArgumentBytes) {
    return refuse(
      'arguments_too_large',
      `${NOTHING_DONE}: its arguments have ${String(bytes)} bytes, and at most ${String(maxArgumentBytes)} are accepted.`,
    );
  }
  return parseCall(call, callId, registered, effect, refuse);
}

async function parseCall(
  call: ModelToolCall,
  callId: string,
  registered: RegisteredTool,
  effect: ToolEffect,
  refuse: (reason: CallRefusal['reason'], why: string) => PreparedCall,
): Promise<PreparedCall> {
  const { tool, version } = registered;
  let raw: unknown;
  try {
    // A tool without parameters is called with no text at all by some servers.
    raw = call.arguments.trim() === '' ? {} : JSON.parse(call.arguments);
  } catch {
    return refuse('arguments_not_json', `${NOTHING_DONE}: its arguments are not valid JSON.`);
  }
  try {
    const parsed = await parseArguments(tool, raw);
    if (!parsed.ok) {
      return refuse('arguments_refused', parsed.refusal);
    }
    const text = canonicalJson(parsed.input);
    return {
      callId,
      tool: tool.name,
      effect,
      toolVersion: version,
      rawArguments: call.arguments.trim() === '' ? '{}' : call.arguments,
      arguments: text,
      argumentsDigest: digestOf(text),
      refusal: null,
    };
  } catch (error) {
    if (error instanceof RuntimeError && error.code === 'NOT_JSON') {
      return refuse(
        'arguments_not_storable',
        `${NOTHING_DONE}: the tool's schema made something of the arguments that cannot be stored. ${error.message}`,
      );
    }
    return refuse('schema_failed', `${NOTHING_DONE}: the tool's schema failed (${errorClass(error)}).`);
  }
}
