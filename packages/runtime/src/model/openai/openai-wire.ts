import type OpenAI from 'openai';
import {
  ModelError,
  type ModelFinish,
  type ModelMessage,
  type ModelRequest,
  type ModelToolCall,
  type ModelTurn,
} from '../model.js';

type Body = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'stream'>;
type Fields = Readonly<Record<string, unknown>>;

/** The request in the protocol's terms. Parameters of the host's own never replace messages or tools. */
export function toRequestBody(model: string, request: ModelRequest, parameters: Fields): Body {
  const tools = request.tools.map((tool) => ({
    type: 'function' as const,
    function: { name: tool.name, description: tool.description, parameters: { ...tool.inputSchema } },
  }));
  return {
    ...parameters,
    model,
    messages: request.messages.map(toWireMessage),
    // A server refuses an empty list.
    ...(tools.length === 0 ? {} : { tools }),
  };
}

function toWireMessage(message: ModelMessage): OpenAI.ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.content };
    case 'assistant':
      return message.calls.length === 0
        ? { role: 'assistant', content: message.content }
        : {
            role: 'assistant',
            content: message.content === '' ? null : message.content,
            tool_calls: message.calls.map((call) => ({
              id: call.id,
              type: 'function',
              function: { name: call.name, arguments: call.arguments },
            })),
          };
  }
}

/** Reads a completion. Every field is foreign: the types of the client say what a server should send. */
export function fromCompletion(completion: unknown): ModelTurn {
  if (typeof completion !== 'object' || completion === null) {
    throw new ModelError(
      'configuration',
      'The model server answered with something that is no JSON object. Check that baseUrl points at its API.',
    );
  }
  const { choices, model, usage } = completion as Fields;
  const choice = fieldsOf(Array.isArray(choices) ? (choices[0] as unknown) : undefined);
  const message = fieldsOf(choice['message']);
  if (choice['message'] === undefined) {
    throw malformed('a completion without a message');
  }
  const content = textOf(message['content']);
  return {
    content: content === '' ? textOf(message['refusal']) : content,
    calls: Array.isArray(message['tool_calls']) ? message['tool_calls'].map(toToolCall) : [],
    finish: toFinish(choice['finish_reason']),
    ...(typeof model === 'string' ? { model } : {}),
    ...toUsage(usage),
  };
}

export function malformed(what: string): ModelError {
  return new ModelError('server_error', `The model server answered with ${what}.`);
}

/** Text, or the text parts of a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') {
    return content;
  }
  return Array.isArray(content) ? content.map((part) => textOf(fieldsOf(part)['text'])).join('') : '';
}

export function toToolCall(call: unknown): ModelToolCall {
  const { id, function: named, custom } = fieldsOf(call);
  const { name, arguments: input } = fieldsOf(named);
  const free = fieldsOf(custom);
  const rawInput = input ?? free['input'];
  return {
    id: typeof id === 'string' ? id : '',
    name: textOf(name ?? free['name']),
    // Some servers send the arguments as an object where the protocol has a text.
    arguments:
      typeof rawInput === 'object' && rawInput !== null ? JSON.stringify(rawInput) : textOf(rawInput),
  };
}

export function toFinish(reason: unknown): ModelFinish {
  switch (reason) {
    case 'stop':
    case 'length':
    case 'content_filter':
    case 'tool_calls':
      return reason;
    case 'function_call':
      return 'tool_calls';
    default:
      return 'other';
  }
}

export function toUsage(usage: unknown): Pick<ModelTurn, 'usage'> {
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = fieldsOf(usage);
  return typeof inputTokens === 'number' && typeof outputTokens === 'number'
    ? { usage: { inputTokens, outputTokens } }
    : {};
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/**
 * Makes the ids of a turn differ from those of earlier turns: servers count from zero in each answer, or
 * send none at all. Two equal ids within one answer are left alone, because which call they mean is not
 * known.
 */
export function withFreshIds(turn: ModelTurn, messages: readonly ModelMessage[]): ModelTurn {
  const used = new Set(
    messages.flatMap((message) => (message.role === 'assistant' ? message.calls : [])).map(({ id }) => id),
  );
  const inTurn = new Set(turn.calls.map(({ id }) => id));
  const calls = turn.calls.map((call) => {
    if (call.id !== '' && !used.has(call.id)) {
      return call;
    }
    let number = used.size + 1;
    const stem = call.id === '' ? 'call' : call.id;
    while (used.has(`${stem}_${String(number)}`) || inTurn.has(`${stem}_${String(number)}`)) {
      number += 1;
    }
    const id = `${stem}_${String(number)}`;
    if (call.id === '') {
      inTurn.add(id);
    }
    return { ...call, id };
  });
  return { ...turn, calls };
}
