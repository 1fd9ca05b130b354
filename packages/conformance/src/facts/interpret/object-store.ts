import { ts } from '../../../engine/typescript.mjs';
import { join, map, partsOf } from '../values/join.js';
import { numberOf, valueKey } from '../values/keys.js';
import { NEVER, UNDEFINED } from '../values/make.js';
import { memoOf } from '../values/memo.js';
import type { Alternative, ClassValue, FunctionValue, ObjectValue, Point, Value } from '../values/value.js';
import type { Frame } from './frame.js';
import type { Machine } from './machine.js';

interface Birth {
  readonly root: number;
  /** Made where a class or a file is initialised, so that it outlives the calls that use it. */
  readonly isLasting: boolean;
}

/** Something that properties can be assigned to. */
type Holder = ObjectValue | ClassValue | FunctionValue;

/** The property that stands for all that have no name: elements, entries. */
const ANY = '[]';
/** What code that is not followed may have put under any name, and in place of any method. */
const BLUR = '*';

/**
 * Properties as they are assigned after an object was made. An object's value holds what it was made
 * with; the state of a path holds the rest. A property whose value is no value at all was taken away.
 */
export class ObjectStore {
  readonly #machine: Machine;
  /** Of each property, what it was before it was first assigned: for the branches that did not. */
  readonly #initials: Map<string, Value>;
  /** The properties of each object that were ever assigned. */
  readonly #assigned = new Map<string, Set<string>>();
  readonly #ever = new Map<string, Value>();
  readonly #births = new Map<number, Birth>();
  /** What functions that may run at any time give to properties. */
  readonly #unsettled: ReadonlyMap<string, Value>;
  #lastingWrites = 0;

  constructor(machine: Machine, initials: Map<string, Value>, unsettled: ReadonlyMap<string, Value>) {
    this.#machine = machine;
    this.#unsettled = unsettled;
    this.#initials = initials;
  }

  /**
   * How often something that outlives a root was given a value that can matter: what was answered before
   * may not be answered again.
   */
  get lastingWrites(): number {
    return this.#lastingWrites;
  }

  noteFrame(frame: Frame): void {
    const isLasting = ts.isClassLike(frame.node) || ts.isSourceFile(frame.node);
    this.#births.set(frame.id, { root: frame.root, isLasting });
  }

  /** An object is made again where it was made before, in another round of a loop: nothing was assigned yet. */
  born(object: ObjectValue, at: Point): void {
    const holder = holderOf(object);
    for (const name of this.#assigned.get(holder) ?? []) {
      const cell = cellOf(holder, name);
      const initial = initialOf(object, name) ?? NEVER;
      this.#initials.set(cell, initial);
      at.state.set(cell, initial);
    }
  }

  write(of: Value, name: string | null, value: Value, at: Point): void {
    const { alternatives } = of;
    for (const object of alternatives) {
      if (!isHolder(object)) {
        continue;
      }
      const isCertain = alternatives.length === 1 && name !== null;
      this.#set(object, name ?? ANY, value, isCertain, at);
    }
  }

  /** Every element may be at any place, and `more` may be among them; where it shrinks, or be gone. */
  scramble(of: Value, more: Value, shrinks: boolean, at: Point): void {
    for (const object of of.alternatives) {
      if (object.kind !== 'object') {
        continue;
      }
      const others = this.othersOf(object, at);
      const properties = this.propertiesOf(object, at);
      const all = join(...properties.values(), ...(others === null ? [] : [others]), more);
      const isCertain = of.alternatives.length === 1;
      if (shrinks || others !== null || more.alternatives.length > 0) {
        this.#set(object, ANY, all, isCertain, at);
      }
      for (const key of properties.keys()) {
        this.#set(object, key, shrinks ? NEVER : all, isCertain, at);
      }
    }
  }

  /** Nothing is left in a collection. */
  clear(of: Value, at: Point): void {
    for (const object of of.alternatives) {
      if (object.kind !== 'object') {
        continue;
      }
      const isCertain = of.alternatives.length === 1;
      this.#set(object, ANY, NEVER, isCertain, at);
      for (const key of this.propertiesOf(object, at).keys()) {
        this.#set(object, key, NEVER, isCertain, at);
      }
    }
  }

  /** Code that is not followed may have changed anything about it. */
  blur(of: Value, by: Value, at: Point): void {
    for (const object of of.alternatives) {
      if (isHolder(object)) {
        this.#set(object, BLUR, by, false, at);
      }
    }
  }

  /** What may be there in place of any property or method; null where nothing may. */
  blurOf(object: Holder, at: Point): Value | null {
    return this.#current(object, BLUR, at) ?? null;
  }

  #set(object: Holder, key: string, value: Value, isCertain: boolean, at: Point): void {
    this.#entangle(object, at);
    const holder = holderOf(object);
    const cell = cellOf(holder, key);
    const names = this.#assigned.get(holder) ?? new Set();
    names.add(key);
    this.#assigned.set(holder, names);
    const before = at.state.get(cell);
    if (before === undefined) {
      this.#initials.set(cell, this.#initial(object, key, at));
    }
    const next = isCertain ? value : join(before ?? this.#initials.get(cell) ?? NEVER, value);
    at.state.set(cell, next);
    const ever = this.#ever.get(cell);
    this.#ever.set(cell, ever === undefined ? next : join(ever, next));
    if (this.#isLasting(object, at) && !isData(value)) {
      this.#lastingWrites += 1;
    }
  }

  #isLasting(object: Holder, at: Point): boolean {
    const id = object.kind === 'object' ? this.#machine.identities.birthOf(object.id) : object.frame?.id;
    const birth = this.#births.get(id ?? 0);
    return birth === undefined || birth.isLasting || birth.root !== at.frame.root;
  }

  #initial(object: Holder, key: string, at: Point): Value {
    const initial = object.kind === 'object' ? initialOf(object, key) : null;
    if (initial !== null) {
      return initial;
    }
    if (key === ANY || key === BLUR || (object.kind === 'object' && object.collection !== null)) {
      return NEVER;
    }
    // A method of its class, or nothing.
    const node = object.kind === 'object' ? object.place : object.node;
    return object.kind === 'object' && object.of === null
      ? UNDEFINED
      : this.#machine.readProperty({ alternatives: [object] }, key, at, node);
  }

  propertiesOf(object: ObjectValue, at: Point): ReadonlyMap<string, Value> {
    const names = this.#assigned.get(holderOf(object));
    if (names === undefined) {
      return object.properties;
    }
    this.#machine.spend(names.size);
    let properties: Map<string, Value> | null = null;
    for (const name of names) {
      const value = name === ANY || name === BLUR ? undefined : this.#current(object, name, at);
      if (value !== undefined) {
        properties ??= new Map(object.properties);
        if (value.alternatives.length === 0) {
          properties.delete(name);
        } else {
          properties.set(name, value);
        }
      }
    }
    return properties ?? object.properties;
  }

  /** What was assigned to one property of something that is no object literal or instance. */
  assignedTo(holder: ClassValue | FunctionValue, name: string, at: Point): Value | null {
    return this.#current(holder, name, at) ?? null;
  }

  othersOf(object: ObjectValue, at: Point): Value | null {
    const others = this.#current(object, ANY, at) ?? object.others;
    const blur = this.#current(object, BLUR, at);
    return blur === undefined ? others : join(blur, others ?? NEVER);
  }

  everAssigned(object: ObjectValue): ReadonlyMap<string, Value> {
    const properties = new Map(object.properties);
    const holder = holderOf(object);
    for (const name of this.#assigned.get(holder) ?? []) {
      const value = this.#ever.get(cellOf(holder, name));
      if (value !== undefined && name !== ANY && name !== BLUR) {
        properties.set(name, value);
      }
    }
    return properties;
  }

  isFilledElsewhere(object: ObjectValue, at: Point): boolean {
    if (object.collection === null || object.collection === 'iterator') {
      return false;
    }
    const isEmpty = this.propertiesOf(object, at).size === 0 && this.othersOf(object, at) === null;
    const birth = this.#births.get(this.#machine.identities.birthOf(object.id));
    return isEmpty && birth !== undefined && (birth.isLasting || birth.root !== at.frame.root);
  }

  /** On this path; of what was made by a root that ended, whatever it was given. */
  #current(object: Holder, name: string, at: Point): Value | undefined {
    const holder = holderOf(object);
    if (this.#assigned.get(holder)?.has(name) !== true) {
      return undefined;
    }
    const cell = cellOf(holder, name);
    const value = at.state.get(cell);
    if (value !== undefined) {
      const loose = this.#unsettled.size === 0 ? undefined : this.#unsettled.get(cell);
      return loose === undefined ? value : join(value, loose);
    }
    if (object.kind !== 'object') {
      return join(this.#initials.get(cell) ?? NEVER, this.#ever.get(cell) ?? NEVER);
    }
    const birth = this.#births.get(this.#machine.identities.birthOf(object.id));
    return birth?.root === at.frame.root ? undefined : this.#ever.get(cell);
  }

  /** A value with what was assigned to the objects in it, as it leaves the function that made them. */
  current(value: Value, at: Point, depth = 0): Value {
    if (depth > DEEPEST || !holdersIn(value).some((one) => this.#assigned.has(holderOf(one)))) {
      return value;
    }
    return map(value, (one): Alternative => {
      if (one.kind === 'promise') {
        return { ...one, value: this.current(one.value, at, depth + 1) };
      }
      if (one.kind !== 'object') {
        return one;
      }
      const others = this.#current(one, ANY, at) ?? one.others;
      const properties = new Map<string, Value>();
      for (const [name, property] of this.propertiesOf(one, at)) {
        properties.set(name, this.current(property, at, depth + 1));
      }
      return { ...one, properties, others: others === null ? null : this.current(others, at, depth + 1) };
    });
  }

  /** A key of a value that tells it, and what is inside of it, from what it was before an assignment. */
  keyOf(value: Value, at: Point): string {
    const own = valueKey(value, true);
    if (this.#assigned.size === 0) {
      return own;
    }
    const assigned: string[] = [];
    this.#collectAssigned(value, at, new Set(), assigned);
    return assigned.length === 0 ? own : `${own}~${assigned.join(',')}`;
  }

  #collectAssigned(value: Value, at: Point, seen: Set<string>, found: string[]): void {
    for (const one of holdersIn(value)) {
      const holder = holderOf(one);
      const names = seen.has(holder) ? undefined : this.#assigned.get(holder);
      seen.add(holder);
      for (const name of names ?? []) {
        const current = at.state.get(cellOf(holder, name));
        found.push(`${holder}.${name}=${valueKey(current ?? null, true)}`);
        if (current !== undefined) {
          this.#collectAssigned(current, at, seen, found);
        }
      }
    }
  }

  /** A function that changes an object from outside of it is interpreted at each call. */
  #entangle(object: Holder, at: Point): void {
    const birth =
      object.kind === 'object' ? this.#machine.identities.birthOf(object.id) : (object.frame?.id ?? 0);
    for (let frame: Frame | null = at.frame; frame !== null && frame.id > birth; frame = frame.caller) {
      frame.isEntangled = true;
    }
  }
}

/** Texts, numbers and the like: which it is decides nothing about results. */
function isData(value: Value): boolean {
  return value.alternatives.every(
    (one) =>
      one.kind === 'literal' || (one.kind === 'opaque' && one.unknown === '' && one.preserved === null),
  );
}

const DEEPEST = 5;

/** The objects in a value, as it was made. */
export function holdersIn(value: Value, depth = 0): readonly Holder[] {
  const memo = memoOf(value);
  let known = memo.holders as readonly Holder[] | undefined;
  if (known === undefined) {
    known = value.alternatives.flatMap((one) => [
      ...(isHolder(one) ? [one] : []),
      ...(depth < DEEPEST ? partsOf(one).flatMap((part) => holdersIn(part, depth + 1)) : []),
    ]);
    memo.holders = known;
  }
  return known;
}

function isHolder(one: Alternative): one is Holder {
  return one.kind === 'object' || one.kind === 'class' || one.kind === 'function';
}

/** As it was made; null where it was made without it. */
function initialOf(object: ObjectValue, key: string): Value | null {
  return key === ANY ? object.others : (object.properties.get(key) ?? null);
}

function holderOf(object: Holder): string {
  switch (object.kind) {
    case 'object':
      return `#${String(object.id)}`;
    case 'class':
      return `C${String(numberOf(object.node))}`;
    case 'function':
      return `F${String(numberOf(object.node))}:${String(object.frame?.id ?? 0)}`;
  }
}

function cellOf(holder: string, name: string): string {
  return `${holder}.${name}`;
}
