import { ToolEffect, effectOf, inputJsonSchema, type InputJsonSchema, type Tool } from '@toolwright/sdk';
import { assertDefinition } from '@toolwright/sdk/call';
import { RuntimeError } from '../errors.js';
import { canonicalJson, digestOf } from '../json/canonical-json.js';
import type { OfferedTool } from '../model/model.js';

/** A set of tools that is installed and updated together. */
export interface Plugin {
  readonly name: string;
  /** Part of what an approval is bound to: a call approved under one version is refused under another. */
  readonly version: string;
  readonly tools: readonly Tool[];
}

/** A tool as it is registered. */
export interface RegisteredTool {
  readonly tool: Tool;
  readonly effect: ToolEffect;
  /** The plugin, its version and a digest of the input schema. */
  readonly version: string;
  readonly inputSchema: InputJsonSchema;
}

/** The tools of a host, by name. */
export class ToolRegistry {
  readonly #tools = new Map<string, RegisteredTool>();

  /**
   * @throws RuntimeError with code `DUPLICATE_TOOL` when two tools share a name.
   * @throws SdkError with code `INVALID_TOOL_DEFINITION` when a tool is none.
   */
  constructor(plugins: readonly Plugin[]) {
    for (const plugin of plugins) {
      for (const tool of plugin.tools) {
        this.#register(tool, plugin);
      }
    }
  }

  #register(tool: Tool, plugin: Plugin): void {
    if (this.#tools.has(tool.name)) {
      throw new RuntimeError(
        'DUPLICATE_TOOL',
        `Cannot register tool "${tool.name}" of plugin "${plugin.name}": expected a name of its own, found a ` +
          'tool that is registered under it. Rename one of the two, or leave one out.',
      );
    }
    // A class tool, or one that was spread into a new object, has not passed defineTool.
    assertDefinition(tool as unknown as Readonly<Record<string, unknown>>);
    const effect = effectOf(tool);
    const inputSchema = inputJsonSchema(tool);
    const schemaDigest = digestOf(canonicalJson(withoutDefaults(inputSchema))).slice(0, 16);
    const version = `${plugin.name}@${plugin.version}+${schemaDigest}`;
    this.#tools.set(tool.name, { tool, effect, version, inputSchema });
  }

  get(name: string): RegisteredTool | undefined {
    return this.#tools.get(name);
  }

  /**
   * The effect of a tool by name. A name that is not registered, such as a removed tool in a stored
   * step, gets the strictest one, which is never retried by itself.
   */
  effectFor(name: string): ToolEffect {
    return this.#tools.get(name)?.effect ?? ToolEffect.NON_IDEMPOTENT_WRITE;
  }

  /** What a model is told about the tools, in the order of registration. */
  offered(): readonly OfferedTool[] {
    return [...this.#tools.values()].map(({ tool, inputSchema }) => ({
      name: tool.name,
      description: tool.description,
      inputSchema,
    }));
  }
}

/** Keywords whose value maps names, which may be `default` too, to schemas. */
const SCHEMA_MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords whose value is data. */
const DATA = new Set(['const', 'enum', 'examples']);

/**
 * A schema without its defaults: one that is computed (an id, a date) differs in every process, and the
 * arguments of a call have theirs already.
 */
function withoutDefaults(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    return schema.map(withoutDefaults);
  }
  if (typeof schema !== 'object' || schema === null) {
    return schema;
  }
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => keyword !== 'default')
      .map(([keyword, value]: [string, unknown]) => [keyword, strippedValue(keyword, value)]),
  );
}

function strippedValue(keyword: string, value: unknown): unknown {
  if (DATA.has(keyword)) {
    return value;
  }
  return SCHEMA_MAPS.has(keyword) && typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, withoutDefaults(schema)]))
    : withoutDefaults(value);
}
