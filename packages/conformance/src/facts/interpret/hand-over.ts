import { NO_GUARD, without, type Guard } from '../values/guard.js';
import { map, partsOf, referencesIn } from '../values/join.js';
import { one, opaqueAlternative } from '../values/make.js';
import { memoOf } from '../values/memo.js';
import type { Alternative, Value } from '../values/value.js';
import type { Identities } from './machine.js';
import { originsOf } from './operators.js';

/** Data and nothing else: nothing in it is a result, a preserved value or code. */
function isPlain(value: Value): boolean {
  const memo = memoOf(value);
  let known = memo.isPlain;
  if (known === undefined) {
    known = value.alternatives.every(
      (inner) =>
        inner.kind === 'literal' ||
        (inner.kind === 'opaque' && inner.preserved === null) ||
        ((inner.kind === 'object' || inner.kind === 'promise') && partsOf(inner).every(isPlain)),
    );
    memo.isPlain = known;
  }
  return known;
}

/**
 * An argument as the function gets it. Which of several plain values a variable of the caller holds is
 * not remembered inside, so that calls with the same data share one summary.
 */
export function handOver(identities: Identities, value: Value, isFree: boolean): Value {
  return isFree && isPlain(value) ? relaxed(identities, value) : value;
}

function relaxed(identities: Identities, value: Value): Value {
  const memo = memoOf(value);
  let known = memo.relaxed;
  if (known === undefined) {
    known = map(value, (inner): Alternative => {
      const when = without(inner.when, (subject) => identities.isChoice(subject));
      const isSame = when === inner.when;
      if (inner.kind === 'object') {
        const properties = new Map(
          [...inner.properties].map(([name, part]) => [name, relaxed(identities, part)]),
        );
        const isUnchanged = [...properties].every(([name, part]) => part === inner.properties.get(name));
        return isSame && isUnchanged
          ? inner
          : { ...inner, when, properties: isUnchanged ? inner.properties : properties };
      }
      return isSame ? inner : { ...inner, when };
    });
    memo.relaxed = known;
  }
  return known;
}

/** What the caller knows that could matter for the arguments: all but its choices among its own variables. */
export function guardFor(identities: Identities, given: readonly (Value | null)[], guard: Guard): Guard {
  if (guard.size === 0) {
    return guard;
  }
  const subjects = new Set<number>();
  given.forEach((value) => {
    if (value !== null) {
      collectSubjects(value, subjects, 0);
    }
  });
  if (subjects.size === 0) {
    return NO_GUARD;
  }
  return without(guard, (subject) => identities.isChoice(subject) && !subjects.has(subject));
}

const DEEPEST = 6;

function collectSubjects(value: Value, subjects: Set<number>, depth: number): void {
  for (const inner of value.alternatives) {
    for (const subject of inner.when.keys()) {
      subjects.add(subject);
    }
    if (
      inner.kind === 'result' ||
      inner.kind === 'target' ||
      (inner.kind === 'opaque' && inner.preserved !== null)
    ) {
      subjects.add(inner.id);
    }
    if (inner.references.size > 0) {
      // What it derives from may be known to be empty.
      subjects.add(-1);
    }
    if (depth < DEEPEST) {
      for (const part of partsOf(inner)) {
        collectSubjects(part, subjects, depth + 1);
      }
    }
  }
}

/** Where recursion goes deep, what matters of data is its type and where it comes from. */
export function widened(value: Value): Value {
  return map(value, (inner): Alternative => {
    switch (inner.kind) {
      case 'literal':
        return typeof inner.value === 'string' || typeof inner.value === 'number'
          ? opaqueAlternative({ description: 'a constant', references: inner.references })
          : inner;
      case 'opaque':
        return inner.preserved === null
          ? opaqueAlternative({
              origin: inner.origin,
              unknown: inner.unknown,
              description: inner.description,
              type: inner.type,
              references: inner.references,
            })
          : inner;
      case 'object': {
        if (inner.of !== null || !isPlain(one(inner))) {
          return inner;
        }
        const { origin, description } = originsOf([one(inner)]);
        return opaqueAlternative({ origin, description, references: referencesIn(one(inner)) });
      }
      default:
        return inner;
    }
  });
}
