import { partsOf } from './join.js';
import { memoOf } from './memo.js';
import type { Value } from './value.js';

/** Whether nothing in a value has an identity, derives from one, or depends on a condition. */
export function isUntracked(value: Value): boolean {
  const memo = memoOf(value);
  let known = memo.isUntracked;
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
    memo.isUntracked = known;
  }
  return known;
}
