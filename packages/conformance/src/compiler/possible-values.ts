import { ts } from '../../engine/typescript.mjs';
import { argumentsOf, bindParameters } from './apply-function.js';
import { constructInstance } from './class-members.js';
import { isGlobalMember } from './object-members.js';
import { PossibleBindings } from './possible-bindings.js';
import { elementsOf, isCollection, listResult } from './possible-elements.js';
import { memberOf, returnedBy } from './possible-members.js';
import { isWritten } from './reduce-reference.js';
import {
  EMPTY_SCOPE,
  type Bindable,
  type Evaluation,
  type FunctionNode,
  type MutableScope,
  type Scope,
  type StaticValue,
  valueOf,
} from './static-value.js';
import { bindingPath, skipWrappers } from './syntax.js';

const { SyntaxKind } = ts;

/** Code that goes in circles ends here. */
const MAX_DEPTH = 60;
/** One question never costs more than this. */
const MAX_STEPS = 40_000;

/** No record lies deeper in others than this. */
const MOST_MEMBERS = 40;

/** And one list is not looked into for more calls at a time than this. */
const MOST_SCOPES = 8;

/** One element of a list, or one value of a record with its key. */
export interface PossibleElement {
  /** Null where the list has no keys, or the key is computed. */
  readonly key: string | null;
  readonly value: StaticValue;
  /** Where the key is written. */
  readonly keyNode?: ts.Node;
}

/** What finds out what a value may be, for the modules that do a part of it. */
export interface Possibilities {
  readonly evaluation: Evaluation;
  readonly bindings: PossibleBindings;
  of(value: StaticValue): readonly StaticValue[];
  elements(value: StaticValue): readonly PossibleElement[];
  member(value: StaticValue, key: string): readonly StaticValue[];
}

/**
 * What a value may be, where the {@link Evaluation} asks what it is for certain: every object literal,
 * class, function or constant that can reach it, over all callers, assignments and elements. An unknown
 * adds nothing to it. It finds definitions; nothing is proven from it.
 */
export class PossibleValues implements Possibilities {
  readonly evaluation: Evaluation;
  readonly bindings: PossibleBindings;
  readonly #active = new Map<ts.Node, Set<Scope>>();
  /** The lists and records whose elements are being found. */
  readonly #opened = new Map<ts.Node, Set<Scope>>();
  /** What an expression may be where nothing is bound. */
  readonly #known = new Map<ts.Node, readonly StaticValue[]>();
  /** How deep members of members are being found. */
  #members = 0;
  #depth = 0;
  #steps = 0;
  /** How often a question was cut short; an answer in which that happened is not kept. */
  #cuts = 0;

  constructor(evaluation: Evaluation) {
    this.evaluation = evaluation;
    this.bindings = new PossibleBindings(this);
  }

  of(value: StaticValue): readonly StaticValue[] {
    if (value.kind === 'choice') {
      return unique(value.options.flatMap((option) => this.of(option)));
    }
    return value.kind === 'expression' ? this.#guarded(value.node, value.scope) : [value];
  }

  elements(value: StaticValue): readonly PossibleElement[] {
    return this.of(value).flatMap((leaf) => this.#elementsOfLeaf(leaf));
  }

  /** A list that is made of itself, `list = [...list, more]`, has no other elements by that. */
  #elementsOfLeaf(leaf: StaticValue): readonly PossibleElement[] {
    if (leaf.kind !== 'expression') {
      return elementsOf(this, leaf);
    }
    const scopes = this.#opened.get(leaf.node) ?? new Set<Scope>();
    if (scopes.has(leaf.scope) || scopes.size >= MOST_SCOPES) {
      return [];
    }
    this.#opened.set(leaf.node, scopes.add(leaf.scope));
    const found = elementsOf(this, leaf);
    scopes.delete(leaf.scope);
    return found;
  }

  member(value: StaticValue, key: string): readonly StaticValue[] {
    if (this.#members >= MOST_MEMBERS) {
      this.#cuts += 1;
      return [];
    }
    this.#members += 1;
    const found = unique(this.of(value).flatMap((leaf) => memberOf(this, leaf, key)));
    this.#members -= 1;
    return found;
  }

  /** What a call of a function may answer. */
  returned(node: FunctionNode, scope: Scope): readonly StaticValue[] {
    return unique(returnedBy(node).flatMap((expression) => this.of(valueOf(expression, scope))));
  }

  #guarded(node: ts.Expression, scope: Scope): readonly StaticValue[] {
    if (this.#depth === 0) {
      this.#steps = 0;
    }
    this.#steps += 1;
    const known = scope.size === 0 ? this.#known.get(node) : undefined;
    if (known !== undefined) {
      return known;
    }
    const active = this.#active.get(node) ?? new Set<Scope>();
    if (this.#depth > MAX_DEPTH || this.#steps > MAX_STEPS || active.has(scope)) {
      this.#cuts += 1;
      return [];
    }
    this.#active.set(node, active.add(scope));
    this.#depth += 1;
    const cutsBefore = this.#cuts;
    const found = this.evaluation.together(() => this.#expression(node, scope));
    this.#depth -= 1;
    active.delete(scope);
    if (scope.size === 0 && (this.#cuts === cutsBefore || this.#depth === 0)) {
      this.#known.set(node, found);
    }
    return found;
  }

  #expression(given: ts.Expression, scope: Scope): readonly StaticValue[] {
    const node = skipWrappers.inward(given);
    if (ts.isIdentifier(node)) {
      return node.text === 'undefined' ? [] : this.#identifier(node, scope);
    }
    if (ts.isPropertyAccessExpression(node)) {
      return this.#access(node, node.name.text, scope);
    }
    if (ts.isElementAccessExpression(node)) {
      const key = this.evaluation.fold(valueOf(node.argumentExpression, scope));
      return key.kind === 'constant'
        ? this.#access(node, String(key.value), scope)
        : this.elements(valueOf(node.expression, scope)).flatMap(({ value }) => this.of(value));
    }
    if (ts.isCallExpression(node)) {
      return this.#call(node, scope);
    }
    if (ts.isNewExpression(node)) {
      return this.#new(node, scope);
    }
    if (ts.isAwaitExpression(node)) {
      return this.of(valueOf(node.expression, scope));
    }
    if (ts.isConditionalExpression(node)) {
      const condition = this.evaluation.fold(valueOf(node.condition, scope));
      const branches =
        condition.kind === 'constant'
          ? [condition.value ? node.whenTrue : node.whenFalse]
          : [node.whenTrue, node.whenFalse];
      return unique(branches.flatMap((branch) => this.of(valueOf(branch, scope))));
    }
    if (ts.isBinaryExpression(node)) {
      return this.#binary(node, scope);
    }
    if (node.kind === SyntaxKind.ThisKeyword) {
      return this.#thisAt(node, scope);
    }
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) {
      return [{ kind: 'function', node, scope }];
    }
    return [ts.isClassExpression(node) ? { kind: 'class', node, scope } : valueOf(node, scope)];
  }

  #binary(node: ts.BinaryExpression, scope: Scope): readonly StaticValue[] {
    const right = valueOf(node.right, scope);
    switch (node.operatorToken.kind) {
      case SyntaxKind.EqualsToken:
      case SyntaxKind.CommaToken:
      case SyntaxKind.AmpersandAmpersandToken:
        return this.of(right);
      case SyntaxKind.BarBarToken:
      case SyntaxKind.QuestionQuestionToken:
        return unique([...this.of(valueOf(node.left, scope)), ...this.of(right)]);
      default:
        return [valueOf(node, scope)];
    }
  }

  #identifier(node: ts.Identifier, scope: Scope): readonly StaticValue[] {
    const symbol = this.evaluation.references.symbolAt(node);
    const declaration = symbol?.valueDeclaration ?? symbol?.declarations?.[0];
    if (symbol === undefined || declaration === undefined) {
      return [valueOf(node, scope)];
    }
    if (ts.isParameter(declaration)) {
      return this.#bound(declaration, scope);
    }
    if (ts.isBindingElement(declaration)) {
      return this.#destructured(declaration, scope);
    }
    if (ts.isVariableDeclaration(declaration)) {
      const assigned = this.evaluation.references
        .referencesTo(symbol)
        .flatMap((reference) =>
          isWritten(reference) && ts.isBinaryExpression(reference.parent)
            ? this.of(valueOf(reference.parent.right, scope))
            : [],
        );
      return unique([...this.#bound(declaration, scope), ...assigned]);
    }
    const reduced = this.evaluation.reduce(valueOf(node, scope));
    return reduced.kind === 'expression' && reduced.node !== node
      ? this.of(reduced)
      : [reduced.kind === 'unknown' ? valueOf(node, scope) : reduced];
  }

  /** What a parameter or a variable holds, by its own declaration. */
  #bound(declaration: Bindable, scope: Scope): readonly StaticValue[] {
    const given = scope.get(declaration);
    if (given !== undefined) {
      return this.of(given);
    }
    if (ts.isVariableDeclaration(declaration) && declaration.initializer !== undefined) {
      return this.of(valueOf(declaration.initializer, scope));
    }
    return unique(
      this.bindings.of(declaration, scope).flatMap((bound) => {
        const value = bound.scope.get(declaration);
        return value === undefined ? [] : this.of(value);
      }),
    );
  }

  #destructured(element: ts.BindingElement, scope: Scope): readonly StaticValue[] {
    const { root, keys } = bindingPath(element);
    let values = this.#bound(root, scope);
    for (const key of keys ?? []) {
      values = values.flatMap((value) => this.member(value, key));
    }
    const fallback = element.initializer;
    return unique([...values, ...(fallback === undefined ? [] : this.of(valueOf(fallback, scope)))]);
  }

  #access(
    node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
    key: string,
    scope: Scope,
  ): readonly StaticValue[] {
    const members = this.member(valueOf(node.expression, scope), key);
    if (members.length > 0) {
      return members;
    }
    const reduced = this.evaluation.reduce(valueOf(node, scope));
    if (reduced.kind === 'unknown' || (reduced.kind === 'constant' && reduced.value === undefined)) {
      return [];
    }
    return reduced.kind === 'expression' && reduced.node === node ? [] : this.of(reduced);
  }

  #call(node: ts.CallExpression, scope: Scope): readonly StaticValue[] {
    const [first] = node.arguments;
    if (first !== undefined && isTransparent(node.expression)) {
      return this.of(valueOf(first, scope));
    }
    const list = listResult(this, node, scope);
    if (list !== null) {
      return list;
    }
    const { expression } = node;
    if (ts.isPropertyAccessExpression(expression) && expression.name.text === 'bind') {
      return this.of(valueOf(expression.expression, scope));
    }
    const callees = this.of(valueOf(expression, scope));
    const answers = callees.flatMap((callee) =>
      callee.kind === 'function' && callee.node.body !== undefined ? this.#apply(callee, node, scope) : [],
    );
    const reduced = answers.length > 0 ? null : this.evaluation.reduce(valueOf(node, scope));
    if (reduced !== null && reduced.kind === 'expression' && reduced.node !== node) {
      return this.of(reduced);
    }
    return answers.length > 0 || reduced?.kind === 'constant'
      ? unique([...answers, ...(reduced === null ? [] : [reduced])])
      : [reduced === null || reduced.kind === 'unknown' ? valueOf(node, scope) : reduced];
  }

  #apply(
    callee: StaticValue & { kind: 'function' },
    node: ts.CallExpression,
    scope: Scope,
  ): readonly StaticValue[] {
    const inner: MutableScope = new Map(callee.scope);
    const args = argumentsOf(this.evaluation, node, scope) ?? plainArguments(node, scope);
    bindParameters(this.evaluation, callee.node.parameters, args, inner);
    return this.returned(callee.node, inner);
  }

  #new(node: ts.NewExpression, scope: Scope): readonly StaticValue[] {
    if (isCollection(node)) {
      return [valueOf(node, scope)];
    }
    const args = argumentsOf(this.evaluation, node, scope);
    return this.of(valueOf(node.expression, scope)).map((callee) =>
      callee.kind === 'class'
        ? constructInstance(this.evaluation, callee.node, () => args, callee.scope)
        : valueOf(node, scope),
    );
  }

  #thisAt(node: ts.Expression, scope: Scope): readonly StaticValue[] {
    const owner = ts.findAncestor(
      node.parent,
      (one) =>
        ts.isClassLike(one) ||
        (ts.isMethodDeclaration(one) && ts.isObjectLiteralExpression(one.parent)) ||
        ts.isFunctionDeclaration(one) ||
        ts.isFunctionExpression(one),
    );
    if (owner === undefined) {
      return [];
    }
    if (ts.isMethodDeclaration(owner) && ts.isObjectLiteralExpression(owner.parent)) {
      return [valueOf(owner.parent, scope)];
    }
    if (!ts.isClassLike(owner)) {
      return [];
    }
    const bound = scope.get(owner);
    return bound === undefined
      ? this.bindings
          .concreteClasses(owner)
          .map((one) => constructInstance(this.evaluation, one, () => null, EMPTY_SCOPE))
      : [bound];
  }
}

function plainArguments(node: ts.CallExpression, scope: Scope): readonly StaticValue[] {
  const spread = node.arguments.findIndex((argument) => ts.isSpreadElement(argument));
  return node.arguments.slice(0, spread < 0 ? undefined : spread).map((one) => valueOf(one, scope));
}

/** Calls that answer their first argument. */
function isTransparent(callee: ts.Expression): boolean {
  return (
    ['freeze', 'seal', 'preventExtensions'].some((member) => isGlobalMember(callee, 'Object', member)) ||
    ['resolve', 'all', 'allSettled'].some((member) => isGlobalMember(callee, 'Promise', member)) ||
    (ts.isIdentifier(callee) && callee.text === 'structuredClone')
  );
}

function unique(values: readonly StaticValue[]): readonly StaticValue[] {
  if (values.length < 2) {
    return values;
  }
  const kept: StaticValue[] = [];
  for (const value of values) {
    if (!kept.some((one) => isSame(one, value))) {
      kept.push(value);
    }
  }
  return kept;
}

function isSame(a: StaticValue, b: StaticValue): boolean {
  if (a === b) {
    return true;
  }
  if (a.kind !== b.kind) {
    return false;
  }
  if (a.kind === 'constant' && b.kind === 'constant') {
    return a.value === b.value && a.node === b.node;
  }
  return (
    'scope' in a &&
    'scope' in b &&
    a.node === b.node &&
    (a.scope === b.scope || (a.scope.size === 0 && b.scope.size === 0))
  );
}
