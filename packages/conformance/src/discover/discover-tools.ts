import type { ts } from '../../engine/typescript.mjs';
import type { LoadedProject } from '../load/loaded-project.js';
import type { DiscoveredTool, DiscoveryOptions, ToolAdapter, ToolDefinition } from './discovered-tool.js';

/**
 * Gives every definition an id: the plugin's folder and the tool's name, with the file where two
 * tools of one plugin share a name, or the file alone where the name is not a literal.
 */
export class ToolDiscovery {
  readonly #adapters: readonly ToolAdapter[];
  readonly #options: DiscoveryOptions;
  readonly #ids = new Set<string>();

  constructor(adapters: readonly ToolAdapter[], options: DiscoveryOptions = { registrars: [] }) {
    this.#adapters = adapters;
    this.#options = options;
  }

  discover(project: LoadedProject): readonly DiscoveredTool[] {
    const found = this.#adapters.map((adapter) => adapter.discover(project, this.#options));
    return found.flatMap((definitions) => {
      const others = found.filter((other) => other !== definitions).flat();
      return definitions
        .filter((definition) => !others.some((other) => isWithin(definition.node, other.node)))
        .map((definition) => this.#identify(project, definition));
    });
  }

  #identify(project: LoadedProject, definition: ToolDefinition): DiscoveredTool {
    const location = project.locate(definition.node);
    const plugin = project.relative(project.packageFolderOf(definition.node.getSourceFile().fileName));
    const name = definition.name.value;
    const candidates =
      name === null ? [`${location.file}#?`] : [`${plugin}#${name}`, `${plugin}#${name}@${location.file}`];
    return { ...definition, id: this.#firstFree(candidates), location, plugin };
  }

  #firstFree(candidates: readonly string[]): string {
    const free = candidates.find((candidate) => !this.#ids.has(candidate));
    const last = candidates.at(-1) ?? '';
    let id = free ?? last;
    for (let count = 2; this.#ids.has(id); count += 1) {
      id = `${last}~${String(count)}`;
    }
    this.#ids.add(id);
    return id;
  }
}

/**
 * Whether a node is a part of another one: an object that by its shape is a tool, in the call of the framework
 * that makes one of it, is not a second tool.
 */
function isWithin(inner: ts.Node, outer: ts.Node): boolean {
  return (
    inner !== outer &&
    inner.getSourceFile() === outer.getSourceFile() &&
    outer.pos <= inner.pos &&
    inner.end <= outer.end
  );
}

/** The files that define tools. */
export function filesOf(tools: readonly DiscoveredTool[]): ReadonlySet<ts.SourceFile> {
  return new Set(tools.map((tool) => tool.node.getSourceFile()));
}
