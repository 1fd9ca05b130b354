import { RESULT_TYPE } from '@toolwright/sdk/contract-names';
import { ts } from '../../../engine/typescript.mjs';
import { isOfInput } from './abstract-values.js';
import type { Machine } from './machine.js';
import { map } from '../values/join.js';
import type { TextParts } from '../values/library.js';
import { opaque } from '../values/make.js';
import type { Value } from '../values/value.js';

/** More parts than this are not told apart: a text that a loop puts together. */
const MOST_PARTS = 24;

/** A text of several parts; what is itself a text of parts is taken apart. */
export function textOf(parts: readonly Value[]): TextParts<Value> {
  const flat = parts.flatMap((part) => {
    const [only, ...more] = part.alternatives;
    return more.length === 0 && only?.kind === 'opaque' && only.text?.kind === 'template'
      ? only.text.parts
      : [part];
  });
  return {
    kind: 'template',
    parts: flat.length <= MOST_PARTS ? flat : [...flat.slice(0, MOST_PARTS), REST],
  };
}

const REST = opaque({ description: 'the rest of the text' });

const SQL_OR_NAME = /\b(?:select|with|from|where|order by|limit|pragma|explain|show|values)\b|^[^/]*$/iu;

/**
 * What the model gives, where the checker knows that it is a number, a flag or one of some texts: it can say
 * nothing of its own there. Only asked of texts that are no address.
 */
export function bounded(machine: Machine, value: Value, node: ts.Expression, around: string): Value {
  if (!isOfInput(value) || !SQL_OR_NAME.test(around) || isSaid(node.parent.parent)) {
    return value;
  }
  const type = machine.queries.typeOfNode(node);
  return type === null || !isBounded(type)
    ? value
    : map(value, (one) => (one.kind === 'opaque' ? { ...one, description: 'a number or a flag' } : one));
}

/**
 * Whether a text is only said to somebody: an error's, or a result's. No program reads it, and the type of a tool's
 * input is inferred from its schema, which costs more than everything else that is asked.
 */
function isSaid(text: ts.Node): boolean {
  const { parent } = text;
  if (ts.isNewExpression(parent)) {
    return ts.isIdentifier(parent.expression) && parent.expression.text.endsWith('Error');
  }
  const callee = ts.isCallExpression(parent) ? parent.expression : null;
  return (
    callee !== null &&
    ts.isPropertyAccessExpression(callee) &&
    ts.isIdentifier(callee.expression) &&
    callee.expression.text === RESULT_TYPE
  );
}

function isBounded(type: ts.Type): boolean {
  const flags =
    ts.TypeFlags.NumberLike |
    ts.TypeFlags.BooleanLike |
    ts.TypeFlags.BigIntLike |
    ts.TypeFlags.StringLiteral |
    ts.TypeFlags.Null |
    ts.TypeFlags.Undefined;
  return type.isUnion() ? type.types.every(isBounded) : (type.flags & flags) !== 0;
}

export function isText(value: Value): boolean {
  return value.alternatives.some(
    (one) =>
      (one.kind === 'literal' && typeof one.value === 'string') ||
      (one.kind === 'opaque' && one.text?.kind === 'template'),
  );
}
