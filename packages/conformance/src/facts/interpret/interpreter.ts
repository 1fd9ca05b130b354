import { ts } from '../../../engine/typescript.mjs';
import { contentTarget } from '../intrinsics/sdk-results.js';
import { elementsOf } from '../intrinsics/collections.js';
import { type Guard } from '../values/guard.js';
import { join, map, under } from '../values/join.js';
import { numberOf } from '../values/keys.js';
import { NEVER, UNDEFINED, opaque, unknownValue } from '../values/make.js';
import { NO_REFERENCES } from '../values/references.js';
import { NO_GUARD } from '../values/guard.js';
import {
  FROM_CALL,
  type CallSite,
  type ClassValue,
  type FunctionValue,
  type ObjectValue,
  type OpaqueValue,
  type Point,
  type Value,
} from '../values/value.js';
import { RESULT, type PreservedType } from '../queries/preserved-types.js';
import type { TypeQueries } from '../queries/type-queries.js';
import { assign, bind, chosen, withDefault } from './bindings.js';
import { Activations } from './activations.js';
import { call } from './calls.js';
import {
  asWritten,
  callBack,
  inheritedMember,
  isUnknown,
  parameterValue,
  readIndexed,
  typedAt,
  typedElements,
} from './declared-values.js';
import { callSuper, construct, readSuper, symbolicInstance } from './classes.js';
import { branch } from './conditions.js';
import { evaluate } from './expressions.js';
import type { Frame } from './frame.js';
import { Functions } from './functions.js';
import { HeldByLibraries, keepProperty } from './held-by-libraries.js';
import { asOwnInterface } from './implementing-code.js';
import { IdentityTable } from './identities.js';
import type { Libraries } from './libraries.js';
import type { Branches, CallBackOptions, Machine, Observer, TypedSource } from './machine.js';
import { Modules } from './modules.js';
import { readName } from './names.js';
import { ObjectStore } from './object-store.js';
import { Patches } from './patches.js';
import { readProperty } from './properties.js';
import { CallEffects } from '../effects/call-effects.js';
import { isSpreadInto } from './spread-into.js';
import { execute } from './statements.js';
import { touch } from './touchy-values.js';
import { typedValue } from './typed-values.js';
import { Variables } from './variables.js';
import { WRITTEN } from './written.js';

/** Expressions in calls in expressions: more would exhaust the stack. */
const DEEPEST_NESTING = 500;
const MOST_CLOSURES = 6;

/** Interprets code over abstract values, one root (a tool, a function, a file) at a time. */
export class Interpreter extends Activations implements Machine {
  readonly queries: TypeQueries;
  readonly observer: Observer;
  readonly libraries: Libraries;
  readonly effects: CallEffects;
  readonly held = new HeldByLibraries();
  readonly patches: Patches = new Patches(this, () => this.queries.patchedMembers());
  readonly identities = new IdentityTable();
  readonly functions: Functions;
  readonly #modules: Modules;
  readonly #objects: ObjectStore;
  readonly #variables = new Variables(this.initials);
  readonly #told = new WeakSet<Value>();
  readonly #preservedClass: (symbol: ts.Symbol) => PreservedType | null;
  /** The functions that answer calls of tools: what they return is a tool result, declared or not. */
  readonly toolCode = new Set<ts.Node>();
  readonly #instances = new Map<ts.Node, Value>();
  readonly #watched = new Map<ts.Node, Value>();
  /** The closures that were made of each function. */
  readonly closures = new Map<ts.Node, readonly FunctionValue[]>();

  constructor(
    queries: TypeQueries,
    observer: Observer,
    preservedClass: (symbol: ts.Symbol) => PreservedType | null,
    libraries: Libraries,
  ) {
    super();
    this.libraries = libraries;
    this.effects = new CallEffects(this, () => this.isInTool);
    this.queries = queries;
    this.observer = observer;
    this.#preservedClass = preservedClass;
    this.functions = new Functions(this);
    this.#modules = new Modules(this);
    this.#objects = new ObjectStore(this, this.initials, this.#variables.unsettled);
  }

  protected override noteFrame(frame: Frame): void {
    this.#objects.noteFrame(frame);
  }

  runModule(file: ts.SourceFile): void {
    this.#modules.run(file);
  }

  evaluate(node: ts.Expression, at: Point): Value {
    if (this.nesting >= DEEPEST_NESTING) {
      return unknownValue(`the code nests deeper than ${String(DEEPEST_NESTING)} levels`, node);
    }
    this.nesting += 1;
    const value = evaluate(this, node, at);
    touch(this, value, at, node);
    this.nesting -= 1;
    const watched = this.#watched.get(node);
    if (watched !== undefined) {
      this.#watched.set(node, join(watched, value));
    }
    return value;
  }

  /** Remembers what an expression evaluates to, wherever it is evaluated from now on. */
  watch(node: ts.Node): void {
    this.#watched.set(node, NEVER);
  }

  watched(node: ts.Node): Value {
    return this.#watched.get(node) ?? NEVER;
  }

  closureMade(closure: FunctionValue): void {
    const known = this.closures.get(closure.node) ?? [];
    if (known.length < MOST_CLOSURES) {
      this.closures.set(closure.node, [...known, closure]);
    }
  }

  execute(statement: ts.Statement, at: Point): void {
    execute(this, statement, at);
  }

  branch(condition: ts.Expression, at: Point): Branches {
    return branch(this, condition, at);
  }

  readName(node: ts.Identifier, at: Point): Value {
    return readName(this, node, at);
  }

  readModuleVariable(symbol: ts.Symbol, declaration: ts.Declaration, at: Point): Value | null {
    return this.#modules.read(symbol, declaration, at);
  }

  assignedInFunctions(symbol: ts.Symbol, declaration: ts.Declaration, at: Point): Value | null {
    return this.#modules.assignedBefore(symbol, declaration, at);
  }

  evaluateInModule(node: ts.Expression, at: Point): Value {
    return this.#modules.evaluate(node, at);
  }

  bind(name: ts.BindingName, value: Value, at: Point): void {
    bind(this, name, value, at);
  }

  assign(target: ts.Expression, value: Value, at: Point): void {
    assign(this, target, value, at);
  }

  withDefault(value: Value, initializer: ts.Expression, at: Point): Value {
    return withDefault(this, value, initializer, at);
  }

  chosen(value: Value, at: Point): Value {
    const marked = chosen(this, value, at);
    this.#told.add(marked);
    return marked;
  }

  told(cell: string, value: Value, at: Point): Value {
    if (value.alternatives.length < 2 || this.#told.has(value)) {
      return value;
    }
    const marked = this.chosen(value, at);
    at.state.set(cell, marked);
    return marked;
  }

  restricted(value: Value, guard: Guard): Value {
    return under(value, guard);
  }

  readProperty(of: Value, name: string, at: Point, node: ts.Node): Value {
    return readProperty(this, of, name, at, node);
  }

  writeProperty(of: Value, name: string | null, value: Value, at: Point): void {
    this.#noteChange(of, at);
    if (name !== null && value.alternatives.some(({ kind }) => kind === 'function')) {
      keepProperty(this, of, name, value, at);
    }
    this.#objects.write(of, name, value, at);
  }

  #noteChange(of: Value, at: Point): void {
    for (const one of of.alternatives) {
      if (one.kind === 'object') {
        this.#noteLasting(this.identities.birthOf(one.id), at);
      } else if (one.kind === 'external' || one.kind === 'module' || one.kind === 'class') {
        this.#noteLasting(0, at);
      }
    }
  }

  propertiesOf(object: ObjectValue, at: Point): ReadonlyMap<string, Value> {
    return this.#objects.propertiesOf(object, at);
  }

  othersOf(object: ObjectValue, at: Point): Value | null {
    return this.#objects.othersOf(object, at);
  }

  newObject(place: ts.Node, at: Point, parts: Partial<ObjectValue>): ObjectValue {
    const object: ObjectValue = {
      kind: 'object',
      id: parts.id ?? this.identities.of(`object ${String(numberOf(place))}`, at.frame),
      properties: parts.properties ?? new Map(),
      accessors: parts.accessors ?? null,
      others: parts.others ?? null,
      collection: parts.collection ?? null,
      of: parts.of ?? null,
      preserved: parts.preserved ?? null,
      place: parts.place ?? place,
      references: parts.references ?? NO_REFERENCES,
      when: parts.when ?? NO_GUARD,
    };
    this.#objects.born(object, at);
    return object;
  }

  born(object: ObjectValue, at: Point): void {
    this.#objects.born(object, at);
  }

  current(value: Value, at: Point): Value {
    return this.#objects.current(value, at);
  }

  scramble(list: Value, more: Value, shrinks: boolean, at: Point): void {
    this.#noteChange(list, at);
    this.#objects.scramble(list, more, shrinks, at);
  }

  clear(collection: Value, at: Point): void {
    this.#noteChange(collection, at);
    this.#objects.clear(collection, at);
  }

  blur(of: Value, by: Value, at: Point): void {
    this.#objects.blur(of, by, at);
  }

  blurOf(object: ObjectValue | ClassValue | FunctionValue, at: Point): Value | null {
    return this.#objects.blurOf(object, at);
  }

  assignedTo(holder: ClassValue | FunctionValue, name: string, at: Point): Value | null {
    return this.#objects.assignedTo(holder, name, at);
  }

  get lastingWrites(): number {
    return this.#objects.lastingWrites;
  }

  isFilledElsewhere(object: ObjectValue, at: Point): boolean {
    return this.#objects.isFilledElsewhere(object, at);
  }

  currentKey(value: Value, at: Point): string {
    return this.#objects.keyOf(value, at);
  }

  call(site: CallSite): Value {
    return call(this, site);
  }

  construct(site: CallSite): Value {
    return construct(this, site);
  }

  invoke(callee: FunctionValue, site: CallSite): Value {
    return this.functions.invoke(callee, site);
  }

  callSuper(given: Pick<CallSite, 'node' | 'args' | 'spread'>, at: Point): Value {
    return callSuper(this, given, at);
  }

  readSuper(name: string, at: Point, node: ts.Node): Value {
    return readSuper(this, name, at, node);
  }

  instanceOf(of: ClassValue, at: Point): Value {
    let instance = this.#instances.get(of.node);
    if (instance === undefined || of.frame !== null) {
      instance = symbolicInstance(this, of, at);
      this.#instances.set(of.node, instance);
    }
    return instance;
  }

  inheritedMember(of: ClassValue, name: string, at: Point, node: ts.Node): Value {
    return inheritedMember(this, of, name, at, node);
  }

  callBack(
    callback: FunctionValue,
    site: CallSite,
    parameter: ts.Symbol | null,
    options: CallBackOptions,
  ): Value {
    return callBack(this, callback, site, parameter, options);
  }

  parameterValue(parameter: ts.ParameterDeclaration, at: Point): Value {
    return parameterValue(this, parameter, at);
  }

  typedAt(node: ts.Node, at: Point, why: string): Value {
    return typedAt(this, node, at, why);
  }

  typedElements(node: ts.Node, at: Point): Value {
    return typedElements(this, node, at);
  }

  readIndexed(of: OpaqueValue, at: Point, node: ts.Node): Value {
    return readIndexed(this, of, at, node);
  }

  typed(type: ts.Type, source: TypedSource): Value {
    return typedValue(this, type, source);
  }

  elementsOf(value: Value, at: Point, node: ts.Node): Value {
    return elementsOf(this, value, at, node);
  }

  asDeclared(value: Value, type: ts.TypeNode | undefined, at: Point): Value {
    if (
      type === undefined ||
      !value.alternatives.some((one) => isUnknown(one) || (one.kind === 'object' && one.collection === null))
    ) {
      return value;
    }
    const preserved = this.preservedTypeOfNode(type);
    if (preserved === null) {
      return asOwnInterface(this, value, type);
    }
    if (value.alternatives.every(isUnknown) && (preserved.kind === 'mcp' || preserved.kind === 'marked')) {
      return asWritten(this, value, type, at);
    }
    return map(value, (one) => {
      if (one.kind !== 'object' || one.collection !== null || one.preserved !== null) {
        return one;
      }
      const object: ObjectValue = { ...one, preserved };
      this.observer.objectMade(object, preserved, at);
      return object;
    });
  }

  /** The one preserved type that a type node names, promises and null aside. */
  preservedTypeOfNode(type: ts.TypeNode): PreservedType | null {
    const unresolved = this.queries.preservedAt(type);
    return unresolved ?? this.preservedTypeIn(this.queries.declaredType(type));
  }

  preservedTypeIn(type: ts.Type): PreservedType | null {
    return this.#modules.preservedTypeIn(type);
  }

  declaredAnswer(frame: Frame, object: ObjectValue, isWorthAsking: () => boolean): PreservedType | null {
    const { node } = frame;
    if (!ts.isFunctionLike(node)) {
      return null;
    }
    if (node.type !== undefined) {
      return this.preservedTypeOfNode(node.type);
    }
    if (!isWorthAsking()) {
      return null;
    }
    return this.toolCode.has(node) ? RESULT : this.expectedAt(object.place);
  }

  expectedAt(node: ts.Node): PreservedType | null {
    if (!ts.isExpression(node) || isSpreadInto(node)) {
      return null;
    }
    const type = this.queries.contextualType(node);
    return type === null ? null : this.preservedTypeIn(type);
  }

  everAssigned(object: ObjectValue): ReadonlyMap<string, Value> {
    return this.#objects.everAssigned(object);
  }

  preservedClass(symbol: ts.Symbol): PreservedType | null {
    return this.#preservedClass(symbol);
  }

  contentAnswer(method: string, site: CallSite): Value | null {
    const [first = UNDEFINED] = site.args;
    const uid = opaque({ origin: FROM_CALL, description: 'the uid that the content handler answers' });
    switch (method) {
      case 'create':
        return { alternatives: [promiseOf(contentTarget(this, first, site, uid))] };
      case 'update':
      case 'delete': {
        const table = this.readProperty(first, 'table', site.at, site.node);
        const plain = map(table, (one) => ({ ...one, references: NO_REFERENCES }));
        return { alternatives: [promiseOf(contentTarget(this, plain, site, uid))] };
      }
      default:
        return null;
    }
  }

  mayThrow(at: Point, thrown: Value = NEVER): void {
    const record = at.frame.tries.at(-1);
    if (record === undefined || at.state.isDead) {
      return;
    }
    record.thrown = join(record.thrown, thrown);
    for (const [cell, value] of at.state.changesSince(record.base)) {
      if (record.noted.get(cell) === value || cell === WRITTEN) {
        continue;
      }
      record.noted.set(cell, value);
      record.changes.set(cell, join(record.changes.get(cell) ?? record.base.before(cell), value));
    }
  }

  readCell(cell: string, frame: Frame, at: Point): Value | undefined {
    return this.#variables.read(cell, frame, at);
  }

  writeCell(cell: string, value: Value, frame: Frame, at: Point): void {
    if (frame !== at.frame) {
      this.#noteLasting(frame.id, at);
    }
    this.#variables.write(cell, value, frame, at);
  }

  unsettle(changes: ReadonlyMap<string, Value>, running: Frame | null): void {
    this.#variables.unsettle(changes, running);
  }

  mayOutlive(node: ts.Node): boolean {
    return this.#variables.mayOutlive(node);
  }

  /** What was made before the tool was called is state of the process. */
  #noteLasting(birth: number, at: Point): void {
    if (this.effects.isWatching && birth < at.frame.root) {
      this.effects.stateChanged(at.frame.node, at);
    }
  }

  noteHolder(cell: string, value: Value, declaration: ts.Node, at: Point): void {
    const holds = value.alternatives.some(
      (one) =>
        one.kind === 'result' ||
        one.kind === 'target' ||
        ((one.kind === 'opaque' || one.kind === 'object') && one.preserved !== null),
    );
    if (holds) {
      at.frame.holders.set(cell, declaration);
    }
  }

  numberAt(node: ts.Node): number {
    return numberOf(node);
  }
}

function promiseOf(value: Value): Value['alternatives'][number] {
  return { kind: 'promise', value, references: NO_REFERENCES, when: NO_GUARD };
}
