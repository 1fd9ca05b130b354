import { joinBranches } from '../values/join.js';
import { NEVER } from '../values/make.js';
import type { Point, Value } from '../values/value.js';
import type { State } from './state.js';

/** Does something in a fork of the state, and comes back to the state before. */
export function inFork(at: Point, fork: State, work: () => void): void {
  const before = at.state;
  at.state = fork;
  if (!fork.isDead) {
    work();
  }
  at.state = before;
}

/** Does something that may not happen: the paths with it and without it meet again. */
export function perhaps(at: Point, work: () => void): void {
  const base = at.state;
  const done = base.fork();
  const skipped = base.fork();
  inFork(at, done, work);
  base.absorb([done.asBranchOf(base), skipped.asBranchOf(base)]);
}

/** Evaluates one value per fork; the paths and the values meet again. */
export function meet(
  at: Point,
  ways: readonly { readonly fork: State; readonly evaluate: () => Value }[],
): Value {
  const base = at.state;
  const guard = base.guard;
  const outcomes = ways.map(({ fork, evaluate }) => {
    let value = NEVER;
    inFork(at, fork, () => {
      value = evaluate();
    });
    return { value: fork.isDead ? NEVER : value, guard: fork.guard };
  });
  base.absorb(ways.map(({ fork }) => fork.asBranchOf(base)));
  return joinBranches(guard, outcomes);
}
