import { partsOf } from './join.js';
import type { Value } from './value.js';

const UNTRACKED = new WeakMap<Value, boolean>();

/** Whether nothing in a value has an identity, derives from one, or depends on a condition. */
export function isUntracked(value: Value): boolean {
  let known = UNTRACKED.get(value);
  if (known === undefined) {
    known = value.alternatives.every(
      (one) =>
        one.kind !== 'result' &&
        one.kind !== 'target' &&
        !(one.kind === 'opaque' && one.preserved !== null) &&
        one.when.size === 0 &&
        one.references.size === 0 &&
        partsOf(one).every(isUntracked),
    );
    UNTRACKED.set(value, known);
  }
  return known;
}
