import { describe, expect, it } from 'vitest';
import { discoverIn, foundIn, readAdapterCases } from '../../testing/adapter-cases.js';
import { MCP_ADAPTER } from './adapter.js';

describe('the mcp adapter', () => {
  for (const one of readAdapterCases(new URL('./fixtures/', import.meta.url))) {
    it(`finds each tool with its hints and its code when ${one.title}`, () => {
      expect(foundIn(MCP_ADAPTER, one)).toEqual(one.expected);
    });
  }
});

const SERVER = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
const server = new McpServer({ name: 'notes', version: '1.0.0' });
`;

describe('a list of tools', () => {
  it('has those that it was made with when it is made of itself', () => {
    const tools = discoverIn(MCP_ADAPTER, {
      'src/server.ts': `${SERVER}
const read = { name: 'read', handler: async () => ({ content: [] }) };
const save = { name: 'save', handler: async () => ({ content: [] }) };
let tools = [read];
if (process.env.WRITES) {
  tools = [...tools, save];
}
for (const tool of tools) {
  server.registerTool(tool.name, {}, tool.handler);
}`,
    });
    expect(tools.map(({ name }) => name.value).sort()).toEqual(['read', 'save']);
  });
});

describe('what a tool’s code is called with', () => {
  it('is the model’s input, then a context, when a server calls it', () => {
    const [tool] = discoverIn(MCP_ADAPTER, {
      'src/server.ts': `${SERVER}server.registerTool('save', { description: 'Saves.' }, async (args, extra) => ({ content: [] }));`,
    });
    expect(tool?.arguments).toEqual([{ kind: 'input' }, { kind: 'context' }]);
  });

  it('is the request with the tool’s name when one handler serves all tools', () => {
    const [tool] = discoverIn(MCP_ADAPTER, {
      'src/server.ts': `import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
const server = new Server({ name: 'notes', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({
  tools: [{ name: 'save', description: 'Saves.', inputSchema: { type: 'object' } }],
}));
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  const { name, arguments: args } = request.params;
  switch (name) {
    case 'save': {
      const text = String(args);
      return { content: [{ type: 'text', text }] };
    }
  }
  throw new Error(name);
});`,
    });
    expect(tool?.arguments?.[0]).toEqual({
      kind: 'object',
      members: {
        params: {
          kind: 'object',
          members: { name: { kind: 'constant', value: 'save' }, arguments: { kind: 'input' } },
        },
      },
    });
  });

  it('is what the dispatching code hands on when a provider comes first', () => {
    const [tool] = discoverIn(MCP_ADAPTER, {
      'src/server.ts': `${SERVER}
const tools = [{ name: 'save', description: 'Saves.', schema: {}, run: async (client: Client, input: object) => client.save(input) }];
for (const tool of tools) {
  server.tool(tool.name, tool.description, tool.schema, async (args) => tool.run(client, args));
}`,
    });
    expect(tool?.arguments).toEqual([{ kind: 'context' }, { kind: 'input' }]);
  });
});

describe('the effect of a tool', () => {
  it('says which hints it is mapped from', () => {
    const tools = discoverIn(MCP_ADAPTER, {
      'src/server.ts': `${SERVER}
server.registerTool('find', { annotations: { readOnlyHint: true } }, async () => ({ content: [] }));
server.registerTool('save', { annotations: { idempotentHint: true } }, async () => ({ content: [] }));
server.registerTool('other', { annotations: { title: 'Other' } }, async () => ({ content: [] }));`,
    });
    expect(tools.map(({ effect: { hint } }) => hint)).toEqual([
      'readOnlyHint: true',
      'idempotentHint: true, no readOnlyHint, which in MCP means false',
      null,
    ]);
  });
});
