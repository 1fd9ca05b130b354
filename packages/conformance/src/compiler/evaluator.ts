import { ts } from '../../engine/typescript.mjs';
import type { Checker, LoadedProject } from '../load/loaded-project.js';
import { constructInstance, instanceMember, staticMember } from './class-members.js';
import { foldReduced } from './fold.js';
import { literalMember } from './object-members.js';
import { reduceCall, reduceNew } from './reduce-call.js';
import { environmentRead, reduceIdentifier, reduceSymbol } from './reduce-reference.js';
import { ReferenceIndex } from './reference-index.js';
import {
  ABSENT,
  constant,
  EMPTY_SCOPE,
  type Evaluation,
  type Folded,
  type KnownContract,
  type Scope,
  type StaticValue,
  undecided,
  type UnknownValue,
  valueOf,
} from './static-value.js';
import { shortText, skipWrappers } from './syntax.js';

const { SyntaxKind } = ts;

/** Code that refers to itself ends here; no honest constant lies that deep. */
const MAX_DEPTH = 120;

/** Functions that call each other twice over take exponentially many steps; no honest constant takes so many. */
const MAX_STEPS = 20_000;

/** Nor do all those that one question about what a value may be leads to. */
const MAX_STEPS_TOGETHER = 60_000;

/** Works out what the source says of a value. It follows code; it never runs any. */
export class Evaluator implements Evaluation {
  readonly project: LoadedProject;
  readonly checker: Checker;
  readonly references: ReferenceIndex;
  readonly contract: KnownContract;
  /** What an expression comes to where nothing is bound. */
  readonly #reduced = new Map<ts.Node, StaticValue>();
  #depth = 0;
  #steps = 0;
  #stepsTogether = 0;
  #isTogether = false;
  /** How often a question was cut short; an answer in which that happened is not kept. */
  #cuts = 0;

  constructor(project: LoadedProject, contract: KnownContract) {
    this.project = project;
    this.checker = project.checker;
    this.references = new ReferenceIndex(project);
    this.contract = contract;
  }

  reduce(value: StaticValue): StaticValue {
    if (value.kind !== 'expression' || value.scope.size > 0) {
      return this.#reduce(value);
    }
    const known = this.#reduced.get(value.node);
    if (known !== undefined && !this.#isSpent()) {
      // It counts, so that what asks for the same thing over and over comes to an end.
      this.#steps = this.#depth === 0 ? 0 : this.#steps + 1;
      return known;
    }
    const cutsBefore = this.#cuts;
    const reduced = this.#reduce(value);
    if (this.#cuts === cutsBefore) {
      this.#reduced.set(value.node, reduced);
    }
    return reduced;
  }

  #reduce(value: StaticValue): StaticValue {
    let current = value;
    for (let hops = 0; current.kind === 'expression'; hops += 1) {
      this.#steps = this.#depth === 0 && hops === 0 ? 0 : this.#steps + 1;
      this.#stepsTogether += 1;
      if (hops > MAX_DEPTH || this.#depth > MAX_DEPTH) {
        return this.#cut(`${shortText(current.node)} refers to itself`, current.node);
      }
      if (this.#isSpent()) {
        return this.#cut(`too much code decides ${shortText(current.node)}`, current.node);
      }
      this.#depth += 1;
      const next = this.#step(current.node, current.scope);
      this.#depth -= 1;
      if (next === null) {
        return current;
      }
      current = next;
    }
    if (current.kind === 'choice') {
      const [only] = current.options;
      return current.options.length === 1 && only !== undefined ? this.reduce(only) : current;
    }
    return current;
  }

  together<T>(work: () => T): T {
    if (this.#isTogether) {
      return work();
    }
    this.#isTogether = true;
    this.#stepsTogether = 0;
    try {
      return work();
    } finally {
      this.#isTogether = false;
    }
  }

  #isSpent(): boolean {
    return this.#steps > MAX_STEPS || (this.#isTogether && this.#stepsTogether > MAX_STEPS_TOGETHER);
  }

  #cut(why: string, node: ts.Node): UnknownValue {
    this.#cuts += 1;
    return undecided(why, node);
  }

  property(value: StaticValue, key: string): StaticValue {
    const object = this.reduce(value);
    if (this.#depth > MAX_DEPTH && object.kind === 'expression') {
      return this.#cut(`${shortText(object.node)} refers to itself`, object.node);
    }
    // A choice of choices has more members than anybody would read.
    this.#steps += 1;
    if (object.kind === 'choice' && this.#isSpent()) {
      return this.#cut(`too much code decides ${shortText(object.cause.node)}`, object.cause.node);
    }
    this.#depth += 1;
    const member = this.#memberOf(object, key);
    this.#depth -= 1;
    return member;
  }

  #memberOf(object: StaticValue, key: string): StaticValue {
    switch (object.kind) {
      case 'expression':
        return this.#memberOfExpression(object.node, object.scope, key);
      case 'instance':
        return instanceMember(this, object.node, object.scope, key);
      case 'class':
        return staticMember(this, object.node, object.scope, key);
      case 'module':
        return this.#memberOfModule(object.symbol, object.node, key);
      case 'array':
        return key === 'length' ? constant(object.items.length) : (object.items[Number(key)] ?? ABSENT);
      case 'merged':
        return this.#memberOfMerged(object.parts, key);
      case 'choice':
        return {
          kind: 'choice',
          options: object.options.map((option) => this.property(option, key)),
          cause: object.cause,
        };
      case 'unknown':
        return object;
      case 'constant':
      case 'function':
        return ABSENT;
    }
  }

  fold(value: StaticValue): Folded {
    const reduced = this.reduce(value);
    if (this.#depth > MAX_DEPTH && reduced.kind === 'expression') {
      return this.#cut(`${shortText(reduced.node)} refers to itself`, reduced.node);
    }
    this.#depth += 1;
    const folded = foldReduced(this, reduced);
    this.#depth -= 1;
    return folded;
  }

  elements(value: StaticValue): readonly StaticValue[] | null {
    const list = this.reduce(value);
    if (list.kind === 'array') {
      return list.items;
    }
    if (list.kind !== 'expression' || !ts.isArrayLiteralExpression(list.node)) {
      return null;
    }
    const items: StaticValue[] = [];
    for (const element of list.node.elements) {
      if (ts.isSpreadElement(element)) {
        const inner = this.elements(valueOf(element.expression, list.scope));
        if (inner === null) {
          return null;
        }
        items.push(...inner);
      } else {
        items.push(valueOf(element, list.scope));
      }
    }
    return items;
  }

  /** One step towards what an expression stands for; null where it stands for itself. */
  #step(given: ts.Expression, scope: Scope): StaticValue | null {
    const node = skipWrappers.inward(given);
    if (node !== given) {
      return valueOf(node, scope);
    }
    const known = this.contract.constantOf(node);
    if (known !== undefined) {
      return constant(known, node);
    }
    if (ts.isIdentifier(node)) {
      return reduceIdentifier(this, node, scope);
    }
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
      return this.#access(node, scope);
    }
    if (ts.isCallExpression(node)) {
      return reduceCall(this, node, scope);
    }
    if (ts.isNewExpression(node)) {
      return reduceNew(this, node, scope);
    }
    if (ts.isAwaitExpression(node)) {
      return valueOf(node.expression, scope);
    }
    if (ts.isConditionalExpression(node)) {
      return this.#conditional(node, scope);
    }
    if (ts.isBinaryExpression(node)) {
      return this.#binary(node, scope);
    }
    if (ts.isVoidExpression(node)) {
      return ABSENT;
    }
    if (ts.isMetaProperty(node)) {
      return environmentRead(this, node);
    }
    if (ts.isClassExpression(node)) {
      return { kind: 'class', node, scope };
    }
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) {
      return { kind: 'function', node, scope };
    }
    if (node.kind === SyntaxKind.ThisKeyword) {
      return this.#thisAt(node, scope);
    }
    return null;
  }

  #access(node: ts.PropertyAccessExpression | ts.ElementAccessExpression, scope: Scope): StaticValue {
    const environment = environmentRead(this, node);
    if (environment !== null) {
      return environment;
    }
    const key = ts.isPropertyAccessExpression(node)
      ? ({ kind: 'constant', value: node.name.text } as const)
      : this.fold(valueOf(node.argumentExpression, scope));
    if (key.kind === 'unknown') {
      return this.#memberByUnknownKey(node, scope, key);
    }
    const member = this.property(valueOf(node.expression, scope), String(key.value));
    if (member.kind === 'unknown' && member.verdict === 'undecided' && member.parameter === undefined) {
      return this.#memberBySymbol(node, scope) ?? member;
    }
    return member;
  }

  /** `EFFECTS[kind]`: every member may be the one. */
  #memberByUnknownKey(
    node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
    scope: Scope,
    cause: StaticValue & { kind: 'unknown' },
  ): StaticValue {
    const object = this.reduce(valueOf(node.expression, scope));
    if (object.kind === 'unknown' && object.verdict === 'not_constant') {
      return object;
    }
    return { ...cause, why: `which member of ${shortText(node.expression)} it is depends: ${cause.why}` };
  }

  /** Where the value leads nowhere, the compiler may still know what the member is. */
  #memberBySymbol(
    node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
    scope: Scope,
  ): StaticValue | null {
    const name = ts.isPropertyAccessExpression(node) ? node.name : node.argumentExpression;
    const symbol = this.references.symbolAt(name);
    if (symbol?.declarations === undefined || symbol.declarations.length === 0) {
      return null;
    }
    const value = reduceSymbol(this, symbol, node, scope);
    return value.kind === 'expression' && value.node === node ? null : value;
  }

  #conditional(node: ts.ConditionalExpression, scope: Scope): StaticValue {
    const condition = this.fold(valueOf(node.condition, scope));
    if (condition.kind === 'constant') {
      return valueOf(condition.value ? node.whenTrue : node.whenFalse, scope);
    }
    const options = [valueOf(node.whenTrue, scope), valueOf(node.whenFalse, scope)];
    return { kind: 'choice', options, cause: condition };
  }

  #binary(node: ts.BinaryExpression, scope: Scope): StaticValue | null {
    const { kind } = node.operatorToken;
    if (kind === SyntaxKind.CommaToken || kind === SyntaxKind.EqualsToken) {
      return valueOf(node.right, scope);
    }
    if (
      kind !== SyntaxKind.QuestionQuestionToken &&
      kind !== SyntaxKind.BarBarToken &&
      kind !== SyntaxKind.AmpersandAmpersandToken
    ) {
      return null;
    }
    const left = this.reduce(valueOf(node.left, scope));
    if (left.kind === 'unknown' || left.kind === 'choice') {
      const cause = left.kind === 'unknown' ? left : left.cause;
      // Of `condition && value` only the value matters; the left side is never the answer that is meant.
      const options =
        kind === SyntaxKind.AmpersandAmpersandToken
          ? [valueOf(node.right, scope), ABSENT]
          : [left, valueOf(node.right, scope)];
      return { kind: 'choice', options, cause };
    }
    const folded = foldReduced(this, left);
    const value = folded.kind === 'constant' ? folded.value : 'an object';
    const takesRight =
      kind === SyntaxKind.QuestionQuestionToken
        ? value === undefined || value === null
        : kind === SyntaxKind.BarBarToken
          ? !value
          : Boolean(value);
    return takesRight ? valueOf(node.right, scope) : left;
  }

  #thisAt(node: ts.Expression, scope: Scope): StaticValue {
    // Arrow functions, and the members of a literal that are no functions, have no `this` of their own.
    const container = ts.findAncestor(
      node.parent,
      (one) =>
        (ts.isFunctionLike(one) && !ts.isArrowFunction(one)) ||
        ts.isPropertyDeclaration(one) ||
        ts.isClassStaticBlockDeclaration(one),
    );
    const holder = container === undefined ? undefined : skipWrappers.outward(container).parent;
    const owner = holder !== undefined && ts.isPropertyAssignment(holder) ? holder.parent : holder;
    if (owner !== undefined && ts.isClassLike(owner)) {
      return scope.get(owner) ?? constructInstance(this, owner, () => null, EMPTY_SCOPE);
    }
    return owner !== undefined && ts.isObjectLiteralExpression(owner)
      ? valueOf(owner, scope)
      : undecided('what this is depends on the caller', node);
  }

  #memberOfExpression(node: ts.Expression, scope: Scope, key: string): StaticValue {
    if (ts.isObjectLiteralExpression(node)) {
      return literalMember(this, node, scope, key);
    }
    if (ts.isArrayLiteralExpression(node)) {
      const items = this.elements(valueOf(node, scope));
      if (items === null) {
        return undecided(`the elements of ${shortText(node)} are not all known`, node);
      }
      return key === 'length' ? constant(items.length) : (items[Number(key)] ?? ABSENT);
    }
    const folded = foldReduced(this, valueOf(node, scope));
    return folded.kind === 'constant' ? ABSENT : folded;
  }

  #memberOfModule(symbol: ts.Symbol, node: ts.Node, key: string): StaticValue {
    const member =
      (symbol.flags & ts.SymbolFlags.Enum) !== 0
        ? symbol.exports?.get(ts.escapeLeadingUnderscores(key))
        : this.checker.tryGetMemberInModuleExports(key, symbol);
    if (member === undefined) {
      return undecided(`${symbol.name} exports nothing called ${key} that can be found`, node);
    }
    return reduceSymbol(this, this.references.resolveAlias(member), node, EMPTY_SCOPE);
  }

  #memberOfMerged(parts: readonly StaticValue[], key: string): StaticValue {
    for (const part of [...parts].reverse()) {
      const member = this.property(part, key);
      const reduced = this.reduce(member);
      if (reduced.kind !== 'constant' || reduced.value !== undefined) {
        return member;
      }
    }
    return ABSENT;
  }
}
