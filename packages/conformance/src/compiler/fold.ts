import { ts } from '../../engine/typescript.mjs';
import {
  type Evaluation,
  type Folded,
  notConstant,
  type Primitive,
  type Scope,
  type StaticValue,
  undecided,
  valueOf,
} from './static-value.js';
import { shortText } from './syntax.js';

const { SyntaxKind } = ts;

/** A constant out of a value that {@link Evaluation.reduce} has taken as far as it can. */
export function foldReduced(evaluation: Evaluation, value: StaticValue): Folded {
  switch (value.kind) {
    case 'constant':
      return { kind: 'constant', value: value.value };
    case 'unknown':
      return value;
    case 'choice':
      return foldChoice(evaluation, value);
    case 'expression':
      return foldExpression(evaluation, value.node, value.scope);
    case 'array':
      return undecided('it is a list', value.node);
    case 'merged':
      return undecided('it is an object', value.node);
    case 'module':
      return undecided('it is a module', value.node);
    case 'function':
    case 'class':
    case 'instance':
      return undecided(`it is a ${value.kind}`, value.node);
  }
}

function foldChoice(evaluation: Evaluation, { options, cause }: StaticValue & { kind: 'choice' }): Folded {
  const folded = options.map((option) => evaluation.fold(option));
  const unknown =
    folded.find((one) => one.kind === 'unknown' && one.verdict === 'not_constant') ??
    folded.find((one) => one.kind === 'unknown');
  if (unknown !== undefined) {
    return unknown;
  }
  const [first] = folded;
  const isSame = folded.every(
    (one) => one.kind === 'constant' && first?.kind === 'constant' && one.value === first.value,
  );
  if (first !== undefined && isSame) {
    return first;
  }
  return { ...cause, why: `which one it is depends: ${cause.why}` };
}

function foldExpression(evaluation: Evaluation, node: ts.Expression, scope: Scope): Folded {
  if (ts.isStringLiteralLike(node)) {
    return known(node.text);
  }
  if (ts.isNumericLiteral(node)) {
    return known(Number(node.text));
  }
  if (ts.isTemplateExpression(node)) {
    return foldTemplate(evaluation, node, scope);
  }
  if (ts.isBinaryExpression(node)) {
    return foldBinary(evaluation, node, scope);
  }
  if (ts.isPrefixUnaryExpression(node)) {
    const operand = evaluation.fold(valueOf(node.operand, scope));
    return operand.kind === 'constant' ? foldPrefix(node, operand.value) : operand;
  }
  switch (node.kind) {
    case SyntaxKind.TrueKeyword:
      return known(true);
    case SyntaxKind.FalseKeyword:
      return known(false);
    case SyntaxKind.NullKeyword:
      return known(null);
    default:
      return undecided(`${shortText(node)} is no constant that can be worked out`, node);
  }
}

function foldTemplate(evaluation: Evaluation, node: ts.TemplateExpression, scope: Scope): Folded {
  let text = node.head.text;
  for (const span of node.templateSpans) {
    const part = evaluation.fold(valueOf(span.expression, scope));
    if (part.kind !== 'constant') {
      return part;
    }
    text += `${String(part.value)}${span.literal.text}`;
  }
  return known(text);
}

function foldBinary(evaluation: Evaluation, node: ts.BinaryExpression, scope: Scope): Folded {
  const left = evaluation.fold(valueOf(node.left, scope));
  const right = evaluation.fold(valueOf(node.right, scope));
  if (left.kind !== 'constant' || right.kind !== 'constant') {
    const unknowns = [left, right].filter((one) => one.kind === 'unknown');
    return unknowns.find(({ verdict }) => verdict === 'not_constant') ?? unknowns[0] ?? undecided('', node);
  }
  const [a, b] = [left.value, right.value];
  switch (node.operatorToken.kind) {
    case SyntaxKind.PlusToken:
      return typeof a === 'number' && typeof b === 'number'
        ? known(a + b)
        : known(`${String(a)}${String(b)}`);
    case SyntaxKind.EqualsEqualsEqualsToken:
      return known(a === b);
    case SyntaxKind.ExclamationEqualsEqualsToken:
      return known(a !== b);
    case SyntaxKind.EqualsEqualsToken:
      return known(a === b || (isNullish(a) && isNullish(b)));
    case SyntaxKind.ExclamationEqualsToken:
      return known(a !== b && !(isNullish(a) && isNullish(b)));
    case SyntaxKind.LessThanToken:
      return typeof a === 'number' && typeof b === 'number' ? known(a < b) : undecided(shortText(node), node);
    case SyntaxKind.GreaterThanToken:
      return typeof a === 'number' && typeof b === 'number' ? known(a > b) : undecided(shortText(node), node);
    default:
      return undecided(`${shortText(node)} is no constant that can be worked out`, node);
  }
}

function foldPrefix(node: ts.PrefixUnaryExpression, value: Primitive): Folded {
  switch (node.operator) {
    case SyntaxKind.ExclamationToken:
      return known(!value);
    case SyntaxKind.MinusToken:
      return typeof value === 'number' ? known(-value) : undecided(shortText(node), node);
    case SyntaxKind.PlusPlusToken:
    case SyntaxKind.MinusMinusToken:
      return notConstant('it is counted', node);
    default:
      return undecided(`${shortText(node)} is no constant that can be worked out`, node);
  }
}

function known(value: Primitive): Folded {
  return { kind: 'constant', value };
}

function isNullish(value: Primitive): boolean {
  return value === null || value === undefined;
}
