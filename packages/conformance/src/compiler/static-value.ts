import type { ts } from '../../engine/typescript.mjs';
import type { Checker, LoadedProject } from '../load/loaded-project.js';
import type { ReferenceIndex } from './reference-index.js';

/** What names stand for inside a call: parameters, loop variables, and `this` by the class around it. */
export type Scope = ReadonlyMap<Bindable | ts.ClassLikeDeclaration, StaticValue>;
export type MutableScope = Map<Bindable | ts.ClassLikeDeclaration, StaticValue>;
/** A declaration whose value comes from elsewhere: from callers, or from the list that a loop runs over. */
export type Bindable = ts.ParameterDeclaration | ts.VariableDeclaration;

export const EMPTY_SCOPE: Scope = new Map();

export type Primitive = string | number | boolean | null | undefined;

/** What the source says of a value, without running it. */
export type StaticValue =
  | { readonly kind: 'expression'; readonly node: ts.Expression; readonly scope: Scope }
  | { readonly kind: 'constant'; readonly value: Primitive; readonly node: ts.Node | null }
  | { readonly kind: 'function'; readonly node: FunctionNode; readonly scope: Scope }
  | { readonly kind: 'class'; readonly node: ts.ClassLikeDeclaration; readonly scope: Scope }
  | { readonly kind: 'instance'; readonly node: ts.ClassLikeDeclaration; readonly scope: Scope }
  | { readonly kind: 'module'; readonly symbol: ts.Symbol; readonly node: ts.Node }
  | { readonly kind: 'array'; readonly items: readonly StaticValue[]; readonly node: ts.Node }
  /** `Object.assign` of several objects: the last one that has a key wins. */
  | { readonly kind: 'merged'; readonly parts: readonly StaticValue[]; readonly node: ts.Node }
  /** Which of them it is depends on something that is not known. */
  | { readonly kind: 'choice'; readonly options: readonly StaticValue[]; readonly cause: UnknownValue }
  | UnknownValue;

export type FunctionNode =
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration
  | ts.GetAccessorDeclaration
  | ts.ConstructorDeclaration;

/**
 * `not_constant`: the source says that it is decided at run time. `undecided`: the source does not say,
 * and `parameter` names the binding that a caller (or a loop's list) would decide.
 */
export interface UnknownValue {
  readonly kind: 'unknown';
  readonly verdict: 'not_constant' | 'undecided';
  /** A clause without a capital or a full stop. */
  readonly why: string;
  readonly node: ts.Node;
  readonly parameter?: Bindable;
}

export function constant(value: Primitive, node: ts.Node | null = null): StaticValue {
  return { kind: 'constant', value, node };
}

export const ABSENT: StaticValue = constant(undefined);

export function notConstant(why: string, node: ts.Node): UnknownValue {
  return { kind: 'unknown', verdict: 'not_constant', why, node };
}

export function undecided(why: string, node: ts.Node, parameter?: Bindable): UnknownValue {
  return parameter === undefined
    ? { kind: 'unknown', verdict: 'undecided', why, node }
    : { kind: 'unknown', verdict: 'undecided', why, node, parameter };
}

/** The same where the words cost more than the answer, and are rarely read. */
export function undecidedBecause(describe: () => string, node: ts.Node): UnknownValue {
  return {
    kind: 'unknown',
    verdict: 'undecided',
    get why() {
      return describe();
    },
    node,
  };
}

/** How the parts of the evaluation call each other, and what they know. */
export interface Evaluation {
  readonly project: LoadedProject;
  readonly checker: Checker;
  readonly references: ReferenceIndex;
  readonly contract: KnownContract;
  /** A value with names, calls and type assertions followed as far as the source allows. */
  reduce(value: StaticValue): StaticValue;
  /** A member of a value; {@link ABSENT} where it has none of that name. */
  property(value: StaticValue, key: string): StaticValue;
  /** A constant, or why there is none. */
  fold(value: StaticValue): Folded;
  /** Several questions that are one to whoever asks: together they take no more steps than one may. */
  together<T>(work: () => T): T;
  /** The values of an array or of another list; null where they are not known one by one. */
  elements(value: StaticValue): readonly StaticValue[] | null;
}

export type Folded = { readonly kind: 'constant'; readonly value: Primitive } | UnknownValue;

/** What an adapter knows of its framework, whether that is installed or not. */
export interface KnownContract {
  /** The value of a member of one of the framework's constants; undefined for anything else. */
  constantOf(node: ts.Expression): Primitive;
  /** Whether a call answers its first argument, as a factory of tools does. */
  isIdentityCall(call: ts.CallExpression): boolean;
}

/** An argument, or any other expression, as a value in a scope. */
export function valueOf(node: ts.Expression, scope: Scope): StaticValue {
  return { kind: 'expression', node, scope };
}
