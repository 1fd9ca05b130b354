import { ts } from 'ts-morph';
import { join } from '../values/join.js';
import { valueKey } from '../values/keys.js';
import { UNDEFINED } from '../values/make.js';
import type { ObjectValue, Point, Value } from '../values/value.js';
import type { Frame } from './frame.js';
import type { Machine } from './machine.js';

interface Birth {
  readonly root: number;
  /** Made where a class or a file is initialised, so that it outlives the calls that use it. */
  readonly isLasting: boolean;
}

const ANY = '[]';

/**
 * Properties as they are assigned after an object was made. An object's value holds what it was made
 * with; the state of a path holds the rest.
 */
export class ObjectStore {
  readonly #machine: Machine;
  /** The properties of each object that were ever assigned. */
  readonly #assigned = new Map<number, Set<string>>();
  readonly #ever = new Map<string, Value>();
  readonly #births = new Map<number, Birth>();

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  noteFrame(frame: Frame): void {
    const isLasting = ts.isClassLike(frame.node) || ts.isSourceFile(frame.node);
    this.#births.set(frame.id, { root: frame.root, isLasting });
  }

  write(of: Value, name: string | null, value: Value, at: Point): void {
    const { alternatives } = of;
    for (const object of alternatives) {
      if (object.kind !== 'object') {
        continue;
      }
      this.#entangle(object, at);
      const key = name ?? ANY;
      const cell = cellOf(object, key);
      const names = this.#assigned.get(object.id) ?? new Set();
      names.add(key);
      this.#assigned.set(object.id, names);
      const isCertain = alternatives.length === 1 && name !== null;
      const before = isCertain
        ? null
        : (at.state.get(cell) ??
          (name === null ? object.others : (object.properties.get(name) ?? UNDEFINED)));
      at.state.set(cell, before === null ? value : join(before, value));
      const ever = this.#ever.get(cell);
      this.#ever.set(cell, ever === undefined ? value : join(ever, value));
    }
  }

  propertiesOf(object: ObjectValue, at: Point): ReadonlyMap<string, Value> {
    const names = this.#assigned.get(object.id);
    if (names === undefined) {
      return object.properties;
    }
    let properties: Map<string, Value> | null = null;
    for (const name of names) {
      const value = name === ANY ? undefined : at.state.get(cellOf(object, name));
      if (value !== undefined) {
        properties ??= new Map(object.properties);
        properties.set(name, value);
      }
    }
    return properties ?? object.properties;
  }

  othersOf(object: ObjectValue, at: Point): Value | null {
    const assigned =
      this.#assigned.get(object.id)?.has(ANY) === true ? at.state.get(cellOf(object, ANY)) : undefined;
    return assigned ?? object.others;
  }

  everAssigned(object: ObjectValue): ReadonlyMap<string, Value> {
    const properties = new Map(object.properties);
    for (const name of this.#assigned.get(object.id) ?? []) {
      const value = this.#ever.get(cellOf(object, name));
      if (value !== undefined && name !== ANY) {
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

  /** A key of a value that tells it from what it was before an assignment. */
  keyOf(value: Value, at: Point): string {
    const assigned = value.alternatives.flatMap((one) => {
      if (one.kind !== 'object' || !this.#assigned.has(one.id)) {
        return [];
      }
      const names = [...(this.#assigned.get(one.id) ?? [])];
      return names.map((name) => `${name}=${valueKey(at.state.get(cellOf(one, name)) ?? null, true)}`);
    });
    return assigned.length === 0 ? valueKey(value, true) : `${valueKey(value, true)}~${assigned.join(',')}`;
  }

  /** A function that changes an object from outside of it is interpreted at each call. */
  #entangle(object: ObjectValue, at: Point): void {
    const birth = this.#machine.identities.birthOf(object.id);
    for (let frame: Frame | null = at.frame; frame !== null && frame.id > birth; frame = frame.caller) {
      frame.isEntangled = true;
    }
  }
}

function cellOf(object: ObjectValue, name: string): string {
  return `#${String(object.id)}.${name}`;
}
