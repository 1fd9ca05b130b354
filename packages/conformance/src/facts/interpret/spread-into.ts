import { ts } from '../../../engine/typescript.mjs';

/** Part of another object, for which the type that is expected there speaks. */
export function isSpreadInto(node: ts.Expression): boolean {
  let current: ts.Node = node;
  while (
    ts.isParenthesizedExpression(current.parent) ||
    ts.isConditionalExpression(current.parent) ||
    ts.isBinaryExpression(current.parent) ||
    ts.isAsExpression(current.parent)
  ) {
    current = current.parent;
  }
  return ts.isSpreadAssignment(current.parent) || ts.isSpreadElement(current.parent);
}
