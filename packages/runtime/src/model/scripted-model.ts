import type { Model, ModelMessage, ModelRequest, ModelTurn } from './model.js';
import { ModelError } from './model.js';

/** One line of a script: what the model says, calls or throws at this turn. */
export type ScriptedTurn =
  | string
  | { readonly say?: string; readonly call: ScriptedCall | readonly ScriptedCall[] }
  | { readonly fail: Error }
  | ((request: ModelRequest) => Exclude<ScriptedTurn, (...args: never[]) => unknown>);

export interface ScriptedCall {
  readonly tool: string;
  /** A value that becomes JSON text, or the raw text itself. */
  readonly arguments?: Readonly<Record<string, unknown>> | string;
  /** Default: `call_1`, `call_2`, … in the order of the script. */
  readonly id?: string;
}

/** A model that follows a script, for tests and demonstrations; it keeps the requests that it was sent. */
export interface ScriptedModel extends Model {
  readonly requests: readonly ModelRequest[];
}

/**
 * Makes a model that answers with the given turns, one per request. A string ends the run with that
 * answer. A request beyond the script rejects with a ModelError of class `configuration`.
 *
 * @param by what tells which turn it is. `requests`, the default: how many this model has had. `transcript`: how often
 *   the model has answered since the run was asked for, so that any number of runs follow the script, each from its
 *   beginning, and another process goes on with a run; a turn that fails fails each time it is tried.
 */
export function scriptedModel(
  turns: readonly ScriptedTurn[],
  { by = 'requests' }: { readonly by?: 'requests' | 'transcript' } = {},
): ScriptedModel {
  const requests: ModelRequest[] = [];
  let calls = 0;
  const respond = (request: ModelRequest): ModelTurn => {
    let turnNo = requests.length;
    if (by === 'transcript') {
      const answered = answersIn(request);
      turnNo = answered.length;
      calls = answered.reduce((count, message) => count + message.calls.length, 0);
    }
    const scripted = turns[turnNo];
    requests.push(request);
    if (scripted === undefined) {
      throw new ModelError(
        'configuration',
        `The script has ${String(turns.length)} turn(s), and the model was asked for turn ${String(turnNo + 1)}. ` +
          'Add the missing turn; a string ends the run.',
      );
    }
    const turn = typeof scripted === 'function' ? scripted(request) : scripted;
    if (typeof turn === 'string') {
      return { content: turn, calls: [], finish: 'stop' };
    }
    if ('fail' in turn) {
      throw turn.fail;
    }
    const list = Array.isArray(turn.call)
      ? (turn.call as readonly ScriptedCall[])
      : [turn.call as ScriptedCall];
    return {
      content: turn.say ?? '',
      finish: 'tool_calls',
      calls: list.map((call) => {
        calls += 1;
        const { arguments: input = {} } = call;
        return {
          id: call.id ?? `call_${String(calls)}`,
          name: call.tool,
          arguments: typeof input === 'string' ? input : JSON.stringify(input),
        };
      }),
    };
  };
  return {
    requests,
    respond: (request) =>
      new Promise((resolve) => {
        resolve(respond(request));
      }),
  };
}

/** The turns of the model since it was asked, oldest first. What it was shown as history is before that. */
function answersIn({ messages }: ModelRequest): readonly Extract<ModelMessage, { role: 'assistant' }>[] {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(asked + 1).filter((message) => message.role === 'assistant');
}
