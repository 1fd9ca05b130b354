import { both } from '../values/guard.js';
import { join, under } from '../values/join.js';
import { NEVER, literal, one } from '../values/make.js';
import type { CallSite, ObjectValue, Value } from '../values/value.js';
import type { Machine } from '../interpret/machine.js';
import { truthOf } from '../interpret/conditions.js';

/**
 * The pairs of a list that `Object.entries` made of a value whose fields are known, and of what `filter` and `map` made
 * of it: as a list its elements are all alike, and which names are left would be lost.
 */
const PAIRS = new WeakMap<Machine, Map<number, readonly Value[]>>();

export function notePairs(machine: Machine, list: ObjectValue, pairs: readonly Value[]): void {
  const known = PAIRS.get(machine) ?? new Map<number, readonly Value[]>();
  PAIRS.set(machine, known);
  known.set(list.id, pairs);
}

export function pairsOf(machine: Machine, list: Value | undefined): readonly Value[] | null {
  const [only, ...more] = list?.alternatives ?? [];
  return only?.kind === 'object' && more.length === 0 ? (PAIRS.get(machine)?.get(only.id) ?? null) : null;
}

/** The pair of a field's name and its value. */
export function pairOf(machine: Machine, name: string, value: Value, site: CallSite): Value {
  const properties = new Map([
    ['0', literal(name)],
    ['1', value],
  ]);
  const id = machine.identities.of(`pair ${name} ${String(machine.numberAt(site.node))}`, site.at.frame);
  return one(machine.newObject(site.node, site.at, { id, collection: 'array', properties }));
}

/** The pairs that `filter` or `map` leaves; null where the function does not decide by what is known. */
export function changedPairs(
  machine: Machine,
  name: string,
  pairs: readonly Value[],
  call: (pair: Value) => Value,
): readonly Value[] | null {
  const left: Value[] = [];
  for (const pair of pairs) {
    const answer = call(pair);
    if (name === 'map') {
      left.push(answer);
      continue;
    }
    const yes = answer.alternatives.filter((way) => truthOf(way) === 'true');
    const isDecided = answer.alternatives.every(
      (way) => truthOf(way) !== 'open' && (way.when.size > 0 || answer.alternatives.length === 1),
    );
    if (!isDecided) {
      return null;
    }
    if (yes.length > 0) {
      left.push(join(...yes.map(({ when }) => withValueUnder(pair, when))));
    }
  }
  return left;
}

/** A pair whose value is there under a condition. */
function withValueUnder(pair: Value, when: CallSite['at']['state']['guard']): Value {
  if (when.size === 0) {
    return pair;
  }
  return {
    alternatives: pair.alternatives.flatMap((alternative) => {
      if (alternative.kind !== 'object' || both(alternative.when, when) === null) {
        return [];
      }
      const value = under(alternative.properties.get('1') ?? NEVER, when);
      return [{ ...alternative, properties: new Map([...alternative.properties, ['1', value]]) }];
    }),
  };
}
