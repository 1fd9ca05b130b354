import { isStorableName, type Actor } from '@toolwright/sdk';
import type { RunRecord } from '../audit/run-journal.js';
import { RuntimeError } from '../errors.js';
import type { ModelMessage } from '../model/model.js';

const MAX_ID_LENGTH = 255;

/** What a run is asked to do, and for whom. */
export interface RunRequest {
  /** On whose behalf every call of the run acts. */
  readonly actor: Actor;
  /** What the model is asked, as the last message. */
  readonly prompt: string;
  /** What the model is told about its task, before everything else. */
  readonly system?: string;
  /** An earlier conversation. Calls in it are text to the model; none of them is run. */
  readonly history?: readonly ModelMessage[];
  /** At most 255 characters. Default: a new id. */
  readonly runId?: string;
  /** Names the run in the host's own records too, at most 255 characters; default: the run's id. */
  readonly correlationId?: string;
}

export function toMessages(request: RunRequest): readonly ModelMessage[] {
  const { prompt, system, history = [] } = request;
  if (typeof prompt !== 'string' || prompt.trim() === '') {
    throw invalid('prompt', 'a text', typeof prompt === 'string' ? 'an empty one' : typeof prompt);
  }
  return [
    ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
    ...history,
    { role: 'user', content: prompt },
  ];
}

export function toRunRecord(request: RunRequest, newId: () => string, createdAt: string): RunRecord {
  const actorId: unknown = (request.actor as Partial<Actor> | undefined)?.id;
  if (typeof actorId !== 'string' || actorId === '') {
    throw invalid('actor', 'an object with a non-empty id', 'something else');
  }
  assertStorable('actor.id', actorId);
  const runId = request.runId ?? newId();
  const correlationId = request.correlationId ?? runId;
  assertId('runId', runId);
  assertId('correlationId', correlationId);
  return { runId, correlationId, actor: { id: actorId }, createdAt };
}

/** Runs are found by both, and a database does not look for a text of any length. */
function assertId(field: string, id: unknown): void {
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID_LENGTH) {
    const found = typeof id === 'string' ? `one of ${String(id.length)}` : typeof id;
    throw invalid(field, `a text of 1 to ${String(MAX_ID_LENGTH)} characters`, found);
  }
  assertStorable(field, id);
}

function assertStorable(field: string, name: string): void {
  if (!isStorableName(name)) {
    throw invalid(field, 'free of control characters and of halves of surrogate pairs', 'at least one');
  }
}

function invalid(field: string, expected: string, found: string): RuntimeError {
  return new RuntimeError(
    'INVALID_CONFIGURATION',
    `Cannot start a run: expected ${field} to be ${expected}, found ${found}.`,
  );
}
