import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ModelError, type ModelRequest } from '../model.js';
import {
  chunk,
  completion,
  json,
  sse,
  startChatServer,
  toolCall,
  type ChatServer,
  type Reply,
} from './fixtures/chat-server.js';
import { openAiModel, type OpenAiModelOptions } from './openai-model.js';

const KEY = 'sk-test-0123456789abcdefghijklmnop';
let server: ChatServer | null = null;

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await server?.close();
  server = null;
});

async function modelWith(replies: readonly Reply[], options: Partial<OpenAiModelOptions> = {}) {
  server = await startChatServer(replies);
  return openAiModel({ model: 'local-1', apiKey: KEY, baseUrl: server.baseUrl, ...options });
}

function request(over: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [{ role: 'user', content: 'hello' }],
    tools: [],
    correlationId: 'corr-1',
    signal: new AbortController().signal,
    ...over,
  };
}

async function failure(promise: Promise<unknown>): Promise<ModelError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ModelError);
  return error as ModelError;
}

function html(page: string): Reply {
  return (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(page);
}

describe('openAiModel', () => {
  it('sends the transcript and the tools in the terms of the protocol', async () => {
    const model = await modelWith([completion({ content: 'hi' })], {
      parameters: { temperature: 0, messages: [] },
    });
    await model.respond(
      request({
        messages: [
          { role: 'system', content: 'be brief' },
          { role: 'user', content: 'rename it' },
          { role: 'assistant', content: '', calls: [{ id: 'c1', name: 'rename', arguments: '{"uid":1}' }] },
          { role: 'tool', callId: 'c1', content: 'renamed' },
        ],
        tools: [{ name: 'rename', description: 'Renames.', inputSchema: { type: 'object', properties: {} } }],
      }),
    );
    const [sent] = server!.requests;
    expect(sent!.path).toBe('/v1/chat/completions');
    expect(sent!.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(sent!.headers['x-client-request-id']).toBe('corr-1');
    expect(sent!.body).toEqual({
      model: 'local-1',
      temperature: 0,
      stream: false,
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'rename it' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'rename', arguments: '{"uid":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'renamed' },
      ],
      tools: [
        {
          type: 'function',
          function: {
            name: 'rename',
            description: 'Renames.',
            parameters: { type: 'object', properties: {} },
          },
        },
      ],
    });
  });

  it('sends no tools and no authorization when there are none', async () => {
    const model = await modelWith([completion({ content: 'hi' })], { apiKey: null });
    await model.respond(request());
    expect(server!.requests[0]!.body).not.toHaveProperty('tools');
    expect(server!.requests[0]!.headers).not.toHaveProperty('authorization');
  });

  it('takes nothing from the environment', async () => {
    vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:9/never');
    vi.stubEnv('OPENAI_ORG_ID', 'org-of-somebody');
    vi.stubEnv('OPENAI_PROJECT_ID', 'project-of-somebody');
    const model = await modelWith([completion({ content: 'hi' })]);
    await expect(model.respond(request())).resolves.toMatchObject({ content: 'hi' });
    expect(JSON.stringify(server!.requests[0]!.headers)).not.toContain('of-somebody');
  });

  it('reads text, calls, usage and the reason to stop', async () => {
    const model = await modelWith([
      completion(
        {
          content: 'one moment',
          tool_calls: [toolCall('a', 'find', { q: 'x' }), toolCall('b', 'find', '{}')],
        },
        'tool_calls',
      ),
    ]);
    await expect(model.respond(request())).resolves.toEqual({
      content: 'one moment',
      calls: [
        { id: 'a', name: 'find', arguments: '{"q":"x"}' },
        { id: 'b', name: 'find', arguments: '{}' },
      ],
      finish: 'tool_calls',
      model: 'local-1',
      usage: { inputTokens: 11, outputTokens: 7 },
    });
  });

  it('reads a refusal as text, and content that comes in parts', async () => {
    const model = await modelWith([
      completion({ refusal: 'I cannot do that.' }),
      completion({
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      }),
    ]);
    await expect(model.respond(request())).resolves.toMatchObject({ content: 'I cannot do that.' });
    await expect(model.respond(request())).resolves.toMatchObject({ content: 'ab' });
  });

  it('keeps malformed calls apart from the answer when a server sends what the protocol does not have', async () => {
    const model = await modelWith([
      completion({
        tool_calls: [
          { id: 'a', function: { name: 'find', arguments: { q: 'object' } } },
          { type: 'function' },
          null,
          { id: 7, function: { name: 9 } },
        ],
      }),
    ]);
    const { calls } = await model.respond(request());
    expect(calls.map(({ name, arguments: input }) => [name, input])).toEqual([
      ['find', '{"q":"object"}'],
      ['', ''],
      ['', ''],
      ['', ''],
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(4);
  });

  it('gives a call a new id when an earlier turn used it, and leaves two equal ids of one turn alone', async () => {
    const model = await modelWith([
      completion({
        tool_calls: [toolCall('0', 'find', {}), toolCall('1', 'find', {}), toolCall('1', 'find', {})],
      }),
    ]);
    const { calls } = await model.respond(
      request({
        messages: [
          { role: 'user', content: 'x' },
          { role: 'assistant', content: '', calls: [{ id: '0', name: 'find', arguments: '{}' }] },
          { role: 'tool', callId: '0', content: 'y' },
        ],
      }),
    );
    expect(calls[0]!.id).not.toBe('0');
    expect(calls.slice(1).map(({ id }) => id)).toEqual(['1', '1']);
  });
});

describe('openAiModel, streaming', () => {
  const stream = { stream: true };

  it('hands on text as it comes and puts the answer together', async () => {
    const model = await modelWith(
      [
        sse([
          chunk({ role: 'assistant', content: '' }),
          chunk({ content: 'Hel' }),
          chunk({ content: 'lo' }),
          chunk({}, 'stop'),
          { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } },
        ]),
      ],
      stream,
    );
    const heard: string[] = [];
    const turn = await model.respond(request({ onText: (delta) => heard.push(delta) }));
    expect(heard).toEqual(['Hel', 'lo']);
    expect(turn).toEqual({
      content: 'Hello',
      calls: [],
      finish: 'stop',
      model: 'local-1',
      usage: { inputTokens: 3, outputTokens: 2 },
    });
    expect(server!.requests[0]!.body).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('assembles interleaved call deltas by their index', async () => {
    const model = await modelWith(
      [
        sse([
          chunk({
            tool_calls: [
              { index: 1, id: 'b', type: 'function', function: { name: 'second', arguments: '{"y"' } },
            ],
          }),
          chunk({
            tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'first', arguments: '' } }],
          }),
          chunk({
            tool_calls: [
              { index: 0, function: { arguments: '{"x":' } },
              { index: 1, function: { arguments: ':2}' } },
            ],
          }),
          chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'first', arguments: '1}' } }] }),
          chunk({}, 'tool_calls'),
        ]),
      ],
      stream,
    );
    const { calls, finish } = await model.respond(request());
    expect(calls).toEqual([
      { id: 'a', name: 'first', arguments: '{"x":1}' },
      { id: 'b', name: 'second', arguments: '{"y":2}' },
    ]);
    expect(finish).toBe('tool_calls');
  });

  it('starts a call with each new id when the server sends no index', async () => {
    const model = await modelWith(
      [
        sse([
          chunk({ tool_calls: [{ id: 'a', function: { name: 'first', arguments: '{' } }] }),
          chunk({ tool_calls: [{ function: { arguments: '}' } }] }),
          chunk({ tool_calls: [{ id: 'b', function: { name: 'second', arguments: '{}' } }] }, 'tool_calls'),
        ]),
      ],
      stream,
    );
    const { calls } = await model.respond(request());
    expect(calls).toEqual([
      { id: 'a', name: 'first', arguments: '{}' },
      { id: 'b', name: 'second', arguments: '{}' },
    ]);
  });

  it.each([
    ['the connection breaks', sse([chunk({ content: 'half' })], 'destroy'), 'connection'],
    ['the stream ends before it says why', sse([chunk({ content: 'half' })], 'close'), 'connection'],
    ['a chunk is no JSON', sse([chunk({ content: 'half' }), '{"choices": [']), 'server_error'],
    [
      'an error comes in the middle',
      sse([chunk({ content: 'x' }), { error: { message: 'overloaded' } }]),
      'server_error',
    ],
    ['a rate limit comes in the middle', sse([{ error: { message: 'slow down', code: 429 } }]), 'rate_limit'],
  ] as const)('fails and answers with nothing when %s', async (_when, reply, failureClass) => {
    const model = await modelWith([reply], stream);
    expect((await failure(model.respond(request()))).failureClass).toBe(failureClass);
    expect(server!.requests).toHaveLength(1);
  });
});

describe('openAiModel, failures', () => {
  const body = (message: string, more: object = {}) => ({ error: { message, type: 'some_type', ...more } });

  it.each([
    [400, body('context too long', { code: 'context_length_exceeded' }), 'client_error'],
    [401, body(`Incorrect API key provided: ${KEY}`), 'auth'],
    [403, body('no'), 'auth'],
    [404, body('no such model'), 'configuration'],
    [408, body('slow'), 'connection'],
    [409, body('conflict'), 'client_error'],
    [422, body('bad'), 'client_error'],
    [429, body('slow down'), 'rate_limit'],
    [429, body('no money', { code: 'insufficient_quota' }), 'configuration'],
    [500, 'oops', 'server_error'],
    [503, body('busy'), 'server_error'],
  ] as const)('classifies HTTP %i and asks only once', async (status, answer, failureClass) => {
    const model = await modelWith([json(answer, status)]);
    const error = await failure(model.respond(request()));
    expect(error.failureClass).toBe(failureClass);
    expect(error.message).toContain(`HTTP ${status}`);
    expect(server!.requests).toHaveLength(1);
  });

  it('takes over the wait that the server asks for', async () => {
    const model = await modelWith([
      json(body('x'), 429, { 'retry-after': '3' }),
      json(body('x'), 429, { 'retry-after-ms': '250' }),
      json(body('x'), 429),
    ]);
    expect((await failure(model.respond(request()))).retryAfterMs).toBe(3000);
    expect((await failure(model.respond(request()))).retryAfterMs).toBe(250);
    expect((await failure(model.respond(request()))).retryAfterMs).toBeNull();
  });

  it('classifies a server that is not there', async () => {
    const model = await modelWith([]);
    await server!.close();
    expect((await failure(model.respond(request()))).failureClass).toBe('connection');
  });

  it.each([
    ['no JSON', json('{"choices": ['), 'server_error'],
    ['no choices', json({ id: 'x' }), 'server_error'],
    ['null', json('null'), 'configuration'],
    ['a web page', html('<html></html>'), 'configuration'],
  ] as const)('fails when the body is %s', async (_what, reply, failureClass) => {
    const model = await modelWith([reply]);
    expect((await failure(model.respond(request()))).failureClass).toBe(failureClass);
  });

  it('ends the request when the signal aborts', async () => {
    const abort = new AbortController();
    const model = await modelWith([() => abort.abort()]);
    expect((await failure(model.respond(request({ signal: abort.signal })))).failureClass).toBe('connection');
  });

  it('never tells or logs the key', async () => {
    vi.stubEnv('OPENAI_LOG', 'debug');
    const printed: unknown[] = [];
    for (const level of ['debug', 'info', 'log', 'warn', 'error'] as const) {
      vi.spyOn(console, level).mockImplementation((...args: unknown[]) => void printed.push(args));
    }
    const model = await modelWith([
      json(body(`Incorrect API key provided: ${KEY}`, { code: KEY, type: `${KEY} is wrong` }), 401),
      sse(['{"broken']),
    ]);
    const error = await failure(model.respond(request()));
    expect(inspect(error, { depth: 9 })).not.toContain(KEY.slice(0, 20));
    expect(JSON.stringify(model)).not.toContain(KEY);
    await failure(model.respond(request()));
    expect(JSON.stringify(printed)).not.toContain(KEY.slice(3, 20));
  });

  it.each([
    [{ model: '' }, 'model'],
    [{ baseUrl: 'not a url' }, 'baseUrl'],
    [{ baseUrl: 'file:///etc/passwd' }, 'baseUrl'],
    [{ apiKey: '' }, 'apiKey'],
  ] as const)('refuses the options %j', (options, named) => {
    expect(() => openAiModel({ model: 'm', apiKey: 'k', ...options })).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIGURATION', message: expect.stringContaining(named) }),
    );
  });
});
