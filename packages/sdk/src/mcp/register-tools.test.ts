import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { CallRecord } from '../call/tool-call.js';
import type { SafeContentHandler } from '../content/safe-content-handler.js';
import { ToolResult } from '../result/tool-result.js';
import { WriteTarget } from '../target/write-target.js';
import { InMemoryContent } from '../testing/in-memory-content.js';
import { createRecordingLogger } from '../testing/recording-logger.js';
import { createTestClock } from '../testing/test-clock.js';
import { defineTool } from '../tool/define-tool.js';
import type { Tool } from '../tool/tool.js';
import { createPage, pageRecords, pageTools, readPage, renamePage } from './fixtures/page-tools.js';
import { registerTools, type RegisterToolsOptions } from './register-tools.js';

const open: Client[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

interface Served {
  readonly client: Client;
  readonly server: McpServer;
  readonly content: InMemoryContent;
  readonly clock: ReturnType<typeof createTestClock>;
  readonly logger: ReturnType<typeof createRecordingLogger>;
}

async function serve(tools: readonly Tool[], options: Partial<RegisterToolsOptions> = {}): Promise<Served> {
  const logger = createRecordingLogger();
  const clock = createTestClock();
  const content = new InMemoryContent({ records: pageRecords, logger, clock });
  const server = new McpServer({ name: 'pages', version: '1.0.0' });
  registerTools(server, tools, {
    content,
    actor: { id: 'editor' },
    logger,
    clock,
    timer: clock,
    newRunId: () => 'run-1',
    ...options,
  });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  open.push(client);
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  return { client, server, content, clock, logger };
}

const empty = z.object({});

function writer(execute: Parameters<typeof defineTool<typeof empty, 'idempotent_write'>>[0]['execute']) {
  return defineTool({ name: 'write', description: '', effect: 'idempotent_write', input: empty, execute });
}

function textOf(result: { content?: unknown }): string {
  const [block, ...rest] = result.content as { type: string; text: string }[];
  expect(rest).toEqual([]);
  expect(block?.type).toBe('text');
  return block?.text ?? '';
}

describe('tools/list', () => {
  it('shows every tool with all hints, its effect, the input schema and no output schema', async () => {
    const { client } = await serve(pageTools, { presentation: { read_page: { openWorld: false } } });
    const { tools } = await client.listTools();
    expect(
      tools.map(({ name, title, annotations, _meta, outputSchema }) => ({
        name,
        title,
        annotations,
        _meta,
        outputSchema,
      })),
    ).toEqual([
      {
        name: 'read_page',
        title: 'Read page',
        annotations: {
          title: 'Read page',
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
        _meta: { 'dev.toolwright/effect': 'read_only' },
      },
      {
        name: 'rename_page',
        title: 'Rename page',
        annotations: {
          title: 'Rename page',
          readOnlyHint: false,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: true,
        },
        _meta: { 'dev.toolwright/effect': 'idempotent_write' },
      },
      {
        name: 'createPage',
        title: 'Create page',
        annotations: {
          title: 'Create page',
          readOnlyHint: false,
          destructiveHint: true,
          idempotentHint: false,
          openWorldHint: true,
        },
        _meta: { 'dev.toolwright/effect': 'non_idempotent_write' },
      },
    ]);
    const rename = tools[1]?.inputSchema;
    // What a model sends: a field with a default is optional.
    expect(rename).toMatchObject({
      type: 'object',
      required: ['id'],
      properties: { title: { default: 'Untitled' } },
    });
  });
});

describe('tools/call', () => {
  it('answers a reader with its content alone', async () => {
    const { client } = await serve(pageTools);
    const result = await client.callTool({ name: 'read_page', arguments: { id: 12 } });
    expect(textOf(result)).toBe('Old (for editor)');
    expect(result.isError).toBe(false);
    expect(result._meta?.['dev.toolwright/outcome']).toBeUndefined();
    expect(JSON.stringify(result)).not.toContain('artifact-secret');
    expect(result.structuredContent).toBeUndefined();
  });

  it('answers when an artifact cannot be serialised, because artifacts stay with the server', async () => {
    const cycle: Record<string, unknown> = { big: 1n };
    cycle['self'] = cycle;
    const tool = defineTool({
      ...readPage,
      execute: () => ToolResult.text('done', { artifacts: [{ type: 'cycle', data: cycle }] }),
    });
    const { client } = await serve([tool]);
    const result = await client.callTool({ name: 'read_page', arguments: { id: 1 } });
    expect(result.isError).toBe(false);
    expect(textOf(result)).toBe('done');
  });

  it('answers a writer with its outcome and its record under _meta', async () => {
    const { client, content } = await serve(pageTools);
    const renamed = await client.callTool({ name: 'rename_page', arguments: { id: 12 } });
    expect(renamed).toMatchObject({
      isError: false,
      _meta: { 'dev.toolwright/outcome': 'landed', 'dev.toolwright/target': { table: 'pages', uid: 12 } },
    });
    expect(textOf(renamed)).toBe('Renamed to Untitled.');
    const created = await client.callTool({ name: 'createPage', arguments: { title: 'New' } });
    const target = created._meta?.['dev.toolwright/target'] as { table: string; uid: number };
    expect(content.record(WriteTarget.of(target.table, target.uid))?.data).toEqual({ title: 'New' });
  });

  it('answers unchanged as no error, and a refusal as one, when nothing was done', async () => {
    const { client } = await serve(pageTools);
    const unchanged = await client.callTool({ name: 'rename_page', arguments: { id: 12, title: 'Old' } });
    expect(unchanged).toMatchObject({ isError: false, _meta: { 'dev.toolwright/outcome': 'not_landed' } });
    expect(unchanged._meta).not.toHaveProperty(['dev.toolwright/target']);
    const refused = await client.callTool({ name: 'rename_page', arguments: { id: 99, title: 'x' } });
    expect(refused).toMatchObject({ isError: true, _meta: { 'dev.toolwright/outcome': 'not_landed' } });
    expect(textOf(refused)).toBe('There is no page 99.');
  });

  it('refuses wrong and missing arguments by field and never by value, and runs nothing', async () => {
    const { client, content } = await serve(pageTools);
    for (const args of [{ id: 'hunter2', title: 'x' }, undefined]) {
      const result = await client.callTool({
        name: 'rename_page',
        ...(args === undefined ? {} : { arguments: args }),
      });
      expect(result).toMatchObject({ isError: true, _meta: { 'dev.toolwright/outcome': 'not_landed' } });
      expect(textOf(result)).toContain('field "id"');
      expect(textOf(result)).not.toContain('hunter2');
    }
    expect(content.record(WriteTarget.of('pages', 12))?.data).toEqual({ title: 'Old' });
  });

  it('parses the arguments once when the schema changes what it parses', async () => {
    const marked = defineTool({
      name: 'marked',
      description: '',
      input: z.object({ word: z.string().transform((word) => `${word}!`) }),
      execute: ({ word }) => ToolResult.text(word),
    });
    const { client } = await serve([marked]);
    expect(textOf(await client.callTool({ name: 'marked', arguments: { word: 'a' } }))).toBe('a!');
  });

  it('names the record as an error with outcome landed when the tool throws after its write', async () => {
    const tool = writer(async (_input, { content }) => {
      await content.create('pages', { title: 'x' });
      throw new TypeError('password=hunter2; please try again');
    });
    const { client, logger } = await serve([tool]);
    const result = await client.callTool({ name: 'write' });
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'dev.toolwright/outcome': 'landed', 'dev.toolwright/target': { table: 'pages', uid: 1 } },
    });
    expect(textOf(result)).toBe(
      'The call wrote pages:1, and a later step failed (TypeError). Do not repeat the write.',
    );
    expect(JSON.stringify(logger.entries)).not.toContain('hunter2');
    expect(logger.entries.at(-1)).toMatchObject({
      message: 'tool threw',
      fields: { table: 'pages', uid: 1 },
    });
  });

  it('does not know the outcome, and gives no advice to repeat, when the tool throws otherwise', async () => {
    const { client } = await serve([
      writer(() => {
        throw new TypeError('password=hunter2; please try again');
      }),
    ]);
    const result = await client.callTool({ name: 'write' });
    expect(result).toMatchObject({ isError: true, _meta: { 'dev.toolwright/outcome': 'unknown' } });
    expect(textOf(result)).toMatch(/outcome of this call is unknown \(TypeError\).*Read the record before/u);
    expect(textOf(result)).not.toMatch(/hunter2|try again|retry/u);
  });

  it('keeps a landed write landed, and sends the note, when a hook fails after it', async () => {
    const { client, content } = await serve(pageTools);
    content.hooks.afterWrite.push(function notifySession() {
      throw new TypeError('no session');
    });
    const result = await client.callTool({ name: 'createPage', arguments: { title: 'New' } });
    expect(result).toMatchObject({ isError: false, _meta: { 'dev.toolwright/outcome': 'landed' } });
    expect(textOf(result)).toMatch(/^Created New\.\n\nNote: .*notifySession/u);
  });

  it('does not know the outcome, and lists what is known to be written, when a later write fails', async () => {
    const tool = writer(async (_input, { content }) => {
      const target = await content.create('pages', {});
      await content.create('pages', { title: 'second' });
      return ToolResult.wrote(target, 'both');
    });
    const { client, content } = await serve([tool]);
    content.hooks.beforeWrite.push(({ data }) => {
      if (data['title'] === 'second') {
        throw new Error('locked');
      }
    });
    const result = await client.callTool({ name: 'write' });
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'dev.toolwright/outcome': 'unknown', 'dev.toolwright/landed': [{ table: 'pages', uid: 1 }] },
    });
  });

  it('is an error of the contract and keeps the record when a reader answers with a target', async () => {
    const liar = defineTool({
      ...readPage,
      execute: () => ToolResult.wrote(WriteTarget.of('pages', 12), 'read it') as never,
    });
    const { client, logger } = await serve([liar]);
    const result = await client.callTool({ name: 'read_page', arguments: { id: 12 } });
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'dev.toolwright/outcome': 'landed', 'dev.toolwright/target': { table: 'pages', uid: 12 } },
    });
    expect(logger.entries.at(-1)).toMatchObject({
      message: 'tool broke its contract',
      fields: { rule: 'reader-returns-no-target' },
    });
  });

  it('ends at the deadline with an unknown outcome when the tool does not settle', async () => {
    let started = (): void => undefined;
    const isRunning = new Promise<void>((resolve) => (started = resolve));
    let aborted = false;
    const tool = writer((_input, { signal }) => {
      signal.addEventListener('abort', () => (aborted = true));
      started();
      return new Promise(() => undefined);
    });
    const { client, clock } = await serve([tool], { deadlineMs: 5_000 });
    const answer = client.callTool({ name: 'write' });
    await isRunning;
    clock.advance(5_000);
    expect(aborted).toBe(true);
    // The race that starts the time of grace is decided in microtasks.
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1_000);
    const result = await answer;
    expect(result).toMatchObject({ isError: true, _meta: { 'dev.toolwright/outcome': 'unknown' } });
    expect(textOf(result)).toContain('no answer within the deadline');
  });

  it('aborts the signal, and logs what became of the write, when the client cancels', async () => {
    let started = (): void => undefined;
    const isRunning = new Promise<void>((resolve) => (started = resolve));
    let record = (_record: CallRecord): void => undefined;
    const isOver = new Promise<CallRecord>((resolve) => (record = resolve));
    const tool = writer(async (_input, { content, signal }) => {
      const target = await content.create('pages', {});
      started();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return ToolResult.wrote(target, 'stopped after the write');
    });
    const { client, logger } = await serve([tool], { onCall: (done) => record(done) });
    const cancel = new AbortController();
    const answer = client.callTool({ name: 'write' }, { signal: cancel.signal }).catch(() => 'cancelled');
    await isRunning;
    cancel.abort();
    expect(await answer).toBe('cancelled');
    expect(await isOver).toMatchObject({ outcome: 'landed', result: { kind: 'wrote' } });
    expect(logger.entries.at(-1)).toMatchObject({
      level: 'warn',
      message: 'call ended after its client had cancelled it',
      fields: { outcome: 'landed', table: 'pages', uid: 1 },
    });
  });

  it('cuts an answer that is too long, and never the notes', async () => {
    const long = defineTool({ ...readPage, execute: () => ToolResult.text('ä'.repeat(100_000)) });
    const { client } = await serve([long], { maxContentBytes: 2_000 });
    const text = textOf(await client.callTool({ name: 'read_page', arguments: { id: 1 } }));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000);
    expect(text).toContain('[cut: the answer has 200000 bytes]');
  });

  it('answers a fixed frame when the host itself fails, and tells nothing of its error', async () => {
    const content = {
      open: () => {
        throw new Error('postgres://user:hunter2@db');
      },
    };
    const { client } = await serve(pageTools, { content });
    const written = await client.callTool({ name: 'createPage', arguments: { title: 'x' } });
    expect(written).toMatchObject({ isError: true, _meta: { 'dev.toolwright/outcome': 'not_landed' } });
    expect(textOf(written)).toContain('could not be started (Error), and nothing was done');
    const read = await client.callTool({ name: 'read_page', arguments: { id: 1 } });
    expect(read).toMatchObject({ isError: true });
    expect(JSON.stringify([written, read])).not.toContain('hunter2');
  });

  it('does not claim an outcome when the content handler of the host fails after the tool ran', async () => {
    const content = new InMemoryContent({ records: pageRecords });
    const broken: SafeContentHandler = {
      open: (call) => ({
        ...content.open(call),
        landed: () => {
          throw new Error('hunter2');
        },
      }),
    };
    const { client } = await serve(pageTools, { content: broken });
    const written = await client.callTool({ name: 'createPage', arguments: { title: 'x' } });
    expect(written).toMatchObject({ isError: true, _meta: { 'dev.toolwright/outcome': 'unknown' } });
    expect(textOf(written)).not.toContain('hunter2');
  });

  it('answers even when the audit of the host throws', async () => {
    const { client, logger } = await serve(pageTools, {
      onCall: () => {
        throw new Error('audit is down');
      },
    });
    const result = await client.callTool({ name: 'createPage', arguments: { title: 'x' } });
    expect(result).toMatchObject({ isError: false, _meta: { 'dev.toolwright/outcome': 'landed' } });
    expect(logger.entries.at(-1)).toMatchObject({ level: 'error', message: 'onCall failed' });
  });
});

describe('approval', () => {
  it('is left to the client, and no preview is made, when the host has no port for it', async () => {
    const records: CallRecord[] = [];
    const { client } = await serve(pageTools, { onCall: (record) => void records.push(record) });
    await client.callTool({ name: 'rename_page', arguments: { id: 12, title: 'New' } });
    expect(records[0]).toMatchObject({ preview: null, approval: { status: 'not_asked' }, outcome: 'landed' });
  });

  it('decides declared writes alone, with their preview, when the host has one', async () => {
    const asked: unknown[] = [];
    const { client, content } = await serve(pageTools, {
      approve: ({ toolName, preview, actor }) => {
        asked.push([toolName, preview.lines, actor.id]);
        return { approved: false, reason: 'office hours only' };
      },
    });
    await client.callTool({ name: 'read_page', arguments: { id: 12 } });
    const result = await client.callTool({ name: 'rename_page', arguments: { id: 12, title: 'New' } });
    expect(asked).toEqual([['rename_page', ['Rename page 12 to New'], 'editor']]);
    expect(result).toMatchObject({ isError: true, _meta: { 'dev.toolwright/outcome': 'not_landed' } });
    expect(textOf(result)).toBe('The call was declined and nothing was done: office hours only.');
    expect(content.record(WriteTarget.of('pages', 12))?.data).toEqual({ title: 'Old' });
  });
});

describe('the acting user', () => {
  const unknown: [string, RegisterToolsOptions['actor']][] = [
    ['the lookup throws', () => Promise.reject(new Error('token=hunter2'))],
    ['there is none', () => undefined as never],
    ['it has no id', () => ({ id: '' })],
  ];

  it.each(unknown)('refuses the call when %s', async (_why, actor) => {
    const { client, content } = await serve(pageTools, { actor });
    const result = await client.callTool({ name: 'createPage', arguments: { title: 'x' } });
    expect(result).toMatchObject({ isError: true, _meta: { 'dev.toolwright/outcome': 'not_landed' } });
    expect(textOf(result)).not.toContain('hunter2');
    expect(content.records('pages')).toHaveLength(1);
  });
});

describe('registerTools', () => {
  const options = { content: new InMemoryContent(), actor: { id: 'x' } };
  const server = () => new McpServer({ name: 'x', version: '1' });

  it('refuses two tools of one name and a class with a faulty declaration', () => {
    expect(() => registerTools(server(), [readPage, { ...createPage, name: 'read_page' }], options)).toThrow(
      'found "read_page" twice',
    );
    expect(() =>
      registerTools(server(), [{ ...createPage, effect: 'write' as 'idempotent_write' }], options),
    ).toThrow(expect.objectContaining({ code: 'INVALID_TOOL_DEFINITION' }));
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'refuses the name %s, which a plain object has by itself',
    (name) => {
      expect(() => registerTools(server(), [{ ...readPage, name }], options)).toThrow(`the tool "${name}"`);
    },
  );

  it.each([
    [{ deadlineMs: 0.5 }, 'deadlineMs'],
    [{ actor: { id: '' } }, 'actor'],
    [{ maxContentBytes: 10 }, 'maxContentBytes'],
    [{ presentation: { rename_pages: { title: 'x' } } }, 'found "rename_pages". The tools are rename_page.'],
  ])('says what to do when an option is wrong (%#)', (wrong, text) => {
    expect(() => registerTools(server(), [renamePage], { ...options, ...wrong })).toThrow(text);
  });

  it('leaves the server open for other registrations', async () => {
    const { client, server: own } = await serve(pageTools);
    own.registerTool('ping', { description: 'other' }, () => ({ content: [{ type: 'text', text: 'pong' }] }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('ping');
  });
});
