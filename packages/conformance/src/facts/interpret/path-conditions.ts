import { ts } from '../../../engine/typescript.mjs';
import { FROM_ARGUMENTS, FROM_CALL, type Point, type Value } from '../values/value.js';
import { inputPath } from './abstract-values.js';
import type { Machine } from './machine.js';
import { skipWrappers } from '../../compiler/syntax.js';

/** What a path requires of one of the tool's arguments, or of what a read found. */
export interface PathCondition {
  /** Where in the input: `operation`; null for what a read answered. */
  readonly input: string | null;
  /** Of a read: nothing was found. */
  readonly isNegated: boolean;
  /** What it is compared with; null when it matters only whether it is there. */
  readonly value: string | null;
}

/** A read found nothing. */
export const NOT_FOUND: PathCondition = { input: null, isNegated: true, value: null };
const FOUND: PathCondition = { input: null, isNegated: false, value: null };

export const NO_CONDITIONS: readonly PathCondition[] = [];

/** More conditions on one path say no more to a reader. */
const MOST_CONDITIONS = 4;

export function conditionsKey(conditions: readonly PathCondition[]): string {
  return conditions
    .map(({ input, isNegated, value }) => `${isNegated ? '!' : ''}${input ?? ''}=${value ?? '*'}`)
    .join('&');
}

export function withCondition(
  conditions: readonly PathCondition[],
  condition: PathCondition | null,
): readonly PathCondition[] {
  if (condition === null || conditions.length >= MOST_CONDITIONS) {
    return conditions;
  }
  const key = conditionsKey([condition]);
  return conditions.some((one) => conditionsKey([one]) === key) ? conditions : [...conditions, condition];
}

export function negated(condition: PathCondition | null): PathCondition | null {
  return condition === null ? null : { ...condition, isNegated: !condition.isNegated };
}

/**
 * What a test says of the tool's input or of what a read found, where it says something simple:
 * `operation === 'set'`, `dryRun`, `existing !== null`, `rows.length > 0`.
 *
 * @param value - what the test evaluates to
 */
export function conditionOn(
  machine: Machine,
  test: ts.Expression,
  value: Value,
  at: Point,
): PathCondition | null {
  const node = skipWrappers.inward(test);
  if (!ts.isBinaryExpression(node)) {
    return presence(machine, node, value, at);
  }
  const relation = RELATIONS.get(node.operatorToken.kind);
  if (relation === undefined) {
    return null;
  }
  const isMirrored = isConstant(node.left) && !isConstant(node.right);
  const [subject, constant] = isMirrored ? [node.right, node.left] : [node.left, node.right];
  if (!isConstant(constant) || !isPath(skipWrappers.inward(subject))) {
    return null;
  }
  const found = machine.evaluate(skipWrappers.inward(subject), at);
  const input = inputOf(found);
  if (input !== null) {
    return relation === 'order'
      ? null
      : { input, isNegated: relation === 'unequal', value: textOf(constant) };
  }
  if (!isFromCall(found) && !isAwaited(machine, subject)) {
    return null;
  }
  return findingOf(node, subject, textOf(constant), relation);
}

const RELATIONS: ReadonlyMap<ts.SyntaxKind, 'equal' | 'unequal' | 'order'> = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, 'equal'],
  [ts.SyntaxKind.EqualsEqualsToken, 'equal'],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, 'unequal'],
  [ts.SyntaxKind.ExclamationEqualsToken, 'unequal'],
  [ts.SyntaxKind.GreaterThanToken, 'order'],
  [ts.SyntaxKind.GreaterThanEqualsToken, 'order'],
  [ts.SyntaxKind.LessThanToken, 'order'],
]);

/** Texts that say that nothing is there: a count of zero, no value, a status of 404, an index of -1. */
const ABSENT = new Set(['0', 'null', 'undefined', 'false', '404', '-1']);

function findingOf(
  node: ts.BinaryExpression,
  subject: ts.Expression,
  text: string,
  relation: 'equal' | 'unequal' | 'order',
): PathCondition | null {
  if (relation !== 'order') {
    return ABSENT.has(text) ? (relation === 'equal' ? NOT_FOUND : FOUND) : null;
  }
  // `rows.length > 0`, `count >= 1`, `rows.length < 1`
  const isLess = node.operatorToken.kind === ts.SyntaxKind.LessThanToken;
  const isCount = text === '0' || text === '1' || text === '-1';
  return !isCount || node.left !== subject ? null : isLess ? NOT_FOUND : FOUND;
}

function presence(machine: Machine, node: ts.Expression, value: Value, at: Point): PathCondition | null {
  if (isPath(node)) {
    const input = inputOf(machine.evaluate(node, at));
    if (input !== null) {
      return { input, isNegated: false, value: null };
    }
  }
  return isFromCall(value) || ts.isAwaitExpression(node) || isOfRead(machine, node, at) ? FOUND : null;
}

/** What was read, or a part of it: `existing`, `existing?.target`. */
function isOfRead(machine: Machine, node: ts.Expression, at: Point): boolean {
  let root = node;
  while (ts.isPropertyAccessExpression(root)) {
    root = skipWrappers.inward(root.expression);
  }
  return (
    isAwaited(machine, root) ||
    (root !== node && ts.isIdentifier(root) && isFromCall(machine.readName(root, at)))
  );
}

/** A variable that holds what was awaited: of a boolean, the type alone does not say that it was read. */
function isAwaited(machine: Machine, subject: ts.Expression): boolean {
  const node = skipWrappers.inward(subject);
  if (!ts.isIdentifier(node)) {
    return false;
  }
  const declaration = machine.queries.symbolOf(node)?.valueDeclaration;
  return (
    declaration !== undefined &&
    ts.isVariableDeclaration(declaration) &&
    declaration.initializer !== undefined &&
    ts.isAwaitExpression(skipWrappers.inward(declaration.initializer))
  );
}

function isFromCall({ alternatives }: Value): boolean {
  return alternatives.some(
    (one) => one.kind === 'opaque' && (one.origin & FROM_CALL) !== 0 && (one.origin & FROM_ARGUMENTS) === 0,
  );
}

/** `case 'set':` of a switch on the input. */
export function comparison(
  machine: Machine,
  subject: ts.Expression,
  value: string,
  at: Point,
): PathCondition | null {
  const node = skipWrappers.inward(subject);
  const input = isPath(node) ? inputOf(machine.evaluate(node, at)) : null;
  return input === null ? null : { input, isNegated: false, value };
}

function isPath(node: ts.Expression): boolean {
  return ts.isIdentifier(node) || ts.isPropertyAccessExpression(node);
}

function inputOf(value: Value): string | null {
  for (const one of value.alternatives) {
    if (one.kind === 'opaque' && (one.origin & FROM_ARGUMENTS) !== 0) {
      const path = inputPath(one.description);
      if (path !== '') {
        return path;
      }
    }
  }
  return null;
}

export function isPlainLiteral(node: ts.Expression): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isNumericLiteral(node) ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword
  );
}

function isConstant(node: ts.Expression): boolean {
  return (
    isPlainLiteral(node) ||
    node.kind === ts.SyntaxKind.NullKeyword ||
    (ts.isIdentifier(node) && node.text === 'undefined') ||
    (ts.isPrefixUnaryExpression(node) && ts.isNumericLiteral(node.operand))
  );
}

function textOf(node: ts.Expression): string {
  return ts.isStringLiteralLike(node) ? node.text : node.getText();
}
