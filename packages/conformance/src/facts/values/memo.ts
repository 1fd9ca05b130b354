import type { Guard } from './guard.js';
import type { Alternative, Value } from './value.js';

const MEMO = Symbol('memo');

/** What was worked out about a value, or one of its alternatives. */
export interface Memo<Thing extends object> {
  readonly of: Thing;
  plainKey: string | undefined;
  exactKey: string | undefined;
  isUntracked: boolean | undefined;
  isPlain: boolean | undefined;
  relaxed: Value | undefined;
  holders: readonly Alternative[] | undefined;
}

/**
 * The memo of a value or an alternative. It lies on the thing itself, because there are millions of them, and a
 * weak map costs several times as much for each. A copy by spread takes it along, so it says whose it is.
 */
export function memoOf<Thing extends Value | Alternative>(thing: Thing): Memo<Thing> {
  const holder = thing as { [MEMO]?: Memo<Thing> };
  let memo = holder[MEMO];
  if (memo?.of !== thing) {
    memo = {
      of: thing,
      plainKey: undefined,
      exactKey: undefined,
      isUntracked: undefined,
      isPlain: undefined,
      relaxed: undefined,
      holders: undefined,
    };
    holder[MEMO] = memo;
  }
  return memo;
}

/** The same alternative under another guard: its plain key leaves the guard out, so it is kept. */
export function withGuard<One extends Alternative>(alternative: One, when: Guard): One {
  const copy: One = { ...alternative, when };
  const { plainKey } = memoOf(alternative);
  if (plainKey !== undefined) {
    memoOf(copy).plainKey = plainKey;
  }
  return copy;
}
