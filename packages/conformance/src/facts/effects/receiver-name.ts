import { ts } from '../../../engine/typescript.mjs';
import { skipWrappers } from '../../compiler/syntax.js';

/**
 * What the object is called that a method is called on: `telemetry` of `this.#telemetry.send(…)`, `getTracer` of
 * `getTracer().start(…)`. Empty for a function that is called alone.
 */
export function receiverName(node: ts.Node): string {
  if (!ts.isCallExpression(node)) {
    return '';
  }
  const callee = skipWrappers.inward(node.expression);
  return ts.isPropertyAccessExpression(callee) || ts.isElementAccessExpression(callee)
    ? nameOf(callee.expression)
    : '';
}

function nameOf(expression: ts.Expression): string {
  const object = skipWrappers.inward(expression);
  if (ts.isIdentifier(object)) {
    return object.text;
  }
  if (ts.isPropertyAccessExpression(object)) {
    return object.name.text.replace(/^#/u, '');
  }
  return ts.isCallExpression(object) || ts.isNewExpression(object) || ts.isAwaitExpression(object)
    ? nameOf(object.expression)
    : '';
}
