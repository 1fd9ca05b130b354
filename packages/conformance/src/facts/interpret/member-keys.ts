import { ts } from 'ts-morph';
import type { Alternative } from '../values/value.js';

/** The name under which a member with a well-known symbol for a key is kept: `@@iterator`. */
export function symbolName(node: ts.Expression): string | null {
  return ts.isPropertyAccessExpression(node) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'Symbol'
    ? `@@${node.name.text}`
    : null;
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
