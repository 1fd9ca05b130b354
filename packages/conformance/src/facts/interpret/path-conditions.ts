import { ts } from 'ts-morph';
import { FROM_ARGUMENTS, type Point, type Value } from '../values/value.js';
import { inputPath } from './abstract-values.js';
import type { Machine } from './machine.js';
import { unwrapped } from './unwrapped.js';

/** What a path requires of one of the tool's arguments. */
export interface PathCondition {
  /** Where in the input: `operation`. */
  readonly input: string;
  readonly isNegated: boolean;
  /** What it is compared with; null when it matters only whether it is given. */
  readonly value: string | null;
}

export const NO_CONDITIONS: readonly PathCondition[] = [];

/** More conditions on one path say no more to a reader. */
const MOST_CONDITIONS = 4;

export function conditionsKey(conditions: readonly PathCondition[]): string {
  return conditions
    .map(({ input, isNegated, value }) => `${isNegated ? '!' : ''}${input}=${value ?? '*'}`)
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

/** What a test says of the tool's input, where it says something simple: `operation === 'set'`, `dryRun`. */
export function conditionOn(machine: Machine, test: ts.Expression, at: Point): PathCondition | null {
  const node = unwrapped(test);
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    const isEqual =
      kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.EqualsEqualsToken;
    const isUnequal =
      kind === ts.SyntaxKind.ExclamationEqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsToken;
    if (!isEqual && !isUnequal) {
      return null;
    }
    const [subject, literal] =
      ts.isStringLiteralLike(node.right) || isPlainLiteral(node.right)
        ? [node.left, node.right]
        : [node.right, node.left];
    return isPlainLiteral(literal) ? comparison(machine, subject, textOf(literal), isUnequal, at) : null;
  }
  return comparison(machine, node, null, false, at);
}

/** `case 'set':` of a switch on the input. */
export function comparison(
  machine: Machine,
  subject: ts.Expression,
  value: string | null,
  isNegated: boolean,
  at: Point,
): PathCondition | null {
  const node = unwrapped(subject);
  if (!ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node)) {
    return null;
  }
  const input = inputOf(machine.evaluate(node, at));
  return input === null ? null : { input, isNegated, value };
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

function textOf(node: ts.Expression): string {
  return ts.isStringLiteralLike(node) ? node.text : node.getText();
}
