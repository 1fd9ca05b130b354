import { ts } from '../../../engine/typescript.mjs';
import type { ExpectedType } from './type-queries.js';
import type { Checker } from '../../load/loaded-project.js';

/** Methods whose answer is what the functions answer that they are given, and what passes such an answer on. */
const ANSWERING = new Set(['map', 'flatMap', 'then', 'catch', 'from', 'fromAsync']);
const PASSING = new Set([
  'then',
  'catch',
  'finally',
  'filter',
  'slice',
  'sort',
  'toSorted',
  'reverse',
  'toReversed',
  'flat',
  'concat',
]);

/**
 * The type that is written for an answer, however far from where the answer is made: a function without a declared answer that is
 * given to `map` or `then` answers for what the call of that stands for.
 */
export function expectedOf(checker: Checker, node: ts.Expression): ExpectedType {
  let current: ts.Expression = node;
  for (;;) {
    const settled = settledBy(current);
    if (settled !== null) {
      current = settled;
      continue;
    }
    const type = checker.getContextualType(current);
    if (type !== undefined && !isInferred(type, node)) {
      return { kind: 'type', type };
    }
    const outer = outward(current);
    if (outer === null || outer === 'elsewhere') {
      return { kind: outer === null ? 'inferred' : 'elsewhere' };
    }
    current = outer;
  }
}

/** The call of `Promise.all` or the like that a list of answers is given to. */
function settledBy(node: ts.Expression): ts.Expression | null {
  const { parent } = node;
  return ts.isCallExpression(parent) &&
    parent.arguments[0] === node &&
    ts.isPropertyAccessExpression(parent.expression) &&
    ts.isIdentifier(parent.expression.expression) &&
    parent.expression.expression.text === 'Promise'
    ? parent
    : null;
}

/** A type that comes from the expression itself, or that says nothing. */
function isInferred(type: ts.Type, node: ts.Expression): boolean {
  const parts = type.isUnion() ? type.types : [type];
  return parts.some(
    (part) =>
      (part.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter)) !== 0 ||
      isOf(part, node),
  );
}

function isOf(type: ts.Type, node: ts.Expression): boolean {
  const declaration = (type as ts.Type | { symbol?: ts.Symbol }).symbol?.declarations?.[0];
  if (declaration === undefined || !ts.isObjectLiteralExpression(declaration)) {
    return false;
  }
  return declaration.getSourceFile() === node.getSourceFile();
}

/** The expression that stands for what is answered here; null where the answer is the end of it. */
function outward(node: ts.Expression): ts.Expression | 'elsewhere' | null {
  const { parent } = node;
  if (
    ts.isParenthesizedExpression(parent) ||
    ts.isAwaitExpression(parent) ||
    ts.isConditionalExpression(parent) ||
    ts.isNonNullExpression(parent)
  ) {
    return parent;
  }
  if (ts.isPropertyAccessExpression(parent)) {
    const call = parent.parent;
    return PASSING.has(parent.name.text) && ts.isCallExpression(call) ? call : 'elsewhere';
  }
  const fn = functionAnswering(node);
  if (fn === null) {
    return null;
  }
  const call = fn.parent;
  if (!ts.isCallExpression(call) || !call.arguments.some((argument) => argument === fn)) {
    return null;
  }
  const callee = call.expression;
  return ts.isPropertyAccessExpression(callee) && ANSWERING.has(callee.name.text) ? call : 'elsewhere';
}

/** The function expression, without a declared answer, whose answer an expression is. */
function functionAnswering(node: ts.Expression): ts.ArrowFunction | ts.FunctionExpression | null {
  const { parent } = node;
  if (ts.isArrowFunction(parent) && parent.body === node) {
    return parent;
  }
  if (!ts.isReturnStatement(parent)) {
    return null;
  }
  let around: ts.Node = parent;
  while (!ts.isFunctionLike(around) && !ts.isSourceFile(around)) {
    around = around.parent;
  }
  return (ts.isArrowFunction(around) || ts.isFunctionExpression(around)) && around.type === undefined
    ? around
    : null;
}
