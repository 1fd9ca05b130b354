import type { KnownContract } from '../../compiler/static-value.js';

/** MCP has no constants and no factory that answers what it was given. */
export const MCP_CONTRACT: KnownContract = {
  constantOf: () => undefined,
  isIdentityCall: () => false,
};

/** What the property that names a tool is called, likeliest first. */
export const NAME_KEYS = ['name', 'toolName', 'tool_name', 'method', 'id', 'title'] as const;

/** What the property that answers a call is called, likeliest first. */
export const HANDLER_KEYS = [
  'execute',
  'handler',
  'handle',
  'func',
  'callback',
  'call',
  'cb',
  'logic',
  'fn',
  'exec',
  'run',
  'invoke',
  'action',
  'toolHandler',
  'handlerFn',
  'implementation',
  'process',
  'tool',
] as const;

/** A method that a base class leaves to the tool: `executeWithClient`, `handleRequest`, `runQuery`. */
export const HANDLER_LIKE = /^_?(execute|handle|run|call|invoke|perform|process|do)(?:[A-Z_]\w*)?$/u;

/** What the property with the shape of a tool's arguments is called. Prompts have `argsSchema`, and are none. */
export const SCHEMA_KEYS = [
  'inputSchema',
  'input_schema',
  'parameters',
  'schema',
  'paramsSchema',
  'paramSchema',
  'argsShape',
  'args',
  'inputShape',
  'input',
  'params',
  'inputs',
  'zodSchema',
] as const;

/** Properties that hold a tool's declaration where it lies apart from its handler. */
export const DECLARATION_KEYS = [
  'schema',
  'definition',
  'specification',
  'spec',
  'mcp',
  'tool',
  'metadata',
  'config',
  'declaration',
  'toolDefinition',
] as const;

/** Methods that answer a tool's name, or its declaration. */
export const NAME_METHODS = ['getName', 'getToolName'] as const;
export const DECLARATION_METHODS = [
  'getConfig',
  'getDefinition',
  'getToolDefinition',
  'getMetadata',
] as const;

export const HINT_KEYS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
