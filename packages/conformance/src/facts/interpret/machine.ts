import type { ts } from '../../../engine/typescript.mjs';
import type { References } from '../values/references.js';
import type { Guard } from '../values/guard.js';
import type {
  CallSite,
  ClassValue,
  FunctionValue,
  ObjectValue,
  OpaqueValue,
  Point,
  ResultValue,
  TargetValue,
  Value,
} from '../values/value.js';
import type { PreservedType } from '../queries/preserved-types.js';
import type { TypeQueries } from '../queries/type-queries.js';
import type { LibraryOrigin } from '../values/library.js';
import type { Frame } from './frame.js';
import type { HeldByLibraries } from './held-by-libraries.js';
import type { Libraries } from './libraries.js';
import type { Patches } from './patches.js';
import type { State } from './state.js';

/** What the parts of the interpreter ask of each other. */
export interface Machine {
  readonly queries: TypeQueries;
  readonly observer: Observer;
  readonly identities: Identities;
  /** Values that come from libraries, as the catalogue of effects knows them. */
  readonly libraries: Libraries;
  readonly effects: EffectWatch;
  /** Functions that libraries keep. */
  readonly held: HeldByLibraries;
  /** What the project puts in the place of globals and of members of libraries. */
  readonly patches: Patches;

  evaluate(node: ts.Expression, at: Point): Value;
  execute(statement: ts.Statement, at: Point): void;
  branch(condition: ts.Expression, at: Point): Branches;

  /** Reads a variable, function, class, import or global by name. */
  readName(node: ts.Identifier, at: Point): Value;
  /** A variable at the top level of a file of the project; null when it has no value to be found. */
  readModuleVariable(symbol: ts.Symbol, declaration: ts.Declaration, at: Point): Value | null;
  /** What functions may have put into such a variable by the time that a tool runs; null where none does. */
  assignedInFunctions(symbol: ts.Symbol, declaration: ts.Declaration, at: Point): Value | null;
  /** An expression at the top level of its file. */
  evaluateInModule(node: ts.Expression, at: Point): Value;
  bind(name: ts.BindingName, value: Value, at: Point): void;
  assign(target: ts.Expression, value: Value, at: Point): void;

  readProperty(of: Value, name: string, at: Point, node: ts.Node): Value;
  /** Null names no property in particular: an element, an entry. */
  writeProperty(of: Value, name: string | null, value: Value, at: Point): void;
  /** An object that is made now: where one was made before, in an earlier round, nothing is assigned yet. */
  born(object: ObjectValue, at: Point): void;
  /** A value with what was assigned to the objects in it so far. */
  current(value: Value, at: Point): Value;
  /** The elements of a list may be at any place, and `more` may be among them; where it shrinks, or be gone. */
  scramble(list: Value, more: Value, shrinks: boolean, at: Point): void;
  /** Nothing is left in a collection. */
  clear(collection: Value, at: Point): void;
  /** Code that is not followed may have put `by` in the place of any property or method. */
  blur(of: Value, by: Value, at: Point): void;
  blurOf(object: ObjectValue | ClassValue | FunctionValue, at: Point): Value | null;
  /** What was assigned to a property of a class or a function; null where nothing was. */
  assignedTo(holder: ClassValue | FunctionValue, name: string, at: Point): Value | null;
  /** Counts up when something that outlives calls is changed: answers from before may not hold any more. */
  readonly lastingWrites: number;
  /** A member of the base class, with the `this` at hand. */
  readSuper(name: string, at: Point, node: ts.Node): Value;
  /** `of[key]` where the key is not known. */
  readIndexed(of: OpaqueValue, at: Point, node: ts.Node): Value;
  /** The preserved type that a function is declared to answer, where an object it answers may be one. */
  declaredAnswer(frame: Frame, object: ObjectValue, isWorthAsking: () => boolean): PreservedType | null;
  /** The preserved type that a type is, promises and null aside. */
  preservedTypeIn(type: ts.Type): PreservedType | null;
  /** The preserved type that is expected where an expression stands. */
  expectedAt(node: ts.Node): PreservedType | null;
  /** The properties of an object with everything that was ever assigned to them. */
  everAssigned(object: ObjectValue): ReadonlyMap<string, Value>;
  /** A function expression or method became a value. */
  closureMade(closure: FunctionValue): void;
  /** What iterating over a value gives. */
  elementsOf(value: Value, at: Point, node: ts.Node): Value;
  /** The value where a guard holds too. */
  restricted(value: Value, guard: Guard): Value;
  /** Properties as they are now, assignments since the object was made included. */
  propertiesOf(object: ObjectValue, at: Point): ReadonlyMap<string, Value>;
  othersOf(object: ObjectValue, at: Point): Value | null;

  /** Whether a function has nothing to do with what is looked for. */
  isPassedOver(callee: FunctionValue, site: CallSite): boolean;
  /**
   * Bounds the work for one call of a function that has nothing to do with what is looked for; null
   * when it took too much.
   */
  withAllowance(node: ts.Node, work: () => Value): Value | null;
  call(site: CallSite): Value;
  construct(site: CallSite): Value;
  invoke(callee: FunctionValue, site: CallSite): Value;
  /** An instance of a class that nobody is seen to construct: its fields by their declarations. */
  instanceOf(of: ClassValue, at: Point): Value;

  typed(type: ts.Type, of: TypedSource): Value;
  /** A value that goes where a type is declared: an object of a preserved type becomes known as one. */
  asDeclared(value: Value, type: ts.TypeNode | undefined, at: Point): Value;
  newObject(place: ts.Node, at: Point, parts: Partial<ObjectValue>): ObjectValue;

  /** Notes that something here can throw, with what is known so far. */
  mayThrow(at: Point, thrown?: Value): void;
  /** Notes that something runs here which can change anything, variables included. */
  giveUp(why: string, at: Point): void;
  /** From here on a function may run at any time: what it gives to variables outside may be in them. */
  unsettle(changes: ReadonlyMap<string, Value>, running: Frame | null): void;
  /** Whether the bound on the work for one root is reached; counts one step. */
  isSpent(): boolean;
  spend(lookUps: number): void;

  /** A variable's value, its alternatives marked so that a condition on one tells which it is. */
  told(cell: string, value: Value, at: Point): Value;
  /** The same for a value that is about to be stored. */
  chosen(value: Value, at: Point): Value;
  withDefault(value: Value, initializer: ts.Expression, at: Point): Value;
  /** Notes that a variable holds a preserved value, with what scopes it. */
  noteHolder(cell: string, value: Value, declaration: ts.Node, at: Point): void;
  /** Whether something that is made in a function can use its variables after it ended. */
  mayOutlive(node: ts.Node): boolean;
  /** An activation is over: what only a running one needs is let go. */
  retire(frame: Frame): void;
  newFrame(node: ts.Node, parts: FrameParts): Frame;
  /** A key of a value as it is now, assignments to objects included. */
  currentKey(value: Value, at: Point): string;
  numberAt(node: ts.Node): number;
  preservedClass(symbol: ts.Symbol): PreservedType | null;
  /** A parameter of a function that nobody is seen to call. */
  parameterValue(parameter: ts.ParameterDeclaration, at: Point): Value;
  inheritedMember(of: ClassValue, name: string, at: Point, node: ts.Node): Value;
  callSuper(given: Pick<CallSite, 'node' | 'args' | 'spread'>, at: Point): Value;
  /** A function that outside code may call: with arguments of its declared types, or not at all. */
  callBack(
    callback: FunctionValue,
    site: CallSite,
    parameter: ts.Symbol | null,
    options?: CallBackOptions,
  ): Value;
  /** An empty list or map that lives longer than what is interpreted here: others fill it. */
  isFilledElsewhere(object: ObjectValue, at: Point): boolean;
  /** By the checker's type of a node. */
  typedAt(node: ts.Node, at: Point, why: string): Value;
  typedElements(node: ts.Node, at: Point): Value;
  contentAnswer(method: string, site: CallSite): Value | null;
  readCell(cell: string, frame: Frame, at: Point): Value | undefined;
  writeCell(cell: string, value: Value, frame: Frame, at: Point): void;
}

export interface CallBackOptions {
  /** What the library that calls it hands over, as the catalogue of effects knows it. */
  readonly passed?: LibraryOrigin | null;
  /** Whether it is kept, and may be called at any time later. */
  readonly isKept?: boolean;
  /** Whether what it is given, where no type says what that is, is the library's own. */
  readonly isHeld?: boolean;
}

export type FrameParts = Pick<Frame, 'enclosing' | 'caller' | 'call' | 'self' | 'args' | 'entry'> &
  Partial<Pick<Frame, 'effects'>>;

export interface Branches {
  readonly whenTrue: State;
  readonly whenFalse: State;
}

/** Where a value that is known by its type comes from. */
export interface TypedSource {
  readonly place: ts.Node;
  /** What names the thing: equal tags are the same thing. */
  readonly tag: string;
  readonly at: Point;
  readonly origin: number;
  readonly description: string;
  /** Why only the type is known. */
  readonly why: string;
  readonly references: References;
  readonly symbol?: ts.Symbol | null;
  readonly receiver?: Value | null;
  /** One of many: an element. */
  readonly isElement?: boolean;
  readonly depth?: number;
}

/** Numbers for things that must be recognised again. */
export interface Identities {
  /** The number of what a tag names; the frame that names it first is its birth. */
  of(tag: string, frame: Frame): number;
  /**
   * The same whichever activation names it, for what is only ever data: so two calls with the same data are
   * the same call.
   */
  shared(tag: string): number;
  /** The subject of guards on whether a field of a value is empty. */
  ofField(id: number, name: string): number;
  /** A number that stands for which of several values a variable holds. */
  choice(frame: Frame): number;
  isChoice(id: number): boolean;
  /** The id of the frame in which it was made. */
  birthOf(id: number): number;
}

/** Watches what calls do to the world. It watches only where a tool's code runs. */
export interface EffectWatch {
  readonly isWatching: boolean;
  /** Code that is not here is called, or a class of it constructed. */
  called(call: OutsideCall): void;
  /** A call, of which not even the callee is known. */
  unknown(node: ts.Node, why: string, at: Point): void;
  /** An exception is thrown explicitly. */
  thrown(node: ts.ThrowStatement, at: Point): void;
  /** Something is answered: a value is returned, or a result made that says that nothing was written. */
  answered(node: ts.Node, at: Point): void;
  /** What lives longer than the call is changed: a variable, a property, a list. */
  stateChanged(node: ts.Node, at: Point): void;
}

/** A call of code that is not here. */
export interface OutsideCall {
  readonly site: CallSite;
  /** What in a library is called; null where no library is known. */
  readonly origin: LibraryOrigin | null;
  /** What it is called on. */
  readonly receiver: LibraryOrigin | null;
  /** The last name of the callee; empty where it has none. */
  readonly name: string;
  readonly isNew: boolean;
  /** Where the data that it is a method of comes from: bits as in a value's origin. */
  readonly from: number;
}

/** Watches preserved values being made and handed on. */
export interface Observer {
  /** A value of a preserved type is at hand that was not made here: a parameter, an answer. */
  appeared(id: number, live: LiveValue): void;
  resultMade(result: ResultValue, node: ts.Node, at: Point): void;
  targetMade(target: TargetValue, node: ts.Node, at: Point): void;
  /** An object of a preserved type is complete: it is returned, or its function ends. */
  objectMade(object: ObjectValue, preserved: PreservedType, at: Point): void;
  /** An object literal was evaluated; what it is for may make it a preserved value. */
  literalMade(object: ObjectValue, at: Point): void;
  returned(value: Value, node: ts.Node, at: Point): void;
  /** A function is done; what it made and did not return is complete. */
  ended(frame: Frame, at: Point): void;
  /** A variable that held a preserved value is given another one. */
  replaced(before: Value, after: Value, node: ts.Node, at: Point): void;
}

export interface LiveValue {
  readonly preserved: PreservedType;
  readonly place: ts.Node;
  readonly description: string;
  readonly frame: Frame;
  /** The innermost loop that was running where it appeared. */
  readonly loop: ts.Node | null;
  readonly isElement: boolean;
  /** Of a result: the forms that it can have. */
  readonly forms: number;
  /** What is known of it beyond its type; null when that is all. */
  readonly value: ResultValue | TargetValue | null;
}
