import { NO_GUARD, beyond, both, either, guardKey, type Guard } from './guard.js';
import { alternativeKey, valueKey } from './keys.js';
import { NEVER, opaqueAlternative } from './make.js';
import { withGuard } from './memo.js';
import { NO_REFERENCES, union, type References } from './references.js';
import type { Alternative, Value } from './value.js';

/** More alternatives than this are not told apart. */
const MOST_ALTERNATIVES = 48;

export function join(...values: readonly Value[]): Value {
  const [first, ...rest] = values.filter(({ alternatives }) => alternatives.length > 0);
  if (first === undefined) {
    return NEVER;
  }
  if (rest.every((value) => value === first)) {
    return first;
  }
  const byKey = new Map<string, Alternative>();
  for (const value of [first, ...rest]) {
    for (const alternative of value.alternatives) {
      const key = alternativeKey(alternative);
      const known = byKey.get(key);
      byKey.set(key, known === undefined ? alternative : withEither(known, alternative));
    }
  }
  return byKey.size > MOST_ALTERNATIVES
    ? collapse([...byKey.values()])
    : { alternatives: [...byKey.values()] };
}

export function isSame(a: Value, b: Value): boolean {
  return a === b || valueKey(a) === valueKey(b);
}

function withEither(a: Alternative, b: Alternative): Alternative {
  const when = either(a.when, b.when);
  return when === a.when || guardKey(when) === guardKey(a.when) ? a : withGuard(a, when);
}

// Literals are the ones that pile up (counters, tables of texts); what matters is that they are constants.
function collapse(alternatives: readonly Alternative[]): Value {
  const literals = alternatives.filter(
    (one) => one.kind === 'literal' && one.value !== undefined && one.value !== null,
  );
  const others = alternatives.filter((one) => !literals.includes(one));
  const kept = others.slice(0, MOST_ALTERNATIVES);
  if (literals.length > 0) {
    kept.push(
      opaqueAlternative({ description: 'one of many constants', references: referencesOfAll(literals) }),
    );
  }
  if (kept.length < others.length) {
    kept.push(
      opaqueAlternative({
        unknown: `it can be one of more than ${String(MOST_ALTERNATIVES)} values`,
        references: referencesOfAll(others),
      }),
    );
  }
  return { alternatives: kept };
}

function referencesOfAll(alternatives: readonly Alternative[]): References {
  return alternatives.reduce<References>((all, { references }) => union(all, references), NO_REFERENCES);
}

/** The value where a guard holds too: alternatives that contradict it are left out, the others carry it. */
export function under(value: Value, guard: Guard): Value {
  if (guard.size === 0 || value.alternatives.length === 0) {
    return value;
  }
  const alternatives = value.alternatives.flatMap((alternative): readonly Alternative[] => {
    const when = both(alternative.when, guard);
    return when === null ? [] : [when === alternative.when ? alternative : withGuard(alternative, when)];
  });
  return { alternatives };
}

/** The alternatives that a guard leaves, unchanged. */
export function possible(value: Value, guard: Guard): Value {
  if (guard.size === 0) {
    return value;
  }
  const alternatives = value.alternatives.filter((one) => isPossible(one, guard));
  return alternatives.length === value.alternatives.length || alternatives.length === 0
    ? value
    : { alternatives };
}

function isPossible(alternative: Alternative, guard: Guard): boolean {
  if (alternative.kind === 'result') {
    const forms = guard.get(alternative.id);
    if (forms !== undefined && (forms & alternative.form) === 0) {
      return false;
    }
  }
  for (const [subject, forms] of alternative.when) {
    const known = guard.get(subject);
    if (known !== undefined && (known & forms) === 0) {
      return false;
    }
  }
  return true;
}

/** Joins the values of several branches, each marked with what its branch knows beyond the base. */
export function joinBranches(base: Guard, branches: readonly { value: Value; guard: Guard }[]): Value {
  return joinWays(
    branches.map(({ value }) => value),
    branches.map(({ guard }) => beyond(guard, base)),
  );
}

/** The same, with what each branch knows more. Where they agree on the value, it depends on none of it. */
export function joinWays(values: readonly Value[], more: readonly Guard[]): Value {
  const [first, ...rest] = values;
  if (first === undefined || rest.every((value) => isSame(value, first))) {
    return join(...values);
  }
  return join(...values.map((value, index) => under(value, more[index] ?? NO_GUARD)));
}

export function map(value: Value, change: (alternative: Alternative) => Alternative): Value {
  const alternatives = value.alternatives.map(change);
  // The same value where nothing changed: it is compared by identity elsewhere.
  return alternatives.some((changed, index) => changed !== value.alternatives[index])
    ? { alternatives }
    : value;
}

/** Adds what a value derives from. */
export function deriving(value: Value, references: References): Value {
  return references.size === 0
    ? value
    : map(value, (one) => ({ ...one, references: union(one.references, references) }));
}

/** Everything that a value derives from, what is inside of it included. */
export function referencesIn(value: Value, depth = 0): References {
  let all: References = NO_REFERENCES;
  for (const alternative of value.alternatives) {
    all = union(all, alternative.references);
    if (depth < 6) {
      for (const inner of partsOf(alternative)) {
        all = union(all, referencesIn(inner, depth + 1));
      }
    }
  }
  return all;
}

export function partsOf(alternative: Alternative): readonly Value[] {
  switch (alternative.kind) {
    case 'object':
      return alternative.others === null
        ? [...alternative.properties.values()]
        : [...alternative.properties.values(), alternative.others];
    case 'promise':
      return [alternative.value];
    case 'target':
      return [alternative.table, alternative.uid];
    case 'result':
      return [alternative.content, alternative.artifacts, alternative.target];
    default:
      return [];
  }
}
