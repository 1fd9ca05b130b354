import { ts } from '../../../engine/typescript.mjs';
import { isSame, join } from '../values/join.js';
import { elementsOf } from '../intrinsics/collections.js';
import type { Point, Value } from '../values/value.js';
import { opaque } from '../values/make.js';
import { inFork } from './forks.js';
import type { JumpTarget } from './frame.js';
import type { Machine } from './machine.js';
import { NOT_FOUND, withCondition } from './path-conditions.js';
import type { Branch, State } from './state.js';
import { declare, isUsing } from './statements.js';
import { runWithEnd } from './try-statement.js';
import { dispose } from './implicit-calls.js';

/** After so many rounds the values of a loop no longer change in a way that matters. */
const MOST_ROUNDS = 4;

/** Runs a loop until another round would add nothing. */
export function executeLoop(
  machine: Machine,
  node: ts.IterationStatement,
  at: Point,
  labels: readonly string[],
): void {
  if (ts.isForStatement(node) && node.initializer !== undefined) {
    if (ts.isVariableDeclarationList(node.initializer)) {
      declare(machine, node.initializer, at);
    } else {
      machine.evaluate(node.initializer, at);
    }
  }
  const elements = ts.isForOfStatement(node) || ts.isForInStatement(node) ? headOf(machine, node, at) : null;
  if (at.state.isDead) {
    return;
  }
  const base = at.state;
  const target: JumpTarget = { labels, isLoop: true, isSwitch: false, base, breaks: [], continues: [] };
  const returnsBefore = at.frame.returns.length;
  at.frame.targets.push(target);
  at.frame.loops.push(node);
  const exits: Branch[] = [];
  let entry = base.fork();
  for (let round = 0; round < MOST_ROUNDS && !entry.isDead; round += 1) {
    const end = runRound(machine, node, at, { entry, elements, exits, target });
    const next = base.fork();
    next.absorb([entry.asBranchOf(base), end.asBranchOf(base), ...target.continues.splice(0)]);
    if (round > 0 && isSettled(entry, next, base)) {
      break;
    }
    entry = next;
    if (machine.isSpent()) {
      break;
    }
  }
  at.frame.loops.pop();
  at.frame.targets.pop();
  base.absorb([...exits, ...target.breaks]);
  if (machine.effects.isWatching && elements !== null && at.frame.returns.length > returnsBefore) {
    // A search that returns what it finds: behind it, nothing was found.
    base.conditions = withCondition(base.conditions, NOT_FOUND);
  }
}

interface Round {
  readonly entry: State;
  readonly elements: Value | null;
  readonly exits: Branch[];
  readonly target: JumpTarget;
}

/** One round: from the head to the end of the body. Notes how the loop can be left from here. */
function runRound(machine: Machine, node: ts.IterationStatement, at: Point, round: Round): State {
  const { base } = round.target;
  let state = round.entry.fork();
  inFork(at, state, () => {
    const condition = conditionOf(node);
    if (ts.isDoStatement(node)) {
      machine.execute(node.statement, at);
      continueHere(at, state, round.target);
      if (!at.state.isDead) {
        const { whenTrue, whenFalse } = machine.branch(node.expression, at);
        round.exits.push(whenFalse.asBranchOf(base));
        state = whenTrue;
      }
      return;
    }
    if (round.elements !== null) {
      round.exits.push(state.asBranchOf(base));
      const { initializer } = node as ts.ForOfStatement | ts.ForInStatement;
      const { elements } = round;
      bindElement(machine, node as ts.ForOfStatement | ts.ForInStatement, elements, at);
      if (ts.isVariableDeclarationList(initializer) && isUsing(initializer)) {
        const work = (): void => {
          machine.execute(node.statement, at);
        };
        runWithEnd(at, work, () => {
          dispose(machine, elements, true, at, initializer);
        });
      } else {
        machine.execute(node.statement, at);
      }
      return;
    }
    if (condition !== undefined) {
      const { whenTrue, whenFalse } = machine.branch(condition, at);
      round.exits.push(whenFalse.asBranchOf(base));
      state = whenTrue;
      at.state = whenTrue;
    }
    if (!at.state.isDead) {
      machine.execute(node.statement, at);
    }
    if (ts.isForStatement(node) && node.incrementor !== undefined) {
      continueHere(at, at.state, round.target);
      if (!at.state.isDead) {
        machine.evaluate(node.incrementor, at);
      }
    }
  });
  return state;
}

/** The paths of `continue` go on at the loop's condition or incrementor. */
function continueHere(at: Point, state: State, target: JumpTarget): void {
  if (target.continues.length === 0) {
    return;
  }
  const { base } = target;
  const met = base.fork();
  met.absorb([state.asBranchOf(base), ...target.continues.splice(0)]);
  for (const [cell, value] of met.asBranchOf(base).changes) {
    state.set(cell, value);
  }
  state.guard = met.guard;
  state.isDead = met.isDead;
}

function conditionOf(node: ts.IterationStatement): ts.Expression | undefined {
  if (ts.isForStatement(node)) {
    return node.condition;
  }
  return ts.isWhileStatement(node) ? node.expression : undefined;
}

function headOf(machine: Machine, node: ts.ForOfStatement | ts.ForInStatement, at: Point): Value {
  const of = machine.evaluate(node.expression, at);
  if (ts.isForInStatement(node)) {
    return opaque({ description: 'a key' });
  }
  machine.mayThrow(at);
  const elements = elementsOf(machine, of, at, node.expression);
  return node.awaitModifier === undefined ? elements : awaited(elements);
}

export function awaited(value: Value): Value {
  return join(
    ...value.alternatives.map((one) =>
      one.kind === 'promise' ? awaited(one.value) : { alternatives: [one] },
    ),
  );
}

function bindElement(
  machine: Machine,
  node: ts.ForOfStatement | ts.ForInStatement,
  elements: Value,
  at: Point,
): void {
  const { initializer } = node;
  if (ts.isVariableDeclarationList(initializer)) {
    const [declaration] = initializer.declarations;
    if (declaration !== undefined) {
      machine.bind(declaration.name, elements, at);
    }
  } else {
    machine.assign(initializer, elements, at);
  }
}

function isSettled(before: State, after: State, base: State): boolean {
  for (const [cell, value] of after.changesSince(base)) {
    const known = before.get(cell);
    if (known === undefined || !isSame(known, value)) {
      return false;
    }
  }
  return true;
}
