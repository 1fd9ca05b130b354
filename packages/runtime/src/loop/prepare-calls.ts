import { errorClass, isStorableName, parseArguments, type ParsedArguments, type Tool } from '@toolwright/sdk';
import { withinDeadline } from '@toolwright/sdk/call';
import type { CallRefusal, PreparedCall } from '../audit/prepared-call.js';
import { RuntimeError } from '../errors.js';
import { canonicalJson, digestOf } from '../json/canonical-json.js';
import type { ModelToolCall } from '../model/model.js';
import { NOTHING_DONE } from './answer-text.js';
import { redactJsonText } from '../secrets/redact-json.js';
import type { LoopHost } from './loop-host.js';
import type { RegisteredTool } from './tool-registry.js';

/** Most of a refused call's raw arguments that the trace keeps, in characters. */
const MAX_REFUSED_ARGUMENTS = 2_000;
const MAX_NAME_LENGTH = 200;
const MAX_ID_LENGTH = 200;

const NO_ABORT = new AbortController().signal;

type PrepareHost = Pick<LoopHost, 'registry' | 'limits' | 'time' | 'redactor'>;

/** What is known about a call before its arguments are looked at. */
interface CallPlace {
  readonly call: ModelToolCall;
  readonly callId: string;
  /** From 0, within the turn. */
  readonly index: number;
  readonly isDuplicate: boolean;
  readonly registered: RegisteredTool | undefined;
}

/**
 * Parses the arguments of every call of a turn, once. What comes back is what is stored, previewed,
 * approved and executed; a call that cannot run carries its refusal instead.
 *
 * @param usedIds every call id of the run before this turn.
 */
export async function prepareCalls(
  calls: readonly ModelToolCall[],
  host: PrepareHost,
  usedIds: ReadonlySet<string>,
): Promise<readonly PreparedCall[]> {
  const used = new Set(usedIds);
  const reserved = new Set([...usedIds, ...calls.map(({ id }) => id)]);
  const prepared: PreparedCall[] = [];
  for (const [index, call] of calls.entries()) {
    const isDuplicate = used.has(call.id);
    const isUsable = !isDuplicate && isNamed(call.id);
    const callId = isUsable ? call.id : freshId(call.id, reserved);
    used.add(call.id).add(callId);
    reserved.add(callId);
    const registered = host.registry.get(call.name);
    prepared.push(await prepareCall({ call, callId, index, isDuplicate, registered }, host));
  }
  return prepared;
}

/** A store finds a call by its id, so it has to keep what the model made up as it is. */
function isNamed(id: string): boolean {
  return id !== '' && id.length <= MAX_ID_LENGTH && isStorableName(id);
}

function freshId(id: string, reserved: ReadonlySet<string>): string {
  const start = id.slice(0, MAX_ID_LENGTH);
  const stem = isNamed(start) ? start : 'call';
  let number = 2;
  while (reserved.has(`${stem}_${String(number)}`)) {
    number += 1;
  }
  return `${stem}_${String(number)}`;
}

async function prepareCall(place: CallPlace, host: PrepareHost): Promise<PreparedCall> {
  const { call, registered } = place;
  const refusal = refusalOf(place, host);
  if (refusal !== null || registered === undefined) {
    return refused(place, host, refusal ?? notOffered());
  }
  let raw: unknown;
  try {
    // A tool without parameters is called with no text at all by some servers.
    raw = call.arguments.trim() === '' ? {} : JSON.parse(call.arguments);
  } catch {
    return refused(place, host, {
      reason: 'arguments_not_json',
      answer: `${NOTHING_DONE}: its arguments are not valid JSON.`,
    });
  }
  const parsed = await parseOnce(registered.tool, raw, host);
  if (!parsed.ok) {
    return refused(place, host, parsed.refusal);
  }
  return {
    callId: place.callId,
    tool: registered.tool.name,
    effect: registered.effect,
    toolVersion: registered.version,
    rawArguments: call.arguments.trim() === '' ? '{}' : await redactJsonText(host.redactor, call.arguments),
    arguments: parsed.text,
    argumentsDigest: digestOf(parsed.text),
    refusal: null,
  };
}

/** Why a call cannot run whatever its arguments are, or null. */
function refusalOf(place: CallPlace, { limits }: PrepareHost): CallRefusal | null {
  const { call, index, isDuplicate, registered } = place;
  if (isDuplicate) {
    return {
      reason: 'duplicate_call_id',
      answer: `${NOTHING_DONE}: its id was used for an earlier call of this conversation, and every call needs one of its own.`,
    };
  }
  if (index >= limits.maxCallsPerTurn) {
    return {
      reason: 'too_many_calls',
      answer: `${NOTHING_DONE}: at most ${String(limits.maxCallsPerTurn)} calls are accepted in one answer.`,
    };
  }
  if (call.name === '') {
    return { reason: 'malformed_call', answer: `${NOTHING_DONE}: it names no tool.` };
  }
  if (registered === undefined) {
    return notOffered();
  }
  const bytes = Buffer.byteLength(call.arguments, 'utf8');
  if (bytes > limits.maxArgumentBytes) {
    return {
      reason: 'arguments_too_large',
      answer: `${NOTHING_DONE}: its arguments have ${String(bytes)} bytes, and at most ${String(limits.maxArgumentBytes)} are accepted.`,
    };
  }
  return null;
}

function notOffered(): CallRefusal {
  return {
    reason: 'not_offered',
    answer: `${NOTHING_DONE}: there is no such tool. Use only the tools that are offered.`,
  };
}

async function refused(
  { call, callId, registered }: CallPlace,
  host: PrepareHost,
  refusal: CallRefusal,
): Promise<PreparedCall> {
  // Checked beyond the cut, so that the cut leaves no half of a secret that nothing recognises.
  const raw = await redactJsonText(host.redactor, call.arguments.slice(0, 2 * MAX_REFUSED_ARGUMENTS));
  return {
    callId,
    tool: call.name.slice(0, MAX_NAME_LENGTH),
    effect: host.registry.effectFor(call.name),
    toolVersion: registered?.version ?? '',
    rawArguments: raw.slice(0, MAX_REFUSED_ARGUMENTS),
    arguments: null,
    argumentsDigest: '',
    refusal,
  };
}

type ParsedText =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly refusal: CallRefusal };

/** The parsed arguments as canonical JSON. A schema is foreign code: it may throw, hang or make what JSON lacks. */
async function parseOnce(tool: Tool, raw: unknown, { time, limits }: PrepareHost): Promise<ParsedText> {
  const settled = await withinDeadline<ParsedArguments>(
    {
      deadlineMs: limits.callTimeoutMs,
      timer: time,
      cancel: NO_ABORT,
      controller: new AbortController(),
      grace: () => Promise.resolve(),
    },
    () => parseArguments(tool, raw),
  );
  if (settled.kind !== 'returned') {
    const why = settled.kind === 'threw' ? causeClass(settled.error) : 'no answer within the deadline';
    return fail('schema_failed', `${NOTHING_DONE}: the tool's schema failed (${why}).`);
  }
  if (!settled.value.ok) {
    return fail('arguments_refused', settled.value.refusal);
  }
  try {
    return { ok: true, text: canonicalJson(settled.value.input) };
  } catch (error) {
    const why = error instanceof RuntimeError ? error.message : errorClass(error);
    return fail(
      'arguments_not_storable',
      `${NOTHING_DONE}: the tool's schema made something of the arguments that cannot be stored. ${why}`,
    );
  }
}

function fail(reason: CallRefusal['reason'], answer: string): ParsedText {
  return { ok: false, refusal: { reason, answer } };
}

function causeClass(error: unknown): string {
  return errorClass(error instanceof Error ? (error.cause ?? error) : error);
}
