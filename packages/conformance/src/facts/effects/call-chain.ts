import { UNKNOWN, type AbstractValue, type ChainedCall } from '@toolwright/catalogue';
import { ts } from '../../../engine/typescript.mjs';
import { contains } from '../../compiler/walk.js';
import type { Point } from '../values/value.js';
import { abstractOf } from '../interpret/abstract-values.js';
import type { Machine } from '../interpret/machine.js';

/**
 * The calls that are chained on the result of a call in the same expression, `.values(…).onConflict(…)`.
 * Null where the result is kept, so that more may be chained later.
 */
export function chainOf(machine: Machine, node: ts.Node, at: Point): readonly ChainedCall[] | null {
  const chain: ChainedCall[] = [];
  let current = node;
  for (;;) {
    const { parent } = current;
    if (ts.isParenthesizedExpression(parent) || ts.isNonNullExpression(parent)) {
      current = parent;
      continue;
    }
    if (!ts.isPropertyAccessExpression(parent) || parent.expression !== current) {
      return isKept(current) ? null : chain;
    }
    const called = parent.parent;
    if (!ts.isCallExpression(called) || called.expression !== parent) {
      return chain;
    }
    chain.push({
      name: parent.name.text,
      arguments: called.arguments.map((argument) => argumentOf(machine, argument, at)),
    });
    current = called;
  }
}

function isKept(node: ts.Node): boolean {
  const { parent } = node;
  return (
    (ts.isVariableDeclaration(parent) && parent.initializer === node) ||
    (ts.isBinaryExpression(parent) && parent.right === node)
  );
}

/** It is evaluated once more when its own call is reached: so only where evaluating does nothing. */
function argumentOf(machine: Machine, argument: ts.Expression, at: Point): AbstractValue {
  return isPlain(argument) ? abstractOf(machine, machine.evaluate(argument, at), at) : UNKNOWN;
}

function isPlain(node: ts.Expression): boolean {
  return !contains(
    node,
    (inner) =>
      ts.isCallExpression(inner) ||
      ts.isNewExpression(inner) ||
      ts.isAwaitExpression(inner) ||
      ts.isFunctionLike(inner) ||
      ts.isTaggedTemplateExpression(inner) ||
      (ts.isBinaryExpression(inner) && inner.operatorToken.kind === ts.SyntaxKind.EqualsToken),
  );
}
