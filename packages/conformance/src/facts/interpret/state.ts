import { beyond, either, NO_GUARD, type Guard } from '../values/guard.js';
import { joinWays } from '../values/join.js';
import { NEVER } from '../values/make.js';
import type { Value } from '../values/value.js';
import { NO_CONDITIONS, type PathCondition } from './path-conditions.js';

const NONE: ReadonlyMap<string, Value> = new Map();

/**
 * What is known at one point of a path: the values of variables and of properties that were assigned,
 * and the guard. Branches work on forks; the state they were forked from takes them in when they meet.
 */
export class State {
  readonly #base: State | null;
  /** What a property was before it was first assigned, for the branches that did not assign it. */
  readonly #initials: ReadonlyMap<string, Value>;
  readonly #cells = new Map<string, Value>();
  guard: Guard;
  /** No path gets here. */
  isDead = false;
  /** What the path requires of the tool's arguments, as far as it is said simply. */
  conditions: readonly PathCondition[];

  constructor(base: State | null = null, initials: ReadonlyMap<string, Value> = base?.initials ?? NONE) {
    this.#base = base;
    this.#initials = initials;
    this.guard = base?.guard ?? NO_GUARD;
    this.conditions = base?.conditions ?? NO_CONDITIONS;
  }

  get initials(): ReadonlyMap<string, Value> {
    return this.#initials;
  }

  get(cell: string): Value | undefined {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- walks the chain of states that starts here
    let state: State | null = this;
    while (state !== null) {
      const value = state.#cells.get(cell);
      if (value !== undefined) {
        return value;
      }
      state = state.#base;
    }
    return undefined;
  }

  /** The same, or what it was before anything was assigned to it. */
  before(cell: string): Value {
    return this.get(cell) ?? this.#initials.get(cell) ?? NEVER;
  }

  set(cell: string, value: Value): void {
    this.#cells.set(cell, value);
  }

  fork(): State {
    const fork = new State(this);
    fork.isDead = this.isDead;
    return fork;
  }

  /**
   * What was set since a state that this one was forked from, directly or not. It is a view: a state
   * that goes on changes it.
   */
  changesSince(ancestor: State): ReadonlyMap<string, Value> {
    if (this.#base === ancestor) {
      return this.#cells;
    }
    const chain: State[] = [];
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the same chain
    for (let state: State | null = this; state !== null && state !== ancestor; state = state.#base) {
      chain.push(state);
    }
    const changes = new Map<string, Value>();
    for (const state of chain.reverse()) {
      for (const [cell, value] of state.#cells) {
        changes.set(cell, value);
      }
    }
    return changes;
  }

  /** Takes the place of this state: the branches meet here. */
  absorb(branches: readonly Branch[]): void {
    const live = branches.filter(({ isDead }) => !isDead);
    this.isDead = live.length === 0;
    const [only, ...others] = live;
    if (only === undefined) {
      return;
    }
    if (others.length === 0) {
      for (const [cell, value] of only.changes) {
        this.#cells.set(cell, value);
      }
      this.guard = only.guard;
      this.conditions = only.conditions;
      return;
    }
    const base = this.guard;
    const more = live.map(({ guard }) => beyond(guard, base));
    const seen = new Set<string>();
    for (const { changes } of live) {
      for (const cell of changes.keys()) {
        if (!seen.has(cell)) {
          seen.add(cell);
          this.#meet(cell, live, more);
        }
      }
    }
    this.guard = live.map(({ guard }) => guard).reduce((a, b) => either(a, b));
  }

  #meet(cell: string, live: readonly Branch[], more: readonly Guard[]): void {
    const before = this.before(cell);
    const values = live.map(({ changes }) => changes.get(cell) ?? before);
    this.#cells.set(cell, joinWays(values, more));
  }

  /** This state as a branch of one that it was forked from. */
  asBranchOf(ancestor: State): Branch {
    const { guard, isDead, conditions } = this;
    return { changes: this.changesSince(ancestor), guard, isDead, conditions };
  }
}

export interface Branch {
  readonly changes: ReadonlyMap<string, Value>;
  readonly guard: Guard;
  readonly isDead: boolean;
  readonly conditions: readonly PathCondition[];
}
