import { ts } from '../../../engine/typescript.mjs';
import { skipWrappers } from '../../compiler/syntax.js';
import { walk } from '../../compiler/walk.js';
import type { Point, Value } from '../values/value.js';
import type { Machine } from '../interpret/machine.js';
import { namesIn } from './surrounding-tests.js';

/** What stands for a part of a text that is not known. */
export const HOLE = '…';

/** The literal parts of a text with holes between them; null where nothing of it is in the source. */
export function literalParts(value: Value, depth = 0): string | null {
  const texts = value.alternatives.map((one): string | null => {
    if (one.kind === 'literal') {
      return typeof one.value === 'string' ? one.value : '';
    }
    if (one.kind === 'opaque' && one.text?.kind === 'template' && depth < 4) {
      const parts = one.text.parts.map((part) => literalParts(part, depth + 1));
      return parts.every((part) => part === null) ? null : parts.map((part) => part ?? HOLE).join('');
    }
    return null;
  });
  return texts.length === 0 || texts.includes(null) ? null : [...new Set(texts)].join('\n');
}

/** The text of the error that a statement throws; null where nothing of it is in the source. */
export function thrownText(machine: Machine, node: ts.ThrowStatement, at: Point): string | null {
  const expression = skipWrappers.inward(node.expression);
  if (!ts.isNewExpression(expression) && !ts.isCallExpression(expression)) {
    return null;
  }
  const own = ts.isNewExpression(expression) ? textsOfClass(machine, expression.expression, at) : [];
  const texts = [
    ...(expression.arguments ?? []).map((argument) => writtenText(machine, argument, at)),
    ...own,
  ];
  const found = texts.filter((text) => text !== null);
  return found.length === 0 ? null : found.join('\n');
}

/** What an error of one of the project's classes says by itself: `super('The store is busy.')`. */
function textsOfClass(machine: Machine, callee: ts.Expression, at: Point): readonly (string | null)[] {
  return machine.evaluate(callee, at).alternatives.flatMap((one) => {
    if (one.kind !== 'class') {
      return [];
    }
    const constructor = one.node.members.find((member) => ts.isConstructorDeclaration(member));
    const message = one.node.members.find(
      (member): member is ts.PropertyDeclaration =>
        ts.isPropertyDeclaration(member) && member.name.getText() === 'message',
    );
    const texts = message?.initializer === undefined ? [] : [constantText(message.initializer)];
    if (constructor?.body !== undefined) {
      walk(constructor.body, (inner) => {
        if (ts.isCallExpression(inner) && inner.expression.kind === ts.SyntaxKind.SuperKeyword) {
          texts.push(...inner.arguments.map((argument) => constantText(argument)));
        }
        return true;
      });
    }
    return texts;
  });
}

/** The literal parts of a text in a function that is not run here. */
function constantText(text: ts.Expression): string | null {
  const node = skipWrappers.inward(text);
  if (ts.isStringLiteralLike(node)) {
    return node.text;
  }
  return ts.isTemplateExpression(node)
    ? node.templateSpans.reduce((all, { literal }) => `${all}${HOLE}${literal.text}`, node.head.text)
    : null;
}

/** The names that are put into the error that a statement throws, as values. */
export function partsOfThrown(machine: Machine, node: ts.ThrowStatement, at: Point): readonly Value[] {
  return namesIn(node.expression)
    .filter((name) => !ts.isNewExpression(name.parent) || name.parent.expression !== name)
    .map((name) => machine.readName(name, at));
}

/** What is literal in an expression, without evaluating calls again. */
function writtenText(machine: Machine, argument: ts.Expression, at: Point): string | null {
  const node = skipWrappers.inward(argument);
  const constant = constantText(node);
  if (constant !== null) {
    return constant;
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const left = writtenText(machine, node.left, at);
    const right = writtenText(machine, node.right, at);
    return left === null && right === null ? null : `${left ?? HOLE}${right ?? HOLE}`;
  }
  if (ts.isConditionalExpression(node)) {
    const ways = [node.whenTrue, node.whenFalse].map((way) => writtenText(machine, way, at));
    return ways.includes(null) ? null : ways.join('\n');
  }
  return ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)
    ? literalParts(machine.evaluate(node, at))
    : null;
}
