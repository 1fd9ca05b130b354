import type { ts } from '../../../engine/typescript.mjs';
import { join } from '../values/join.js';
import { NEVER, opaque } from '../values/make.js';
import type { Point } from '../values/value.js';
import { inFork } from './forks.js';
import type { TryRecord } from './frame.js';
import type { Machine } from './machine.js';
import { NOT_FOUND, withCondition } from './path-conditions.js';
import type { Branch, State } from './state.js';
import { enterCatch, passFailures, tellApart } from './written.js';
import { executeAll } from './statements.js';

/**
 * Runs try, catch and finally. The catch starts from what is known at the places that can throw: a
 * variable that is assigned by the last call of the block still has its old value there.
 */
export function executeTry(machine: Machine, node: ts.TryStatement, at: Point): void {
  const base = at.state;
  const returnsBefore = at.frame.returns.length;
  const record: TryRecord = { base, changes: new Map(), noted: new Map(), thrown: NEVER, failures: [] };
  at.frame.tries.push(record);
  const body = base.fork();
  const writesBefore = at.frame.effects.reached.size;
  inFork(at, body, () => {
    executeAll(machine, node.tryBlock.statements, at);
  });
  at.frame.tries.pop();
  const caught = base.fork();
  for (const [cell, value] of record.changes) {
    caught.set(cell, join(base.before(cell), value));
  }
  const { catchClause, finallyBlock } = node;
  if (catchClause === undefined) {
    passFailures(at, record);
  } else if (machine.effects.isWatching) {
    enterCatch(machine, at, caught, record);
  }
  if (catchClause !== undefined) {
    if (machine.effects.isWatching && at.frame.effects.reached.size === writesBefore) {
      // What was tried only reads: where it fails, what it looks for is not there.
      caught.conditions = withCondition(caught.conditions, NOT_FOUND);
    }
    inFork(at, caught, () => {
      if (catchClause.variableDeclaration !== undefined) {
        const error = opaque({ description: 'the error that was caught' });
        machine.bind(catchClause.variableDeclaration.name, join(error, record.thrown), at);
      }
      executeAll(machine, catchClause.block.statements, at);
    });
    tellApart(machine, at, [body, caught]);
  }
  const ends: Branch[] =
    catchClause === undefined ? [body.asBranchOf(base)] : [body.asBranchOf(base), caught.asBranchOf(base)];
  if (finallyBlock === undefined) {
    base.absorb(ends);
    return;
  }
  runFinally(
    at,
    {
      ends,
      thrown: caught.asBranchOf(base),
      returnsBefore,
    },
    () => {
      executeAll(machine, finallyBlock.statements, at);
    },
  );
}

/** Runs something, and something else on every way out of it. */
export function runWithEnd(at: Point, work: () => void, end: () => void): void {
  const base = at.state;
  const returnsBefore = at.frame.returns.length;
  const record: TryRecord = { base, changes: new Map(), noted: new Map(), thrown: NEVER, failures: [] };
  const jumps = at.frame.targets.map((target) => ({
    target,
    breaks: target.breaks.length,
    continues: target.continues.length,
  }));
  at.frame.tries.push(record);
  const body = base.fork();
  inFork(at, body, work);
  at.frame.tries.pop();
  passFailures(at, record);
  const passing = base.fork();
  for (const [cell, value] of record.changes) {
    passing.set(cell, join(base.before(cell), value));
  }
  for (const { target, breaks, continues } of jumps) {
    endJumps(at, target.base, target.breaks, breaks, end);
    endJumps(at, target.base, target.continues, continues, end);
  }
  // Whoever catches what passes through sees what the end has done.
  const thrown = passing.fork();
  inFork(at, thrown, end);
  noteThrown(at, thrown);
  runFinally(at, { ends: [body.asBranchOf(base)], thrown: passing.asBranchOf(base), returnsBefore }, end);
}

/** The ways that leave by `break` or `continue` pass the end too. */
function endJumps(at: Point, base: State, branches: Branch[], from: number, end: () => void): void {
  for (const [index, branch] of branches.slice(from).entries()) {
    const state = base.fork();
    state.absorb([branch]);
    inFork(at, state, end);
    branches[from + index] = state.asBranchOf(base);
  }
}

function noteThrown(at: Point, state: State): void {
  const outer = at.frame.tries.at(-1);
  if (outer === undefined || state.isDead) {
    return;
  }
  for (const [cell, value] of state.changesSince(outer.base)) {
    outer.changes.set(cell, join(outer.changes.get(cell) ?? outer.base.before(cell), value));
  }
}

interface Pending {
  readonly ends: readonly Branch[];
  /** What is known where an exception passes through. */
  readonly thrown: Branch;
  readonly returnsBefore: number;
}

// The block runs on every way out. Where it returns itself, that takes the place of what was returned.
function runFinally(at: Point, pending: Pending, work: () => void): void {
  const base = at.state;
  const { frame } = at;
  const returned = frame.returns.slice(pending.returnsBefore);
  const isNormal = pending.ends.some(({ isDead }) => !isDead);
  const passing = base.fork();
  // Values that were set on the way are all possible in the block.
  passing.absorb([
    ...pending.ends,
    { ...pending.thrown, isDead: false },
    ...returned.map(({ branch }) => ({ ...branch, guard: base.guard })),
  ]);
  const before = new Map(passing.asBranchOf(base).changes);
  inFork(at, passing, work);
  if (passing.isDead) {
    const own = frame.returns.slice(pending.returnsBefore + returned.length);
    frame.returns.length = pending.returnsBefore;
    frame.returns.push(...own);
    base.isDead = true;
    return;
  }
  if (isNormal) {
    const met = base.fork();
    met.absorb(pending.ends);
    const after = passing.asBranchOf(base).changes;
    const changes = new Map(met.asBranchOf(base).changes);
    for (const [cell, value] of after) {
      if (before.get(cell) !== value) {
        changes.set(cell, value);
      }
    }
    base.absorb([{ changes, guard: met.guard, isDead: false, conditions: met.conditions }]);
    return;
  }
  base.isDead = true;
}
