import {
  McpServer,
  createMcpHandler,
  type CreateMcpHandlerOptions,
  type McpHttpHandler,
  type McpServerFactory,
} from '@modelcontextprotocol/server';
import type { ServeStdioOptions, StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import type { Tool } from '../tool/tool.js';
import { registerTools, type RegisterToolsOptions } from './register-tools.js';

export interface ToolServerOptions extends RegisterToolsOptions {
  /** The server's name and version, as clients show them. */
  readonly name: string;
  readonly version: string;
  /** For the model: how to use the server as a whole. */
  readonly instructions?: string;
  readonly tools: readonly Tool[];
}

/**
 * An MCP server that offers the tools, for a transport of one's own: `await server.connect(transport)`.
 *
 * @throws SdkError as {@link registerTools} does.
 */
export function createToolServer(options: ToolServerOptions): McpServer {
  const { name, version, instructions, tools } = options;
  const server = new McpServer(
    { name, version },
    // Declared even without a tool, so that an empty server answers `tools/list` with an empty list.
    { capabilities: { tools: {} }, ...(instructions === undefined ? {} : { instructions }) },
  );
  registerTools(server, tools, options);
  return server;
}

/**
 * What the entry points of the MCP SDK take: makes a server per connection, or per request over HTTP.
 * Faulty options are found now and not at the first connection.
 */
export function toolServerFactory(options: ToolServerOptions): McpServerFactory {
  createToolServer(options);
  return () => createToolServer(options);
}

/**
 * Serves the tools on standard input and output, to clients of the 2025 and the 2026 revisions of MCP.
 * Nothing else may write to standard output then; `console.log` in a tool breaks the protocol.
 */
export async function serveToolsOverStdio(
  options: ToolServerOptions,
  stdio: ServeStdioOptions = {},
): Promise<StdioServerHandle> {
  const factory = toolServerFactory(options);
  // Loaded here, because it needs Node's streams and the rest of this module does not.
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  return serveStdio(factory, stdio);
}

/**
 * The tools as a web-standard handler: `handler.fetch(request)` answers one HTTP request, in process or
 * mounted in a server. It checks neither origin nor token; put that in front, and pass what was
 * validated as `authInfo`, from where `actor` gets it.
 */
export function createToolHandler(
  options: ToolServerOptions,
  http: CreateMcpHandlerOptions = {},
): McpHttpHandler {
  return createMcpHandler(toolServerFactory(options), http);
}
