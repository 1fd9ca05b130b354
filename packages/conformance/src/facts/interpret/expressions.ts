import { ts } from '../../../engine/typescript.mjs';
import { join, referencesIn } from '../values/join.js';
import { NEVER, UNDEFINED, literal, opaque, unknownValue } from '../values/make.js';
import { NO_REFERENCES, union } from '../values/references.js';
import type { Point, Value } from '../values/value.js';
import { evaluateCall, evaluateNew, evaluateTaggedTemplate } from './call-expressions.js';
import { defineClass } from './classes.js';
import { nullishPart, withoutNullish } from './conditions.js';
import { meet } from './forks.js';
import { coerce, settled } from './implicit-calls.js';
import { awaited } from './loops.js';
import type { Machine } from './machine.js';
import { keyText } from './member-keys.js';
import { closure } from './names.js';
import { evaluateArrayLiteral, evaluateObjectLiteral } from './object-literals.js';
import type { TextParts } from '../values/library.js';
import { evaluateBinary, evaluateUnary, originsOf } from './operators.js';
import { bounded, textOf } from './texts.js';

/** The value of an expression, with what it does to the state. */
export function evaluate(machine: Machine, node: ts.Expression, at: Point): Value {
  if (at.state.isDead) {
    return NEVER;
  }
  if (machine.isSpent()) {
    return unknownValue('the bound on the analysis of this code was reached', node);
  }
  switch (node.kind) {
    case ts.SyntaxKind.ParenthesizedExpression:
      return machine.evaluate((node as ts.ParenthesizedExpression).expression, at);
    case ts.SyntaxKind.NonNullExpression:
      return nonNull(machine.evaluate((node as ts.NonNullExpression).expression, at));
    case ts.SyntaxKind.AsExpression:
    case ts.SyntaxKind.TypeAssertionExpression:
    case ts.SyntaxKind.SatisfiesExpression: {
      const { expression, type } = node as ts.AsExpression | ts.TypeAssertion | ts.SatisfiesExpression;
      return machine.asDeclared(machine.evaluate(expression, at), type, at);
    }
    case ts.SyntaxKind.Identifier:
      return machine.readName(node as ts.Identifier, at);
    case ts.SyntaxKind.ThisKeyword:
      return at.frame.self ?? unknownValue('`this` is not known here', node);
    case ts.SyntaxKind.StringLiteral:
    case ts.SyntaxKind.NoSubstitutionTemplateLiteral:
      return literal((node as ts.StringLiteralLike).text);
    case ts.SyntaxKind.NumericLiteral:
      return literal(Number((node as ts.NumericLiteral).text));
    case ts.SyntaxKind.TrueKeyword:
      return literal(true);
    case ts.SyntaxKind.FalseKeyword:
      return literal(false);
    case ts.SyntaxKind.NullKeyword:
      return literal(null);
    case ts.SyntaxKind.BigIntLiteral:
    case ts.SyntaxKind.RegularExpressionLiteral:
      return opaque({ description: 'a constant' });
    case ts.SyntaxKind.TemplateExpression:
      return evaluateTemplate(machine, node as ts.TemplateExpression, at);
    case ts.SyntaxKind.ArrowFunction:
      return closure(machine, node as ts.ArrowFunction, at, at.frame.self);
    case ts.SyntaxKind.FunctionExpression:
      return closure(machine, node as ts.FunctionExpression, at);
    case ts.SyntaxKind.ClassExpression:
      defineClass(machine, node as ts.ClassExpression, at);
      return {
        alternatives: [
          {
            kind: 'class',
            node: node as ts.ClassExpression,
            frame: at.frame,
            references: NO_REFERENCES,
            when: new Map(),
          },
        ],
      };
    case ts.SyntaxKind.ObjectLiteralExpression:
      return evaluateObjectLiteral(machine, node as ts.ObjectLiteralExpression, at);
    case ts.SyntaxKind.ArrayLiteralExpression:
      return evaluateArrayLiteral(machine, node as ts.ArrayLiteralExpression, at);
    case ts.SyntaxKind.PropertyAccessExpression:
    case ts.SyntaxKind.ElementAccessExpression:
      return evaluateAccess(machine, node as ts.PropertyAccessExpression | ts.ElementAccessExpression, at)
        .value;
    case ts.SyntaxKind.CallExpression:
      return evaluateCall(machine, node as ts.CallExpression, at);
    case ts.SyntaxKind.NewExpression:
      return evaluateNew(machine, node as ts.NewExpression, at);
    case ts.SyntaxKind.TaggedTemplateExpression:
      return evaluateTaggedTemplate(machine, node as ts.TaggedTemplateExpression, at);
    case ts.SyntaxKind.AwaitExpression: {
      const value = settled(machine, machine.evaluate((node as ts.AwaitExpression).expression, at), at, node);
      machine.mayThrow(at);
      at.state.isDead ||= value.alternatives.length === 0;
      return value;
    }
    case ts.SyntaxKind.YieldExpression:
      return evaluateYield(machine, node as ts.YieldExpression, at);
    case ts.SyntaxKind.ConditionalExpression:
      return evaluateConditional(machine, node as ts.ConditionalExpression, at);
    case ts.SyntaxKind.BinaryExpression:
      return evaluateBinary(machine, node as ts.BinaryExpression, at);
    case ts.SyntaxKind.PrefixUnaryExpression:
    case ts.SyntaxKind.PostfixUnaryExpression:
    case ts.SyntaxKind.TypeOfExpression:
    case ts.SyntaxKind.VoidExpression:
    case ts.SyntaxKind.DeleteExpression:
      return evaluateUnary(machine, node, at);
    case ts.SyntaxKind.ExpressionWithTypeArguments:
      return machine.evaluate((node as ts.ExpressionWithTypeArguments).expression, at);
    case ts.SyntaxKind.MetaProperty:
      return opaque({ description: node.getText().slice(0, 40) });
    case ts.SyntaxKind.OmittedExpression:
      return UNDEFINED;
    default:
      return evaluateParts(machine, node, at);
  }
}

/** Of a kind that has no meaning here (JSX and the like): what is inside runs, what it is stays unknown. */
function evaluateParts(machine: Machine, node: ts.Expression, at: Point): Value {
  let references = NO_REFERENCES;
  const visit = (child: ts.Node): void => {
    if (ts.isFunctionLike(child)) {
      return;
    }
    if (ts.isExpression(child) && !isNameOnly(child)) {
      references = union(references, referencesIn(machine.evaluate(child, at)));
    } else {
      ts.forEachChild(child, visit);
    }
  };
  ts.forEachChild(node, visit);
  return unknownValue(`what \`${ts.SyntaxKind[node.kind]}\` evaluates to is not followed`, node, references);
}

// Tag and attribute names are identifiers too, and no values.
function isNameOnly(node: ts.Expression): boolean {
  return (
    ts.isIdentifier(node) &&
    (ts.isJsxAttribute(node.parent) ||
      ts.isJsxOpeningLikeElement(node.parent) ||
      ts.isJsxClosingElement(node.parent))
  );
}

/** `value!`: what the author says it is not, it is not, unless it is nothing else. */
function nonNull(value: Value): Value {
  const present = withoutNullish(value);
  return present.alternatives.length === 0 ? value : present;
}

function evaluateTemplate(machine: Machine, node: ts.TemplateExpression, at: Point): Value {
  const around = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join('');
  const parts = node.templateSpans.map(({ expression }) =>
    bounded(machine, machine.evaluate(expression, at), expression, around),
  );
  parts.forEach((part) => {
    coerce(machine, part, 'text', at, node);
  });
  const texts = parts.map(singleLiteral);
  const references = parts.reduce((all, part) => union(all, referencesIn(part)), NO_REFERENCES);
  if (texts.every((text) => text !== null)) {
    const text = node.templateSpans.reduce(
      (all, span, index) => all + (texts[index] ?? '') + span.literal.text,
      node.head.text,
    );
    return literal(text, references);
  }
  const { origin, description } = originsOf(parts);
  return opaque({ origin, description, references, text: templateText(node, parts) });
}

function templateText(node: ts.TemplateExpression, values: readonly Value[]): TextParts<Value> {
  const parts = node.templateSpans.flatMap(({ literal: { text } }, index) => [
    values[index] ?? NEVER,
    ...(text === '' ? [] : [literal(text)]),
  ]);
  return textOf(node.head.text === '' ? parts : [literal(node.head.text), ...parts]);
}

function singleLiteral(value: Value): string | null {
  const [first] = value.alternatives;
  return value.alternatives.length === 1 && first?.kind === 'literal' ? String(first.value) : null;
}

export interface Access {
  readonly self: Value;
  readonly value: Value;
}

/** `a.b`, `a[b]` and their optional forms, with what they were read from. */
export function evaluateAccess(
  machine: Machine,
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  at: Point,
): Access {
  if (node.expression.kind === ts.SyntaxKind.SuperKeyword) {
    return { self: at.frame.self ?? NEVER, value: readSuper(machine, node, at) };
  }
  const self = machine.evaluate(node.expression, at);
  const isChain = ts.isOptionalChain(node);
  const receiver = isChain ? withoutNullish(self) : self;
  const value = ts.isPropertyAccessExpression(node)
    ? machine.readProperty(receiver, node.name.text, at, node)
    : readElement(machine, receiver, machine.evaluate(node.argumentExpression, at), at, node);
  const patched = ts.isPropertyAccessExpression(node)
    ? machine.patches.of(receiver, node.name.text, at)
    : NEVER;
  const skipped = isChain ? nullishPart(self).alternatives.map((one) => ({ ...one, value: undefined })) : [];
  return {
    self: receiver,
    value:
      skipped.length === 0 && patched.alternatives.length === 0
        ? value
        : join(value, patched, { alternatives: skipped as never[] }),
  };
}

function readSuper(
  machine: Machine,
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  at: Point,
): Value {
  const name = ts.isPropertyAccessExpression(node) ? node.name.text : null;
  return name === null
    ? unknownValue('a computed member of `super` is not followed', node)
    : machine.readSuper(name, at, node);
}

/** `of[key]`: by each name that the key can be, under what makes it that name. */
export function readElement(machine: Machine, of: Value, key: Value, at: Point, node: ts.Node): Value {
  coerce(machine, key, 'text', at, node);
  const values = key.alternatives.map((alternative): Value => {
    const name = keyText(alternative);
    if (name !== null) {
      const value = machine.readProperty(of, name, at, node);
      return alternative.when.size === 0 ? value : machine.restricted(value, alternative.when);
    }
    return readDeclaredNames(machine, of, at, node) ?? readAny(machine, of, at, node);
  });
  return join(...values);
}

/** By the names that the type of the key allows, where it allows only a few. */
function readDeclaredNames(machine: Machine, of: Value, at: Point, node: ts.Node): Value | null {
  const isRecord = of.alternatives.some((one) => one.kind === 'object' && one.collection === null);
  if (!isRecord || !ts.isElementAccessExpression(node)) {
    return null;
  }
  if (isClaimed(node.argumentExpression) && readAny(machine, of, at, node).alternatives.some(isCode)) {
    return null;
  }
  const type = machine.queries.typeOfNode(node.argumentExpression);
  const shape = type === null ? null : machine.queries.shapeOf(type);
  if (shape === null || shape.literals.length === 0 || shape.isOpen || shape.others.length > 0) {
    return null;
  }
  return join(...shape.literals.map((name) => machine.readProperty(of, String(name), at, node)));
}

/** `steps[text as 'look']`: that a name is one of a few is said where it is used, and not checked. */
function isClaimed(key: ts.Expression): boolean {
  const node = skipParentheses(key);
  return ts.isAsExpression(node) || ts.isTypeAssertionExpression(node);
}

function isCode({ kind }: Value['alternatives'][number]): boolean {
  return kind === 'function' || kind === 'class' || kind === 'external';
}

function skipParentheses(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ? skipParentheses(node.expression) : node;
}

/** Any property: the key is not known. */
function readAny(machine: Machine, of: Value, at: Point, node: ts.Node): Value {
  return join(
    ...of.alternatives.map((alternative): Value => {
      if (alternative.kind === 'object') {
        const values = [...machine.propertiesOf(alternative, at).values()];
        const others = machine.othersOf(alternative, at);
        const all = join(...values, ...(others === null ? [] : [others]));
        if (alternative.collection === null && (alternative.of !== null || all.alternatives.length === 0)) {
          return all.alternatives.length === 0
            ? machine.typedAt(node, at, 'the name of the member is computed')
            : join(all, unknownValue('the name of the member is computed', node));
        }
        return all.alternatives.length === 0 ? UNDEFINED : all;
      }
      if (alternative.kind === 'opaque') {
        return machine.readIndexed(alternative, at, node);
      }
      if (alternative.kind === 'literal') {
        return machine.readProperty({ alternatives: [alternative] }, '0', at, node);
      }
      const references = referencesIn({ alternatives: [alternative] });
      return unknownValue('the name of the member is computed', node, references);
    }),
  );
}

function evaluateConditional(machine: Machine, node: ts.ConditionalExpression, at: Point): Value {
  const { whenTrue, whenFalse } = machine.branch(node.condition, at);
  return meet(at, [
    { fork: whenTrue, evaluate: () => machine.evaluate(node.whenTrue, at) },
    { fork: whenFalse, evaluate: () => machine.evaluate(node.whenFalse, at) },
  ]);
}

function evaluateYield(machine: Machine, node: ts.YieldExpression, at: Point): Value {
  const value = node.expression === undefined ? UNDEFINED : machine.evaluate(node.expression, at);
  machine.mayThrow(at);
  const yielded = node.asteriskToken === undefined ? awaited(value) : machine.elementsOf(value, at, node);
  machine.observer.returned(yielded, node, at);
  at.frame.yielded = join(at.frame.yielded, yielded);
  return opaque({ description: 'what the caller of the generator hands in' });
}
