import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { contains, ownReturns, type FunctionNode } from '../references/ast-shapes.js';
import type { TypeInformation } from '../types/type-information.js';
import { mayBeRuledOut } from './guards.js';
import type { ReachableCode } from './reachable-code.js';
import { resultEnds, type ResultEnd } from './result-ends.js';

/** One `return` of a tool's `execute`, and the results that it can answer. */
export interface ReturnedEnds {
  /** Null for a `return` without a value. */
  readonly returned: TSESTree.Expression | null;
  readonly ends: readonly ResultEnd[];
}

/**
 * What each `return` of a function that the code can get to answers.
 *
 * @param isFault whether an end would be a finding: only then it is asked whether a constant rules it out
 */
export function executeEnds(
  fn: FunctionNode,
  reachable: ReachableCode,
  source: Readonly<TSESLint.SourceCode>,
  types: TypeInformation | null,
  isFault: (end: ResultEnd) => boolean,
): ReturnedEnds[] {
  if (fn.body.type !== AST_NODE_TYPES.BlockStatement) {
    return [{ returned: fn.body, ends: resultEnds(fn.body, source, types) }];
  }
  return ownReturns(fn.body)
    .filter((statement) => reachable.has(statement))
    .map((statement) => {
      const { argument } = statement;
      const ends = argument === null ? [] : resultEnds(argument, source, types);
      return {
        returned: argument,
        ends: ends.some(isFault) && mayBeRuledOut(statement, source) ? ends.map(asUndecided) : ends,
      };
    });
}

function asUndecided({ node }: ResultEnd): ResultEnd {
  return { kind: 'unknown', target: 'unknown', node, isCertain: false };
}

/** Where to show a result: where it is made, if that is in the function itself, else where it is returned. */
export function placeOf(end: ResultEnd, returned: TSESTree.Expression, fn: FunctionNode): TSESTree.Node {
  return contains(fn, end.node) ? end.node : returned;
}
