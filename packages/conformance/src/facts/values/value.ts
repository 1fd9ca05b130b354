import type { ts } from '../../../engine/typescript.mjs';
import type { Guard } from './guard.js';
import type { LibraryOrigin, TextParts } from './library.js';
import type { HeldCode } from './held-code.js';
import type { References } from './references.js';
import type { Frame } from '../interpret/frame.js';
import type { State } from '../interpret/state.js';
import type { PreservedType } from '../queries/preserved-types.js';

/** What an expression can be: one of these alternatives. None at all: it never has a value. */
export interface Value {
  readonly alternatives: readonly Alternative[];
}

export type Alternative =
  | LiteralValue
  | OpaqueValue
  | ResultValue
  | TargetValue
  | ObjectValue
  | FunctionValue
  | NativeFunction
  | ClassValue
  | PromiseValue
  | ExternalValue
  | ModuleValue;

interface Tracked {
  /** The preserved values that it derives from. */
  readonly references: References;
  /** What holds on the paths where it is this alternative. */
  readonly when: Guard;
}

export type Literal = string | number | boolean | bigint | null | undefined;

export interface LiteralValue extends Tracked {
  readonly kind: 'literal';
  readonly value: Literal;
}

/** Where data comes from, as a bit mask; no bit: from the code's surroundings. */
export const FROM_ARGUMENTS = 1;
export const FROM_CALL = 2;
/** Random, time, environment: neither the input nor what a call answered about the record. */
export const FROM_ELSEWHERE = 4;

/** A value of which only the type, or not even that, is known. */
export interface OpaqueValue extends Tracked {
  readonly kind: 'opaque';
  readonly origin: number;
  /** Why what it is cannot be known; empty when its type says that it is no result. */
  readonly unknown: string;
  /** What it is, for a message. */
  readonly description: string;
  readonly place: ts.Node | null;
  readonly type: ts.Type | null;
  /** The member that it was read from, and from what: how a method without a body is called. */
  readonly symbol: ts.Symbol | null;
  readonly receiver: Value | null;
  /** It is not empty, zero or false. */
  readonly isTruthy: boolean;
  /** The preserved type that it has, and its identity; null and 0 without one. */
  readonly preserved: PreservedType | null;
  readonly id: number;
  /** What in a library gave it; null where that is not known. */
  readonly library: LibraryOrigin | null;
  /** What a text consists of, where it was put together. */
  readonly text: TextParts<Value> | null;
  /** The functions that a library keeps in it; null where it keeps none. */
  readonly held: HeldCode | null;
}

/** A tool result of one kind. */
export interface ResultValue extends Tracked {
  readonly kind: 'result';
  readonly id: number;
  /** One of the bits of result-kinds.ts. Alternatives of one id are one result whose kind is open. */
  readonly form: number;
  readonly content: Value;
  readonly artifacts: Value;
  /** The target, or the literal null. */
  readonly target: Value;
  readonly place: ts.Node;
  /** Why only its type is known; empty for one that was made in code that was read. */
  readonly typed: string;
  /** How many kinds its type allows: of a wide type, none is shown. */
  readonly typedForms: number;
  readonly trail: Trail | null;
}

export interface TargetValue extends Tracked {
  readonly kind: 'target';
  readonly id: number;
  readonly table: Value;
  readonly uid: Value;
  readonly place: ts.Node;
}

export type Collection = 'array' | 'map' | 'set' | 'iterator' | 'weak';

/** An object whose properties are known. */
export interface ObjectValue extends Tracked {
  readonly kind: 'object';
  readonly id: number;
  /** As it was made; what was assigned later is in the state. */
  readonly properties: ReadonlyMap<string, Value>;
  /** Getters and setters of a literal, which run at each use; `properties` has what a getter gave at first. */
  readonly accessors: ReadonlyMap<string, Accessors> | null;
  /** What may be under any other key: elements, entries, spreads of the unknown. Null: nothing. */
  readonly others: Value | null;
  readonly collection: Collection | null;
  readonly of: ClassValue | null;
  readonly preserved: PreservedType | null;
  readonly place: ts.Node;
}

export interface Accessors {
  readonly get: FunctionValue | null;
  readonly set: FunctionValue | null;
}

export interface FunctionValue extends Tracked {
  readonly kind: 'function';
  readonly node: ts.SignatureDeclaration;
  readonly frame: Frame | null;
  /** `this`, where it is bound or captured. */
  readonly self: Value | null;
  readonly bound: readonly Value[];
}

/** A function that the analysis itself provides: a promise's resolve, a bound library method. */
export interface NativeFunction extends Tracked {
  readonly kind: 'native';
  readonly key: string;
  readonly call: NativeCall;
  /** The name of a method that works on whatever it is called on, for `[].push.call(list, …)`. */
  readonly method: string | null;
}

export type NativeCall = (call: CallSite) => Value;

export interface ClassValue extends Tracked {
  readonly kind: 'class';
  readonly node: ts.ClassLikeDeclaration;
  readonly frame: Frame | null;
}

export interface PromiseValue extends Tracked {
  readonly kind: 'promise';
  readonly value: Value;
}

/** Something that is declared outside the project's own code: a global, an import, a member of one. */
export interface ExternalValue extends Tracked {
  readonly kind: 'external';
  /** Module specifier or package; empty for a global. */
  readonly module: string;
  /** Member path, for example `Promise.all`. */
  readonly path: string;
  /** What was imported or is global; null where it is not installed. */
  readonly symbol: ts.Symbol | null;
  /** The members that were read from the symbol. */
  readonly members: readonly string[];
  /** The module specifier and name that it was imported by, where they say more than its declaration. */
  readonly importedAs?: { readonly module: string; readonly path: string };
}

/** A module of the project's own code, or a namespace. */
export interface ModuleValue extends Tracked {
  readonly kind: 'module';
  readonly symbol: ts.Symbol;
}

/** One call, evaluated up to its arguments. */
export interface CallSite {
  readonly node: ts.Node;
  readonly self: Value;
  readonly callee: Value;
  readonly args: readonly Value[];
  /** Where the arguments are not a fixed list: everything that may be in them. */
  readonly spread: Value | null;
  readonly at: Point;
}

/** Where the interpretation stands: the function it is in, and what is known there. */
export interface Point {
  readonly frame: Frame;
  state: State;
}

/** The calls that a result came through, innermost first. */
export interface Trail {
  readonly call: ts.Node;
  readonly callee: string;
  readonly inner: Trail | null;
}
