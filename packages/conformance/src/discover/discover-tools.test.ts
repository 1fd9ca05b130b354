import { expect, it } from 'vitest';
import { MCP_ADAPTER } from '../adapters/mcp/adapter.js';
import { TOOLWRIGHT_ADAPTER } from '../adapters/toolwright/adapter.js';
import { loadProjects } from '../load/load-projects.js';
import { SourceFileCache } from '../load/source-file-cache.js';
import { withFixture } from '../testing/check-fixture.js';
import { ToolDiscovery } from './discover-tools.js';

const TOOLS = `import { defineTool } from '@toolwright/sdk';
import { serveToolsOverStdio } from '@toolwright/sdk/mcp';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';

export const readPage = (id: number) =>
  defineTool({
    name: 'read_page',
    description: 'Reads a page.',
    input: z.object({ id: z.number() }),
    async execute() {
      return null as never;
    },
  });

const server = new McpServer({ name: 'notes', version: '1.0.0' });
server.registerTool('save', { description: 'Saves.' }, async () => ({ content: [] }));
`;

it('a tool is found once when a second framework knows the object by its shape', () => {
  const found = withFixture({ 'src/tools.ts': TOOLS }, (cwd) => {
    const { projects } = loadProjects({
      cwd,
      paths: [],
      configs: [],
      testFileGlobs: [],
      cache: new SourceFileCache(),
    });
    const discovery = new ToolDiscovery([MCP_ADAPTER, TOOLWRIGHT_ADAPTER]);
    return [...projects].flatMap((project) => discovery.discover(project));
  });
  expect(found.map(({ framework, name }) => [framework, name.value])).toEqual([
    ['mcp', 'save'],
    ['toolwright', 'read_page'],
  ]);
});
