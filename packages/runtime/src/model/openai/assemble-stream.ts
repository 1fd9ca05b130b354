import type { ModelToolCall, ModelTurn } from '../model.js';
import { ModelError } from '../model.js';
import { fieldsOf, malformed, textOf, toFinish, toUsage } from './openai-wire.js';

interface PartialCall {
  id: string;
  name: string;
  arguments: string;
}

/** Most characters of one answer, text and arguments together; a server that never stops is cut off. */
const MAX_ANSWER_LENGTH = 10_000_000;

/**
 * Puts the deltas of a stream together. A stream that ends without saying why it finished was cut off,
 * and is a failure: half an answer is none.
 */
export async function assembleStream(
  chunks: AsyncIterable<unknown>,
  onText: ((delta: string) => void) | undefined,
): Promise<ModelTurn> {
  const calls = new CallAssembly();
  let content = '';
  let refusal = '';
  let finish: unknown = null;
  let model: unknown;
  let usage: unknown;
  let length = 0;
  for await (const chunk of chunks) {
    const fields = fieldsOf(chunk);
    model ??= fields['model'];
    usage = fields['usage'] ?? usage;
    const { choices } = fields;
    const choice = fieldsOf(Array.isArray(choices) ? (choices[0] as unknown) : undefined);
    const delta = fieldsOf(choice['delta']);
    finish = choice['finish_reason'] ?? finish;
    const text = textOf(delta['content']);
    content += text;
    refusal += textOf(delta['refusal']);
    length += text.length + calls.add(delta['tool_calls']);
    if (length > MAX_ANSWER_LENGTH) {
      throw malformed(`more than ${String(MAX_ANSWER_LENGTH)} characters`);
    }
    if (text !== '') {
      onText?.(text);
    }
  }
  if (finish === null) {
    throw new ModelError(
      'connection',
      'The stream of the model server ended before the answer was complete.',
    );
  }
  return {
    content: content === '' ? refusal : content,
    calls: calls.done(),
    finish: toFinish(finish),
    ...(typeof model === 'string' ? { model } : {}),
    ...toUsage(usage),
  };
}

/** Tool calls by their index; a server that sends no index starts a new call with each new id. */
class CallAssembly {
  readonly #calls = new Map<number, PartialCall>();

  /** @returns how many characters were added. */
  add(deltas: unknown): number {
    if (!Array.isArray(deltas)) {
      return 0;
    }
    return deltas.map((delta) => this.#addOne(fieldsOf(delta))).reduce((sum, added) => sum + added, 0);
  }

  done(): readonly ModelToolCall[] {
    return [...this.#calls.entries()].sort(([a], [b]) => a - b).map(([, call]) => ({ ...call }));
  }

  #addOne(delta: Readonly<Record<string, unknown>>): number {
    const call = this.#callFor(delta);
    const { name, arguments: input } = fieldsOf(delta['function']);
    const text = typeof input === 'object' && input !== null ? JSON.stringify(input) : textOf(input);
    // An id and a name come whole; some servers repeat them in every delta.
    call.id ||= textOf(delta['id']);
    call.name ||= textOf(name);
    call.arguments += text;
    return text.length;
  }

  #callFor({ index, id }: Readonly<Record<string, unknown>>): PartialCall {
    const place = typeof index === 'number' ? index : this.#placeFor(id);
    const known = this.#calls.get(place);
    if (known !== undefined) {
      return known;
    }
    const call = { id: '', name: '', arguments: '' };
    this.#calls.set(place, call);
    return call;
  }

  #placeFor(id: unknown): number {
    const last = this.#calls.size - 1;
    const isNew = typeof id === 'string' && id !== '' && this.#calls.get(last)?.id !== id;
    return isNew || last < 0 ? last + 1 : last;
  }
}
