import type { ts } from '../../../engine/typescript.mjs';
import type { ToolDefinition } from '../../discover/discovered-tool.js';
import type { LoadedProject } from '../../load/loaded-project.js';
import type { EffectFact } from '../../model/fact-base.js';
import type { Handler } from './handlers.js';

export interface FoundTool {
  readonly name: string | null;
  readonly why: string;
  readonly nameNode: ts.Node | null;
  readonly node: ts.Node;
  readonly effect: EffectFact;
  readonly handler: Handler | null;
}

/** The tools that were found, each once, however many ways lead to it. */
export class FoundTools {
  readonly #project: LoadedProject;
  readonly #tools: FoundTool[] = [];

  constructor(project: LoadedProject) {
    this.#project = project;
  }

  get names(): ReadonlySet<string> {
    return new Set(this.#tools.flatMap(({ name }) => (name === null ? [] : [name])));
  }

  get count(): number {
    return this.#tools.length;
  }

  /** Whether a place belongs to a tool that is known. */
  covers(node: ts.Node): boolean {
    return this.#tools.some((tool) => isNested(tool.node, node) || isNested(node, tool.node));
  }

  coversName(name: string, node: ts.Node): boolean {
    return this.#tools.some(
      (tool) => tool.name === name && tool.node.getSourceFile() === node.getSourceFile(),
    );
  }

  add(tool: FoundTool): void {
    const index = this.#tools.findIndex(
      (one) => one.name === tool.name && (isNested(one.node, tool.node) || isNested(tool.node, one.node)),
    );
    const known = this.#tools[index];
    if (known === undefined) {
      this.#tools.push(tool);
      return;
    }
    this.#tools[index] = {
      ...known,
      effect:
        known.effect.kind === 'constant'
          ? known.effect
          : tool.effect.kind === 'absent'
            ? known.effect
            : tool.effect,
      handler: known.handler ?? tool.handler,
    };
  }

  /** The tools that checked files define, in the order of files and positions. */
  definitions(): readonly ToolDefinition[] {
    const checked = new Set(this.#project.sourceFiles);
    return this.#tools
      .filter(({ node }) => checked.has(node.getSourceFile()))
      .map((tool): ToolDefinition => {
        const location = this.#project.locate(tool.nameNode ?? tool.node);
        return {
          framework: 'mcp',
          node: tool.node,
          name: { value: tool.name, location, why: tool.name === null ? tool.why : '' },
          effect: tool.effect,
          execute: tool.handler?.execute ?? null,
          ...(tool.handler === null ? {} : { arguments: tool.handler.arguments }),
          ...(tool.handler?.around === undefined
            ? {}
            : { wrappedBy: { execute: [tool.handler.around], preview: [] } }),
          preview: null,
        };
      })
      .sort((a, b) => bySource(this.#project, a.node, b.node));
  }
}

function isNested(outer: ts.Node, inner: ts.Node): boolean {
  return outer.getSourceFile() === inner.getSourceFile() && outer.pos <= inner.pos && inner.end <= outer.end;
}

function bySource(project: LoadedProject, a: ts.Node, b: ts.Node): number {
  const [fileA, fileB] = [a.getSourceFile(), b.getSourceFile()];
  return fileA === fileB
    ? a.getStart() - b.getStart()
    : project.relative(fileA.fileName).localeCompare(project.relative(fileB.fileName), 'en');
}
