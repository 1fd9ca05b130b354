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
    const schemaDigest = digestOf(canonicalJson(inputSchema)).slice(0, 16);
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
