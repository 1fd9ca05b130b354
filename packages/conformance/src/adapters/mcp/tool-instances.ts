import { ts } from '../../../engine/typescript.mjs';
import type { Evaluator } from '../../compiler/evaluator.js';
import type { PossibleValues } from '../../compiler/possible-values.js';
import {
  EMPTY_SCOPE,
  type MutableScope,
  type Scope,
  type StaticValue,
  valueOf,
} from '../../compiler/static-value.js';
import { skipWrappers } from '../../compiler/syntax.js';
import { classInstance } from './class-instance.js';
import { NAME_KEYS } from './contract.js';
import { nextToFill, type Open, openIn } from './open-names.js';

/** A registering call inside wrappers within wrappers within loops ends here. */
const MAX_DEPTH = 6;
const MAX_INSTANCES = 4000;

/** One tool that a registering call stands for. */
export interface ToolInstance {
  /** What is known of the names around the call. */
  readonly scope: Scope;
  readonly name: string | null;
  /** Why there is no name; empty with one. */
  readonly why: string;
  /** The call or the object that gives the tool its name. */
  readonly place: ts.Node;
  /** Whether a caller, a loop or a class decided it, rather than the call alone. */
  readonly isBound: boolean;
}

/** Follows the name of a registering call out to the callers, the lists and the classes that decide it. */
export class ToolInstances {
  readonly #evaluator: Evaluator;
  readonly #possible: PossibleValues;

  constructor(evaluator: Evaluator, possible: PossibleValues) {
    this.#evaluator = evaluator;
    this.#possible = possible;
  }

  of(call: ts.CallExpression, name: ts.Expression): readonly ToolInstance[] {
    const known = new Set<string>();
    return this.#expand(call, name, { scope: EMPTY_SCOPE, place: call, depth: 0 }).filter((one) => {
      const id = `${String(one.name)} ${one.place.getSourceFile().fileName} ${String(one.place.pos)}`;
      const isNew = !known.has(id);
      known.add(id);
      return isNew;
    });
  }

  #expand(
    call: ts.CallExpression,
    name: ts.Expression,
    at: { readonly scope: Scope; readonly place: ts.Node; readonly depth: number },
  ): readonly ToolInstance[] {
    const { scope, place, depth } = at;
    const folded = this.#evaluator.fold(valueOf(name, scope));
    if (folded.kind === 'constant' && typeof folded.value === 'string') {
      return [{ scope, name: folded.value, why: '', place, isBound: depth > 0 }];
    }
    const why = folded.kind === 'unknown' ? folded.why : 'it is no text';
    const unnamed = { scope, name: null, why, place, isBound: depth > 0 };
    const own = depth > 0 ? this.#ownName(name, scope) : null;
    if (own !== null) {
      return [{ ...unnamed, name: own, why: '' }];
    }
    const open = nextToFill(openIn(this.#evaluator, name, scope));
    if (open === null || depth >= MAX_DEPTH) {
      return [unnamed];
    }
    const expansions = this.#waysToFill(open, scope).slice(0, MAX_INSTANCES);
    if (expansions.length === 0) {
      // A base class that nothing here extends registers no tool; what extends it elsewhere is found there.
      return ts.isClassLike(open) ? [] : [unnamed];
    }
    return expansions.flatMap((one) =>
      this.#expand(call, name, { scope: one.scope, place: one.node ?? place, depth: depth + 1 }),
    );
  }

  #waysToFill(open: Open, scope: Scope): readonly { readonly scope: Scope; readonly node: ts.Node | null }[] {
    if (ts.isClassLike(open)) {
      return this.#possible.bindings.concreteClasses(open).map((one) => {
        const instance = classInstance(this.#evaluator, one);
        return { scope: extended(scope, [[open, instance]]), node: one };
      });
    }
    return this.#possible.bindings.of(open, scope).flatMap((binding) => {
      const value = binding.scope.get(open);
      // What a loop runs over are the objects themselves, so that each becomes a tool of its own.
      const leaves =
        value === undefined || binding.scope.size > 1 || !isReference(value)
          ? null
          : this.#possible.of(value);
      if (leaves === null || leaves.length === 0) {
        return [{ scope: extended(scope, [...binding.scope]), node: binding.node }];
      }
      return leaves.map((leaf) => ({
        scope: extended(scope, [[open, leaf]]),
        node: 'node' in leaf ? leaf.node : binding.node,
      }));
    });
  }

  /**
   * A name that is put together at run time (a prefix from settings, a title with its spaces replaced) is
   * known by the part that the definition gives.
   */
  #ownName(name: ts.Expression, scope: Scope): string | null {
    const parts: { readonly key: string; readonly text: string }[] = [];
    const seen = new Set<ts.Node>();
    const visit = (node: ts.Node): void => {
      if (seen.has(node) || ts.isFunctionLike(node)) {
        return;
      }
      seen.add(node);
      if (ts.isPropertyAccessExpression(node) && (NAME_KEYS as readonly string[]).includes(node.name.text)) {
        const folded = this.#evaluator.fold(valueOf(node, scope));
        if (folded.kind === 'constant' && typeof folded.value === 'string') {
          parts.push({ key: node.name.text, text: folded.value });
          return;
        }
      }
      if (ts.isIdentifier(node)) {
        const declaration = this.#evaluator.references.symbolAt(node)?.valueDeclaration;
        if (declaration !== undefined && ts.isParameter(declaration) && scope.has(declaration)) {
          const folded = this.#evaluator.fold(valueOf(node, scope));
          if (folded.kind === 'constant' && typeof folded.value === 'string') {
            parts.push({ key: node.text, text: folded.value });
          }
        } else if (
          declaration !== undefined &&
          ts.isVariableDeclaration(declaration) &&
          declaration.initializer !== undefined
        ) {
          visit(declaration.initializer);
        }
        return;
      }
      ts.forEachChild(node, visit);
    };
    visit(name);
    const ranked = NAME_KEYS.flatMap((key) => parts.filter((part) => part.key === key));
    return (ranked[0] ?? (parts.length === 1 ? parts[0] : undefined))?.text ?? null;
  }
}

function isReference(value: StaticValue): boolean {
  return value.kind === 'expression' && !ts.isObjectLiteralExpression(skipWrappers.inward(value.node));
}

/**
 * A scope with more in it. What was bound without anything known around it, or in the scope before, is
 * bound in the new one, so that what an argument depends on can be filled next.
 */
function extended(scope: Scope, more: readonly (readonly [Open, StaticValue])[]): Scope {
  const result: MutableScope = new Map();
  for (const [key, value] of [...scope, ...more]) {
    result.set(key, repoint(value, scope, result));
  }
  return result;
}

function repoint(value: StaticValue, from: Scope, to: Scope): StaticValue {
  if (value.kind === 'array') {
    return { ...value, items: value.items.map((item) => repoint(item, from, to)) };
  }
  const isBare = value.kind === 'expression' && (value.scope === from || value.scope.size === 0);
  return isBare ? { ...value, scope: to } : value;
}
