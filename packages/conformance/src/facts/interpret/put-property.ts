import type { ts } from '../../../engine/typescript.mjs';
import { NEVER, one, UNDEFINED, unknownValue } from '../values/make.js';
import type {
  Alternative,
  CallSite,
  FunctionValue,
  ObjectValue,
  OpaqueValue,
  Point,
  Value,
} from '../values/value.js';
import { setterOf } from './class-members.js';
import { perhaps } from './forks.js';
import { functionsIn, runningCode, touch } from './touchy-values.js';
import type { Machine } from './machine.js';

/** `of.name = value`: by a setter where there is one. Null names no property in particular. */
export function putProperty(
  machine: Machine,
  of: Value,
  name: string | null,
  value: Value,
  at: Point,
  node: ts.Node,
): void {
  const plain: Alternative[] = [];
  for (const holder of of.alternatives) {
    if (holder.kind === 'object' && name !== null && machine.held.hasTouchy) {
      touch(machine, machine.propertiesOf(holder, at).get(name) ?? NEVER, at, node);
    }
    if (holder.kind === 'opaque' && isOwnInstance(machine, holder)) {
      machine.effects.stateChanged(node, at);
    }
    const setter = name === null ? null : setterFor(machine, holder, name, at);
    if (setter === null) {
      plain.push(holder);
    } else {
      callSetter(machine, setter, { node, self: one(holder), args: [value], at }, of.alternatives.length > 1);
    }
  }
  const rest = plain.length === of.alternatives.length ? of : { alternatives: plain };
  if (name === '__proto__') {
    machine.blur(rest, unknownValue('another prototype is set', node), at);
  } else if (name === 'length' && plain.some((one) => one.kind === 'object' && one.collection === 'array')) {
    setLength(machine, rest, value, at);
  } else {
    machine.writeProperty(rest, name, value, at);
  }
}

/** An object of the project's own that the code was handed: whoever made it sees the change. */
function isOwnInstance(machine: Machine, { type }: OpaqueValue): boolean {
  return type !== null && machine.queries.classOf(type) !== null;
}

function setterFor(machine: Machine, holder: Alternative, name: string, at: Point): FunctionValue | null {
  switch (holder.kind) {
    case 'object': {
      const accessors = holder.accessors?.get(name);
      if (accessors !== undefined) {
        return accessors.set;
      }
      return holder.of === null
        ? null
        : setterOf(machine, holder.of, name, { isStatic: false, self: one(holder), at });
    }
    case 'class':
      return setterOf(machine, holder, name, { isStatic: true, self: one(holder), at });
    default:
      return null;
  }
}

function callSetter(
  machine: Machine,
  setter: FunctionValue,
  given: Pick<CallSite, 'node' | 'self' | 'args' | 'at'>,
  isOneOfMany: boolean,
): void {
  const { at } = given;
  const site: CallSite = { ...given, callee: one(setter), spread: null };
  const fn: FunctionValue = { ...setter, self: given.self };
  if (!isOneOfMany) {
    machine.invoke(fn, site);
    return;
  }
  perhaps(at, () => {
    machine.invoke(fn, site);
  });
}

function setLength(machine: Machine, list: Value, length: Value, at: Point): void {
  const [only, ...more] = length.alternatives;
  if (only?.kind === 'literal' && only.value === 0 && more.length === 0) {
    machine.clear(list, at);
  } else {
    machine.scramble(list, { alternatives: [] }, true, at);
  }
}

/** Gives an object a property by a descriptor: `Object.defineProperty` and its kin. */
export function defineProperty(
  machine: Machine,
  of: Value,
  key: Value,
  descriptor: Value,
  at: Point,
  node: ts.Node,
): void {
  const [only, ...more] = key.alternatives;
  const name = only?.kind === 'literal' && more.length === 0 ? String(only.value) : null;
  const hasAccessor = of.alternatives.some(
    (one) => one.kind === 'object' && one.accessors?.has(name ?? '') === true,
  );
  const [described, ...others] = descriptor.alternatives;
  const value =
    described?.kind === 'object' && others.length === 0 && machine.blurOf(described, at) === null
      ? valueIn(machine, described, at)
      : null;
  if (name === null || value === null || hasAccessor) {
    const unknown = unknownValue('a property is defined by a getter, or by what is not known', node);
    const running = runningCode(machine, unknown, functionsIn(machine, descriptor, at), node);
    if (name === null || hasAccessor || running === unknown) {
      machine.blur(of, running, at);
    } else {
      machine.writeProperty(of, name, running, at);
    }
    return;
  }
  machine.writeProperty(of, name, value, at);
}

function valueIn(machine: Machine, descriptor: ObjectValue, at: Point): Value | null {
  const properties = machine.propertiesOf(descriptor, at);
  if (properties.has('get') || properties.has('set') || machine.othersOf(descriptor, at) !== null) {
    return null;
  }
  return properties.get('value') ?? UNDEFINED;
}

/** `of.__defineGetter__(name, read)`, as it was before there were descriptors. */
export function defineAccessor(
  machine: Machine,
  kind: 'get' | 'set',
  { self, args, at, node }: CallSite,
): Value {
  const [key = UNDEFINED, accessor = UNDEFINED] = args;
  const descriptor = machine.newObject(node, at, { properties: new Map([[kind, accessor]]) });
  defineProperty(machine, self, key, one(descriptor), at, node);
  return UNDEFINED;
}
