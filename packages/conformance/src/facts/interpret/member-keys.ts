import { ts } from '../../../engine/typescript.mjs';
import type { Alternative } from '../values/value.js';

/** The name under which a member with a well-known symbol for a key is kept: `@@iterator`. */
export function symbolName(node: ts.Expression): string | null {
  if (isInspection(node)) {
    return INSPECTION;
  }
  return ts.isPropertyAccessExpression(node) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'Symbol'
    ? `@@${node.name.text}`
    : null;
}

/** The name under which the method is kept that `console.log` and `util.inspect` call. */
export const INSPECTION = '@@inspect';

/** `util.inspect.custom`, `Symbol.for('nodejs.util.inspect.custom')`. */
function isInspection(node: ts.Expression): boolean {
  if (ts.isCallExpression(node)) {
    const [key] = node.arguments;
    return key !== undefined && ts.isStringLiteralLike(key) && key.text === 'nodejs.util.inspect.custom';
  }
  if (!ts.isPropertyAccessExpression(node) || node.name.text !== 'custom') {
    return false;
  }
  const of = node.expression;
  return ts.isIdentifier(of)
    ? of.text === 'inspect'
    : ts.isPropertyAccessExpression(of) && of.name.text === 'inspect';
}

/** The name that a key stands for; null where it is not known. */
export function keyText(key: Alternative): string | null {
  if (key.kind === 'literal') {
    return String(key.value);
  }
  return key.kind === 'external' && key.module === '' && /^Symbol\.\w+$/u.test(key.path)
    ? `@@${key.path.slice('Symbol.'.length)}`
    : null;
}
