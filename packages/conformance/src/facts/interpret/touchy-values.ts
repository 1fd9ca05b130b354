import type { ts } from '../../../engine/typescript.mjs';
import { UNDEFINED } from '../values/make.js';
import type { CallSite, FunctionValue, Point, Value } from '../values/value.js';
import { holding, runAll } from './held-by-libraries.js';
import type { Machine } from './machine.js';

// Values that run code when they are only read: proxies, and properties with getters that were defined for them.

/** The functions among the properties of an object: the traps of a handler, the accessors of a descriptor. */
export function functionsIn(machine: Machine, of: Value, at: Point): readonly FunctionValue[] {
  return of.alternatives.flatMap((one) =>
    one.kind === 'object'
      ? [...machine.propertiesOf(one, at).values()].flatMap(({ alternatives }) =>
          alternatives.filter((inner) => inner.kind === 'function'),
        )
      : [],
  );
}

/** A value that runs some functions whenever it is touched. */
export function runningCode(
  machine: Machine,
  value: Value,
  functions: readonly FunctionValue[],
  place: ts.Node,
): Value {
  return functions.length === 0 ? value : holding(value, machine.held.touchy(place, functions));
}

/** Runs what a value runs when it is touched. */
export function touch(machine: Machine, value: Value, at: Point, node: ts.Node): void {
  if (!machine.held.hasTouchy || !machine.effects.isWatching) {
    return;
  }
  for (const one of value.alternatives) {
    if (one.kind === 'opaque' && one.held?.isTouchy === true) {
      const site: CallSite = { node, self: UNDEFINED, callee: UNDEFINED, args: [], spread: null, at };
      const code = one.held.all().map((held) => held.code);
      runAll(machine, site, code);
    }
  }
}
