import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { describe, expect, it } from 'vitest';
import { InMemoryContent } from '../testing/in-memory-content.js';
import { pageRecords, pageTools } from './fixtures/page-tools.js';
import {
  createToolHandler,
  createToolServer,
  toolServerFactory,
  type ToolServerOptions,
} from './tool-server.js';

const STDIO_SERVER = fileURLToPath(new URL('fixtures/stdio-server.ts', import.meta.url));
const COMMAND = {
  command: process.execPath,
  args: ['--import', 'tsx', STDIO_SERVER],
  cwd: fileURLToPath(new URL('.', import.meta.url)),
};

// The two revisions of the protocol that clients in the field speak.
const ERAS = [
  ['2025, with its handshake', 'legacy'],
  ['2026, with an envelope per request', { pin: '2026-07-28' }],
] as const;

function options(more: Partial<ToolServerOptions> = {}): ToolServerOptions {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  return {
    name: 'pages',
    version: '1.0.0',
    instructions: 'Read a page before you rename it.',
    tools: pageTools,
    content: new InMemoryContent({ records: pageRecords, logger }),
    actor: { id: 'editor' },
    logger,
    ...more,
  };
}

async function renameThrough(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name, _meta }) => [name, _meta?.['dev.toolwright/effect']])).toEqual([
    ['read_page', 'read_only'],
    ['rename_page', 'idempotent_write'],
    ['createPage', 'non_idempotent_write'],
  ]);
  const renamed = await client.callTool({ name: 'rename_page', arguments: { id: 12, title: 'New' } });
  expect(renamed).toMatchObject({
    content: [{ type: 'text', text: 'Renamed to New.' }],
    isError: false,
    _meta: { 'dev.toolwright/outcome': 'landed', 'dev.toolwright/target': { table: 'pages', uid: 12 } },
  });
  const read = await client.callTool({ name: 'read_page', arguments: { id: 12 } });
  expect(read.content).toMatchObject([{ text: expect.stringMatching(/^New /u) }]);
}

function newClient(mode: (typeof ERAS)[number][1]): Client {
  return new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
}

describe('a tool server', () => {
  it.each(ERAS)('serves a client of %s over a transport in memory', async (_era, mode) => {
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    const handle = serveStdio(toolServerFactory(options()), { transport: serverSide });
    const client = newClient(mode);
    await client.connect(clientSide);
    expect(client.getInstructions()).toBe('Read a page before you rename it.');
    await renameThrough(client);
    await client.close();
    await handle.close();
  });

  it.each(ERAS)('serves a client of %s over standard input and output', async (_era, mode) => {
    const client = newClient(mode);
    const transport = new StdioClientTransport({ ...COMMAND, stderr: 'pipe' });
    await client.connect(transport);
    await renameThrough(client);
    await client.close();
  });

  it.each(ERAS)(
    'serves a client of %s over HTTP in process, with the actor of its token',
    async (_era, mode) => {
      const handler = createToolHandler(
        options({ actor: ({ authInfo }) => ({ id: authInfo?.clientId ?? 'nobody' }) }),
      );
      const authInfo = { token: 't', clientId: 'anna', scopes: [] };
      const client = newClient(mode);
      await client.connect(
        new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
          fetch: (url, init) => handler.fetch(new Request(url, init), { authInfo }),
        }),
      );
      await renameThrough(client);
      const read = await client.callTool({ name: 'read_page', arguments: { id: 12 } });
      expect(read.content).toMatchObject([{ text: 'New (for anna)' }]);
      await client.close();
      await handler.close();
    },
  );

  it('answers an empty list when it has no tool', async () => {
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    const client = newClient('legacy');
    await Promise.all([
      createToolServer(options({ tools: [] })).connect(serverSide),
      client.connect(clientSide),
    ]);
    expect((await client.listTools()).tools).toEqual([]);
    await client.close();
  });

  it('finds faulty options when it is set up and not at the first connection', () => {
    expect(() => toolServerFactory(options({ deadlineMs: -1 }))).toThrow('deadlineMs');
    expect(() => createToolHandler(options({ presentation: { nothing: {} } }))).toThrow('presentation');
  });
});

describe('the raw protocol over standard input and output', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'serves a client that opens with revision %s, as SDKs of the first generation do',
    async (protocolVersion) => {
      const child = spawn(COMMAND.command, COMMAND.args, { cwd: COMMAND.cwd });
      const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
      const ask = jsonRpc(child);
      const opened = await ask('initialize', {
        protocolVersion,
        capabilities: {},
        clientInfo: { name: 'old', version: '0.9.0' },
      });
      expect(opened).toMatchObject({
        protocolVersion,
        serverInfo: { name: 'pages' },
        capabilities: { tools: {} },
      });
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
      expect(await ask('tools/call', { name: 'createPage', arguments: { title: 'New' } })).toMatchObject({
        content: [{ type: 'text', text: 'Created New.' }],
        isError: false,
        _meta: { 'dev.toolwright/outcome': 'landed', 'dev.toolwright/target': { table: 'pages', uid: 1 } },
      });
      child.stdin.end();
      expect(await exited).toBe(0);
    },
  );
});

/** Sends requests one at a time. Every line on standard output must be a message of the protocol. */
function jsonRpc(child: ChildProcessWithoutNullStreams) {
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  return async (method: string, params: unknown): Promise<unknown> => {
    id += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const { value } = await lines.next();
    const message = JSON.parse(String(value)) as { id: number; result: unknown };
    expect(message.id).toBe(id);
    return message.result;
  };
}
