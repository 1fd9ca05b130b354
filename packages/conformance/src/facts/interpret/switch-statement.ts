import { ts } from '../../../engine/typescript.mjs';
import { skipWrappers } from '../../compiler/syntax.js';
import type { Point } from '../values/value.js';
import { equality, splitOnTruth } from './conditions.js';
import { inFork } from './forks.js';
import type { JumpTarget } from './frame.js';
import { comparison, isPlainLiteral, withCondition } from './path-conditions.js';
import type { Machine } from './machine.js';
import type { Branch } from './state.js';
import { executeAll } from './statements.js';

/** Runs a switch: each clause from its own test or from the clause above, in order. */
export function executeSwitch(
  machine: Machine,
  node: ts.SwitchStatement,
  at: Point,
  labels: readonly string[],
): void {
  const subject = machine.evaluate(node.expression, at);
  const base = at.state;
  const target: JumpTarget = { labels, isLoop: false, isSwitch: true, base, breaks: [], continues: [] };
  const { clauses } = node.caseBlock;
  const entries = new Map<ts.CaseOrDefaultClause, Branch>();
  let rest = base.fork();
  for (const clause of clauses) {
    if (ts.isDefaultClause(clause) || rest.isDead) {
      continue;
    }
    inFork(at, rest, () => {
      const { kind } = skipWrappers.inward(node.expression);
      const branches =
        kind === ts.SyntaxKind.TrueKeyword
          ? machine.branch(clause.expression, at)
          : splitOnTruth(
              equality(subject, machine.evaluate(clause.expression, at), {
                isNegated: false,
                isStrict: true,
              }),
              at,
            );
      const { whenTrue, whenFalse } = branches;
      if (machine.effects.isWatching && isPlainLiteral(clause.expression)) {
        const value = ts.isStringLiteralLike(clause.expression)
          ? clause.expression.text
          : clause.expression.getText();
        whenTrue.conditions = withCondition(
          whenTrue.conditions,
          comparison(machine, node.expression, value, at),
        );
      }
      entries.set(clause, whenTrue.asBranchOf(base));
      rest = whenFalse;
    });
  }
  const hasDefault = clauses.some((clause) => ts.isDefaultClause(clause));
  const unmatched = rest.asBranchOf(base);
  at.frame.targets.push(target);
  let above: Branch | null = null;
  for (const clause of clauses) {
    const own = ts.isDefaultClause(clause) ? unmatched : entries.get(clause);
    const state = base.fork();
    const ways = [own, above].filter((way) => way !== undefined && way !== null);
    state.absorb(ways);
    inFork(at, state, () => {
      executeAll(machine, clause.statements, at);
    });
    above = state.asBranchOf(base);
  }
  at.frame.targets.pop();
  const ends = [
    above,
    ...target.breaks,
    hasDefault || isExhausted(machine, node, unmatched) ? null : unmatched,
  ];
  base.absorb(ends.filter((end) => end !== null));
}

/** Whether the checker knows that every value has a clause, where the data flow does not show it. */
function isExhausted(machine: Machine, node: ts.SwitchStatement, unmatched: Branch): boolean {
  if (unmatched.isDead) {
    return true;
  }
  const type = machine.queries.typeOfNode(node.expression);
  if (type === null) {
    return false;
  }
  const shape = machine.queries.shapeOf(type);
  const isFinite =
    shape.literals.length > 0 &&
    shape.others.length === 0 &&
    !shape.isOpen &&
    !shape.hasNull &&
    !shape.hasUndefined &&
    !shape.hasBoolean;
  if (!isFinite) {
    return false;
  }
  const covered = new Set(
    node.caseBlock.clauses.flatMap((clause) => {
      if (!ts.isCaseClause(clause)) {
        return [];
      }
      const clauseType = machine.queries.typeOfNode(clause.expression);
      return clauseType === null ? [] : machine.queries.shapeOf(clauseType).literals;
    }),
  );
  return shape.literals.every((value) => covered.has(value));
}
