import { TOOL_MEMBERS } from '@toolwright/sdk/contract-names';
import { ts } from '../../../engine/typescript.mjs';
import { nameText } from '../../compiler/class-members.js';
import type { Evaluator } from '../../compiler/evaluator.js';
import { type Scope, type StaticValue, valueOf } from '../../compiler/static-value.js';
import { skipWrappers } from '../../compiler/syntax.js';
import type { ToolDefinition } from '../../discover/discovered-tool.js';
import { nameInitializer, returnedExpression } from './name-initializer.js';
import type { ReadDefinition } from './read-definition.js';
import type { SdkContract } from './sdk-contract.js';

type Code = NonNullable<ToolDefinition['execute']>;

/** What a definition takes from a tool that is there already, and what it puts in its place. */
interface Wrapping {
  readonly base: StaticValue;
  readonly own: ReadonlySet<string>;
}

/**
 * Joins wrappers with the tools that they wrap: `{ ...tool, execute }` and `{ name: tool.name, … }` are the same tool, with
 * one more body to be judged. With a name or another effect of its own a wrapper is a tool of its own.
 */
export class Wrappers {
  readonly #evaluator: Evaluator;
  readonly #contract: SdkContract;
  readonly #known: ReadonlySet<ts.Node>;
  readonly #read: readonly ReadDefinition[];
  readonly #wrappings = new Map<ReadDefinition, Wrapping | null>();

  constructor(evaluator: Evaluator, contract: SdkContract, read: readonly ReadDefinition[]) {
    this.#evaluator = evaluator;
    this.#contract = contract;
    this.#read = read;
    this.#known = new Set(read.flatMap(({ value }) => definitionNodes(evaluator, value)));
    read.forEach((one) => this.#wrappings.set(one, this.#wrappingOf(one.value)));
  }

  join(): readonly ToolDefinition[] {
    const bodies = new Map<ReadDefinition, { readonly execute: Code[]; readonly preview: Code[] }>();
    const kept: ReadDefinition[] = [];
    const unknown = new Set<ReadDefinition>();
    for (const one of this.#read) {
      const wrapping = this.#wrappings.get(one) ?? null;
      if (wrapping === null || !this.#isSame(one, wrapping)) {
        kept.push(one);
        continue;
      }
      const wrapped = this.#wrapped(one, new Set());
      for (const tool of wrapped) {
        const more = bodies.get(tool) ?? { execute: [], preview: [] };
        bodies.set(tool, more);
        add(more.execute, one, tool, wrapping, TOOL_MEMBERS.execute);
        add(more.preview, one, tool, wrapping, TOOL_MEMBERS.preview);
      }
      if (wrapped.length === 0 && wrapping.own.size > 0) {
        kept.push(one);
        unknown.add(one);
      }
    }
    return kept.map((one): ToolDefinition => {
      const more = bodies.get(one);
      return {
        ...one.definition,
        ...(more === undefined ? {} : { wrappedBy: more }),
        ...(unknown.has(one) ? { isWrapper: true } : {}),
      };
    });
  }

  /** The tools that a wrapper stands for, through the wrappers between; none where they are not known. */
  #wrapped(one: ReadDefinition, seen: Set<ReadDefinition>): readonly ReadDefinition[] {
    const wrapping = this.#wrappings.get(one) ?? null;
    if (wrapping === null || !this.#isSame(one, wrapping)) {
      return [one];
    }
    if (seen.has(one)) {
      return [];
    }
    seen.add(one);
    const nodes = new Set(definitionNodes(this.#evaluator, wrapping.base));
    const name = one.definition.name.value;
    const tools = this.#read
      .filter((other) => definitionNodes(this.#evaluator, other.value).some((node) => nodes.has(node)))
      .flatMap((other) => this.#wrapped(other, seen));
    const named = tools.filter(({ definition }) => definition.name.value === name);
    return [...new Set(name === null || named.length === 0 ? tools : named)];
  }

  #isSame({ value }: ReadDefinition, { base, own }: Wrapping): boolean {
    if (own.has(TOOL_MEMBERS.name)) {
      return false;
    }
    if (!own.has(TOOL_MEMBERS.effect)) {
      return true;
    }
    const [mine, theirs] = [value, base].map((of) =>
      this.#evaluator.fold(this.#evaluator.property(of, TOOL_MEMBERS.effect)),
    );
    return mine?.kind === 'constant' && theirs?.kind === 'constant' && mine.value === theirs.value;
  }

  #wrappingOf(value: StaticValue): Wrapping | null {
    const definition = this.#evaluator.reduce(value);
    const found: { base: StaticValue | null; own: Set<string> } = { base: null, own: new Set() };
    switch (definition.kind) {
      case 'instance': {
        const name = nameInitializer(definition.node);
        found.base = name === undefined ? null : this.#toolNamedBy(name, definition.scope);
        found.own.add(TOOL_MEMBERS.execute);
        break;
      }
      case 'merged':
        definition.parts.forEach((part) => {
          this.#addPart(part, found);
        });
        break;
      case 'expression':
        if (ts.isObjectLiteralExpression(definition.node)) {
          this.#addLiteral(definition.node, definition.scope, found);
        }
        break;
      default:
        break;
    }
    return found.base === null ? null : { base: found.base, own: found.own };
  }

  /** What is spread, or merged: a tool, or some of the members that come over one. */
  #addPart(part: StaticValue, found: { base: StaticValue | null; own: Set<string> }): void {
    const isTool =
      (part.kind === 'expression' && this.#contract.isTool(part.node)) ||
      definitionNodes(this.#evaluator, part).some((node) => this.#known.has(node));
    if (isTool) {
      found.base = part;
      found.own.clear();
      return;
    }
    const reduced = this.#evaluator.reduce(part);
    if (reduced.kind === 'expression' && ts.isObjectLiteralExpression(reduced.node)) {
      this.#addLiteral(reduced.node, reduced.scope, found);
    }
  }

  #addLiteral(
    node: ts.ObjectLiteralExpression,
    scope: Scope,
    found: { base: StaticValue | null; own: Set<string> },
  ): void {
    for (const property of node.properties) {
      if (ts.isSpreadAssignment(property)) {
        this.#addPart(valueOf(property.expression, scope), found);
        continue;
      }
      const member = nameText(this.#evaluator, property.name, scope);
      if (member === TOOL_MEMBERS.name) {
        const given = nameGiven(property);
        const base = given === undefined ? null : this.#toolNamedBy(given, scope);
        if (base === null) {
          found.own.add(member);
        } else {
          found.base ??= base;
        }
      } else if (member !== null && OVERRIDDEN.has(member) && !this.#isTaken(property, member)) {
        found.own.add(member);
      }
    }
  }

  /** `effect: tool.effect` puts nothing in the place of the tool's own. */
  #isTaken(property: ts.ObjectLiteralElementLike, member: string): boolean {
    const given = ts.isPropertyAssignment(property) ? skipWrappers.inward(property.initializer) : undefined;
    return (
      given !== undefined &&
      ts.isPropertyAccessExpression(given) &&
      given.name.text === member &&
      this.#contract.isTool(given.expression)
    );
  }

  /** The tool whose name an expression is: `tool.name`. */
  #toolNamedBy(node: ts.Expression, scope: Scope): StaticValue | null {
    const target = skipWrappers.inward(node);
    if (
      !ts.isPropertyAccessExpression(target) ||
      target.name.text !== TOOL_MEMBERS.name ||
      target.expression.kind === ts.SyntaxKind.ThisKeyword
    ) {
      return null;
    }
    const tool = valueOf(target.expression, scope);
    return this.#contract.isTool(target.expression) ||
      definitionNodes(this.#evaluator, tool).some((definition) => this.#known.has(definition))
      ? tool
      : null;
  }
}

const OVERRIDDEN: ReadonlySet<string> = new Set([
  TOOL_MEMBERS.effect,
  TOOL_MEMBERS.execute,
  TOOL_MEMBERS.preview,
]);

function add(
  bodies: Code[],
  { definition }: ReadDefinition,
  tool: ReadDefinition,
  { own }: Wrapping,
  member: 'execute' | 'preview',
): void {
  const code = definition[member];
  if (code !== null && own.has(member) && code !== tool.definition[member] && !bodies.includes(code)) {
    bodies.push(code);
  }
}

function nameGiven(property: ts.ObjectLiteralElementLike): ts.Expression | undefined {
  if (ts.isPropertyAssignment(property)) {
    return property.initializer;
  }
  return ts.isGetAccessorDeclaration(property) ? returnedExpression(property) : undefined;
}

export function definitionNodes(evaluator: Evaluator, value: StaticValue): readonly ts.Node[] {
  const definition = evaluator.reduce(value);
  switch (definition.kind) {
    case 'expression':
    case 'instance':
    case 'merged':
      return [definition.node];
    case 'choice':
      return definition.options.flatMap((option) => definitionNodes(evaluator, option));
    default:
      return [];
  }
}
