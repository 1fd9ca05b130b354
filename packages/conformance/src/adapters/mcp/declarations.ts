import { ts } from '../../../engine/typescript.mjs';
import { nameText } from '../../compiler/class-members.js';
import type { Evaluator } from '../../compiler/evaluator.js';
import type { PossibleValues } from '../../compiler/possible-values.js';
import { EMPTY_SCOPE, type Scope, type StaticValue, valueOf } from '../../compiler/static-value.js';
import { bindingPath, skipWrappers } from '../../compiler/syntax.js';
import {
  DECLARATION_KEYS,
  DECLARATION_METHODS,
  HINT_KEYS,
  NAME_KEYS,
  NAME_METHODS,
  SCHEMA_KEYS,
} from './contract.js';

/** What an object or a class says of a tool. */
export interface Declaration {
  readonly value: StaticValue;
  readonly name: string | null;
  /** Why there is no name; empty with one. */
  readonly why: string;
  /** Where the name stands. */
  readonly nameNode: ts.Node | null;
  readonly hasSchema: boolean;
  readonly hasDescription: boolean;
  readonly annotations: readonly StaticValue[];
}

interface Named {
  readonly text: string | null;
  readonly why: string;
  readonly node: ts.Node | null;
}

/** One step from a name towards where it is written; without a node it has arrived. */
interface Step {
  readonly holder: ts.Node;
  readonly node: ts.Expression | null;
  readonly scope: Scope;
}

/** Reads declarations, and finds where they stand. */
export class DeclarationReader {
  readonly #evaluator: Evaluator;
  readonly #possible: PossibleValues;

  constructor(evaluator: Evaluator, possible: PossibleValues) {
    this.#evaluator = evaluator;
    this.#possible = possible;
  }

  /** @param key - the key under which the object stands in a record, which names it when it has no name */
  read(
    value: StaticValue,
    key: { readonly text: string; readonly node: ts.Node } | null = null,
  ): Declaration {
    const direct = this.#nameOf(
      value,
      NAME_KEYS.filter((one) => one !== 'title' && one !== 'id' && one !== 'method'),
    );
    const own = direct.text === null ? (this.#nameByMethod(value) ?? direct) : direct;
    const parts = [
      ...DECLARATION_KEYS.flatMap((one) => this.#objects(value, one)),
      ...DECLARATION_METHODS.flatMap((one) => this.#answers(value, one).filter(isObject)),
    ];
    const nested = own.text === null ? parts.map((part) => this.#nameOf(part, NAME_KEYS)) : [];
    const last = own.text === null && key === null ? [this.#nameOf(value, ['method', 'title'])] : [];
    const named = [own, ...nested, ...last].find(({ text }) => text !== null);
    const all = [value, ...parts];
    return {
      value,
      name: named?.text ?? key?.text ?? null,
      why: named !== undefined || key !== null ? '' : own.why,
      nameNode: named?.node ?? key?.node ?? own.node,
      hasSchema: all.some((one) => SCHEMA_KEYS.some((schema) => this.#has(one, schema))),
      hasDescription: all.some((one) => ['description', 'summary'].some((text) => this.#has(one, text))),
      annotations: all.flatMap((one) => this.#annotationsOf(one)),
    };
  }

  #annotationsOf(value: StaticValue): readonly StaticValue[] {
    const own = HINT_KEYS.some((hint) => this.#has(value, hint)) ? [value] : [];
    const member = this.#evaluator.property(value, 'annotations');
    const reduced = this.#evaluator.reduce(member);
    if (reduced.kind === 'constant') {
      return own;
    }
    const possible = reduced.kind === 'unknown' ? this.#possible.of(member) : [];
    return [...(possible.length === 1 ? possible : [reduced]), ...own];
  }

  #objects(value: StaticValue, key: string): readonly StaticValue[] {
    return this.#possible.member(value, key).filter(isObject);
  }

  /** What a method of an object without arguments may answer. */
  #answers(value: StaticValue, method: string): readonly StaticValue[] {
    return this.#possible
      .member(value, method)
      .flatMap((one) => (one.kind === 'function' ? this.#possible.returned(one.node, one.scope) : []));
  }

  #nameByMethod(value: StaticValue): Named | null {
    for (const method of NAME_METHODS) {
      const [answer] = value.kind === 'instance' ? this.#answers(value, method) : [];
      const folded = answer === undefined ? null : this.#evaluator.fold(answer);
      if (answer !== undefined && folded?.kind === 'constant' && typeof folded.value === 'string') {
        return { text: folded.value, why: '', node: nodeOf(answer) };
      }
    }
    return null;
  }

  #has(value: StaticValue, key: string): boolean {
    const member = this.#evaluator.property(value, key);
    return member.kind !== 'unknown' && !(member.kind === 'constant' && member.value === undefined)
      ? true
      : member.kind === 'unknown' && hasOwn(value, key);
  }

  #nameOf(value: StaticValue, keys: readonly string[]): Named {
    let why = 'none is given';
    let node: ts.Node | null = null;
    for (const key of keys) {
      const member = this.#evaluator.property(value, key);
      const folded = this.#evaluator.fold(
        member.kind === 'constant' && member.value === undefined && value.kind === 'instance'
          ? this.#evaluator.property({ kind: 'class', node: value.node, scope: value.scope }, key)
          : member,
      );
      if (folded.kind === 'constant' && typeof folded.value === 'string') {
        return { text: folded.value, why: '', node: nodeOf(member) };
      }
      if (folded.kind === 'unknown' && node === null) {
        [why, node] = [folded.why, nodeOf(member)];
      }
    }
    return { text: null, why, node };
  }

  /**
   * The object, class or call that a name stands in, however many names, members and calls lie between:
   * the place that a person would call the tool's definition.
   */
  definitionOf(name: ts.Expression, scope: Scope, start: ts.Node): ts.Node {
    let holder = start;
    let node = skipWrappers.inward(name);
    let around = scope;
    for (let hops = 0; hops < 30; hops += 1) {
      const next = this.#step(node, around);
      if (next === null) {
        break;
      }
      holder = next.holder;
      if (next.node === null) {
        break;
      }
      ({ node, scope: around } = { node: next.node, scope: next.scope });
    }
    return holder;
  }

  /** The same for the member of an object that names it. */
  definitionOfObject(value: StaticValue, key: string, start: ts.Node): ts.Node {
    const first = this.#memberStep(value, key);
    if (first === null) {
      return start;
    }
    return first.node === null ? first.holder : this.definitionOf(first.node, first.scope, first.holder);
  }

  #step(node: ts.Expression, scope: Scope): Step | null {
    if (ts.isPropertyAccessExpression(node)) {
      return this.#memberStep(valueOf(node.expression, scope), node.name.text);
    }
    // `tool.getName()`
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [leaf, other] = this.#possible.of(valueOf(node.expression.expression, scope));
      return leaf?.kind === 'instance' && other === undefined
        ? { holder: leaf.node, node: null, scope: EMPTY_SCOPE }
        : null;
    }
    if (!ts.isIdentifier(node)) {
      return null;
    }
    const declaration = this.#evaluator.references.symbolAt(node)?.valueDeclaration;
    if (declaration === undefined) {
      return null;
    }
    if (ts.isBindingElement(declaration)) {
      const { root, keys } = bindingPath(declaration);
      const [key] = keys ?? [];
      const value = scope.get(root);
      const base =
        value ??
        (ts.isVariableDeclaration(root) && root.initializer ? valueOf(root.initializer, scope) : null);
      return base === null || key === undefined || keys?.length !== 1 ? null : this.#memberStep(base, key);
    }
    if (ts.isParameter(declaration)) {
      const value = scope.get(declaration);
      if (value?.kind !== 'expression') {
        return null;
      }
      const call = value.node.parent;
      const holder = ts.isCallExpression(call) || ts.isNewExpression(call) ? call : value.node;
      return { holder, node: skipWrappers.inward(value.node), scope: value.scope };
    }
    return null;
  }

  #memberStep(base: StaticValue, key: string): Step | null {
    const [leaf, other] = this.#possible.of(base);
    if (leaf === undefined || other !== undefined) {
      return null;
    }
    if (leaf.kind === 'array') {
      const item = leaf.items[Number(key)];
      if (item?.kind === 'expression') {
        return { holder: item.node, node: skipWrappers.inward(item.node), scope: item.scope };
      }
      // The key of a record's entry: what is defined under it.
      const entry = item?.kind === 'constant' && item.node !== null ? item.node.parent : undefined;
      return entry !== undefined && ts.isPropertyAssignment(entry)
        ? { holder: entry, node: null, scope: EMPTY_SCOPE }
        : null;
    }
    if (leaf.kind === 'instance' || leaf.kind === 'class') {
      return { holder: leaf.node, node: null, scope: EMPTY_SCOPE };
    }
    if (leaf.kind !== 'expression' || !ts.isObjectLiteralExpression(leaf.node)) {
      return null;
    }
    const initializer = initializerOf(leaf.node, key);
    if (initializer !== null) {
      return { holder: leaf.node, node: skipWrappers.inward(initializer), scope: leaf.scope };
    }
    for (const property of [...leaf.node.properties].reverse()) {
      if (ts.isSpreadAssignment(property)) {
        const inner = this.#memberStep(valueOf(property.expression, leaf.scope), key);
        if (inner !== null) {
          return inner;
        }
      }
    }
    return { holder: leaf.node, node: null, scope: EMPTY_SCOPE };
  }

  /** The text of a property's name, when it is known. */
  keyOf(name: ts.PropertyName, scope: Scope = EMPTY_SCOPE): string | null {
    return nameText(this.#evaluator, name, scope);
  }
}

function initializerOf(node: ts.ObjectLiteralExpression, key: string): ts.Expression | null {
  for (const property of node.properties) {
    if (property.name !== undefined && ts.isIdentifier(property.name) && property.name.text === key) {
      return ts.isPropertyAssignment(property)
        ? property.initializer
        : ts.isShorthandPropertyAssignment(property)
          ? property.name
          : null;
    }
  }
  return null;
}

function hasOwn(value: StaticValue, key: string): boolean {
  return (
    value.kind === 'expression' &&
    ts.isObjectLiteralExpression(value.node) &&
    value.node.properties.some((property) => property.name?.getText() === key)
  );
}

export function nodeOf(value: StaticValue): ts.Node | null {
  return 'node' in value ? value.node : null;
}

function isObject(value: StaticValue): boolean {
  return (
    value.kind === 'instance' || (value.kind === 'expression' && ts.isObjectLiteralExpression(value.node))
  );
}
