import type { ts } from '../../../engine/typescript.mjs';
import { join } from '../values/join.js';
import { literal, native, NEVER, one, UNDEFINED } from '../values/make.js';
import { numberOf } from '../values/keys.js';
import type { Alternative, ObjectValue, Point, Value } from '../values/value.js';
import { readMember } from './class-members.js';
import { perhaps } from './forks.js';
import { awaited } from './loops.js';
import type { Machine } from './machine.js';

// What the language calls without a call in the source: conversions, iterators, disposers, thenables.

/** A method that an object has by itself or from its class; null where it has none that is known. */
export function methodOf(
  machine: Machine,
  of: Alternative,
  name: string,
  at: Point,
  node: ts.Node,
): Value | null {
  if (of.kind !== 'object' || !hasMember(machine, of, name, at, node)) {
    return null;
  }
  const value = machine.readProperty(one(of), name, at, node);
  return value.alternatives.some(({ kind }) => kind === 'function' || kind === 'native') ? value : null;
}

function hasMember(machine: Machine, of: ObjectValue, name: string, at: Point, node: ts.Node): boolean {
  return (
    of.accessors?.has(name) === true ||
    machine.propertiesOf(of, at).has(name) ||
    (of.of !== null &&
      readMember(machine, of.of, name, { isStatic: false, self: one(of), at, node }) !== null)
  );
}

/** Calls a method; in a fork, where it may not be called. */
export function callMethod(
  machine: Machine,
  method: Value,
  self: Alternative,
  args: readonly Value[],
  {
    at,
    node,
    isCertain = false,
  }: { readonly at: Point; readonly node: ts.Node; readonly isCertain?: boolean },
): Value {
  const site = { node, self: one(self), callee: method, args, spread: null, at };
  if (isCertain) {
    return machine.call(site);
  }
  let answer = NEVER;
  perhaps(at, () => {
    answer = machine.call(site);
  });
  return answer;
}

const TO_TEXT = ['@@toPrimitive', 'toString', 'valueOf'];
const TO_NUMBER = ['@@toPrimitive', 'valueOf', 'toString'];
const DEEPEST = 4;

/** Runs what a conversion to a text or a number runs. */
export function coerce(
  machine: Machine,
  value: Value,
  to: 'text' | 'number',
  at: Point,
  node: ts.Node,
  depth = 0,
): void {
  for (const alternative of value.alternatives) {
    if (alternative.kind !== 'object') {
      continue;
    }
    if (alternative.collection === 'array' && depth < DEEPEST) {
      for (const element of elementsIn(machine, alternative, at)) {
        coerce(machine, element, 'text', at, node, depth + 1);
      }
      continue;
    }
    for (const name of to === 'text' ? TO_TEXT : TO_NUMBER) {
      const method = methodOf(machine, alternative, name, at, node);
      if (method !== null) {
        const isCertain = value.alternatives.length === 1 && depth === 0;
        callMethod(machine, method, alternative, [literal(to)], { at, node, isCertain });
        break;
      }
    }
  }
}

function elementsIn(machine: Machine, list: ObjectValue, at: Point): readonly Value[] {
  const others = machine.othersOf(list, at);
  return [...machine.propertiesOf(list, at).values(), ...(others === null ? [] : [others])];
}

/** Runs what a list runs that makes a text of its elements: `join`, `toLocaleString`. */
export function coerceElements(
  machine: Machine,
  list: ObjectValue,
  name: string,
  at: Point,
  node: ts.Node,
): void {
  for (const element of elementsIn(machine, list, at)) {
    coerce(machine, element, 'text', at, node, 1);
    for (const alternative of name === 'toLocaleString' ? element.alternatives : []) {
      const method = methodOf(machine, alternative, name, at, node);
      if (method !== null) {
        callMethod(machine, method, alternative, [], { at, node });
      }
    }
  }
}

/** Runs what turning a value into JSON runs. Whether any of it decides for itself what it becomes. */
export function coerceToJson(machine: Machine, value: Value, at: Point, node: ts.Node, depth = 0): boolean {
  let decides = false;
  for (const alternative of value.alternatives) {
    if (alternative.kind !== 'object' || depth > DEEPEST) {
      continue;
    }
    const method = methodOf(machine, alternative, 'toJSON', at, node);
    if (method !== null) {
      callMethod(machine, method, alternative, [UNDEFINED], { at, node });
      decides = true;
      continue;
    }
    for (const name of alternative.accessors?.keys() ?? []) {
      machine.readProperty(one(alternative), name, at, node);
    }
    for (const inner of machine.propertiesOf(alternative, at).values()) {
      decides = coerceToJson(machine, inner, at, node, depth + 1) || decides;
    }
  }
  return decides;
}

const MOST_ROUNDS = 3;

/** What a custom iterator gives, by running its methods; null where there is none to be run. */
export function iterated(machine: Machine, of: ObjectValue, at: Point, node: ts.Node): Value | null {
  const start =
    methodOf(machine, of, '@@iterator', at, node) ?? methodOf(machine, of, '@@asyncIterator', at, node);
  if (start === null) {
    return null;
  }
  const iterator = callMethod(machine, start, of, [], { at, node, isCertain: true });
  return join(...iterator.alternatives.map((one) => fromIterator(machine, one, at, node)));
}

function fromIterator(machine: Machine, iterator: Alternative, at: Point, node: ts.Node): Value {
  const next = methodOf(machine, iterator, 'next', at, node);
  if (iterator.kind !== 'object' || iterator.collection !== null || next === null) {
    return machine.elementsOf(one(iterator), at, node);
  }
  let elements = NEVER;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const answer = awaited(callMethod(machine, next, iterator, [], { at, node }));
    const given = answer.alternatives.filter((step) => !isDone(machine, step, at, node));
    elements = join(elements, awaited(machine.readProperty({ alternatives: given }, 'value', at, node)));
  }
  const end = methodOf(machine, iterator, 'return', at, node);
  if (end !== null) {
    callMethod(machine, end, iterator, [], { at, node });
  }
  return elements;
}

function isDone(machine: Machine, step: Alternative, at: Point, node: ts.Node): boolean {
  const { alternatives } = machine.readProperty(one(step), 'done', at, node);
  return (
    alternatives.length > 0 && alternatives.every((done) => done.kind === 'literal' && done.value === true)
  );
}

/** The value that awaiting gives, `then` methods of one's own called. */
export function settled(machine: Machine, value: Value, at: Point, node: ts.Node): Value {
  const plain = awaited(value);
  if (!plain.alternatives.some(({ kind }) => kind === 'object')) {
    return plain;
  }
  return join(
    ...plain.alternatives.map((alternative): Value => {
      const then = methodOf(machine, alternative, 'then', at, node);
      return then === null ? one(alternative) : resolvedBy(machine, then, alternative, at, node);
    }),
  );
}

function resolvedBy(machine: Machine, then: Value, self: Alternative, at: Point, node: ts.Node): Value {
  let given = NEVER;
  const resolve = native(`resolve then ${String(numberOf(node))}`, (call) => {
    given = join(given, awaited(call.args[0] ?? UNDEFINED));
    return UNDEFINED;
  });
  const reject = native(`reject then ${String(numberOf(node))}`, () => UNDEFINED);
  callMethod(machine, then, self, [resolve, reject], { at, node, isCertain: true });
  at.state.isDead = false;
  return given;
}

/** Runs the disposer of what `using` declared. */
export function dispose(machine: Machine, value: Value, isAsync: boolean, at: Point, node: ts.Node): void {
  for (const alternative of value.alternatives) {
    const method =
      (isAsync ? methodOf(machine, alternative, '@@asyncDispose', at, node) : null) ??
      methodOf(machine, alternative, '@@dispose', at, node);
    if (method !== null) {
      const isCertain = value.alternatives.length === 1;
      callMethod(machine, method, alternative, [], { at, node, isCertain });
    }
  }
}
