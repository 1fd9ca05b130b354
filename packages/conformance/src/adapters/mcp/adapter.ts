import { Evaluator } from '../../compiler/evaluator.js';
import type { ToolAdapter } from '../../discover/discovered-tool.js';
import { MCP_CONTRACT } from './contract.js';
import { McpPackages } from './mcp-packages.js';
import { ToolSearch } from './tool-search.js';

/** Tools of MCP servers: whatever a server of the SDK is given, by whichever way. */
export const MCP_ADAPTER: ToolAdapter = {
  framework: 'mcp',
  looksFor:
    'tools of an MCP server: calls of registerTool, tool or addTool, objects and classes with a name, an input schema and ' +
    'a handler, and lists that answer tools/list',
  discover(project, options) {
    const packages = new McpPackages(project);
    const registrars = options?.registrars ?? [];
    if (!packages.isPresent && registrars.length === 0) {
      return [];
    }
    return new ToolSearch(project, new Evaluator(project, MCP_CONTRACT), packages, registrars).run();
  },
};
