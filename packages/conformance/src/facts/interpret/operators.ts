import { ts } from '../../../engine/typescript.mjs';
import { skipWrappers } from '../../compiler/syntax.js';
import { join, referencesIn } from '../values/join.js';
import { BOOLEAN, FALSE, TRUE, UNDEFINED, literal, one, opaque } from '../values/make.js';
import { EMPTY, PRESENT, type Guard } from '../values/guard.js';
import { NO_REFERENCES, union } from '../values/references.js';
import { FROM_CALL, FROM_ELSEWHERE, type Alternative, type Point, type Value } from '../values/value.js';
import {
  equality,
  ordering,
  splitOnNullish,
  splitOnTruth,
  truthOf,
  nullishPart,
  withoutNullish,
} from './conditions.js';
import { readMember } from './class-members.js';
import { meet } from './forks.js';
import { callMethod, coerce, methodOf } from './implicit-calls.js';
import type { Machine } from './machine.js';
import { keyText } from './member-keys.js';
import { conditionOn, negated, withCondition } from './path-conditions.js';
import { isText, textOf } from './texts.js';

/** Where data that is computed from several values comes from: from wherever any of them does. */
export function originsOf(values: readonly Value[]): {
  readonly origin: number;
  readonly description: string;
} {
  let origin = 0;
  const elsewhere: string[] = [];
  for (const value of values) {
    for (const alternative of value.alternatives) {
      const from = originOf(alternative);
      origin |= from;
      if ((from & FROM_ELSEWHERE) !== 0 && alternative.kind === 'opaque') {
        elsewhere.push(alternative.description);
      }
    }
  }
  return { origin, description: elsewhere[0] ?? (origin === 0 ? 'a constant' : 'a computed value') };
}

export function originOf(alternative: Alternative): number {
  switch (alternative.kind) {
    case 'opaque':
      return alternative.origin;
    case 'result':
      return FROM_CALL;
    case 'target':
      return originsOf([alternative.uid]).origin;
    case 'promise':
      return originsOf([alternative.value]).origin;
    case 'object': {
      const values = [...alternative.properties.values()];
      return originsOf(alternative.others === null ? values : [...values, alternative.others]).origin;
    }
    case 'external':
      return alternative.module === '' && /^(?:process|globalThis|import)\b/u.test(alternative.path)
        ? FROM_ELSEWHERE
        : 0;
    default:
      return 0;
  }
}

export function evaluateUnary(machine: Machine, node: ts.Expression, at: Point): Value {
  if (ts.isTypeOfExpression(node)) {
    return typeOf(machine.evaluate(node.expression, at));
  }
  if (ts.isVoidExpression(node)) {
    machine.evaluate(node.expression, at);
    return UNDEFINED;
  }
  if (ts.isDeleteExpression(node)) {
    deleteProperty(machine, node, at);
    return TRUE;
  }
  if (!ts.isPrefixUnaryExpression(node) && !ts.isPostfixUnaryExpression(node)) {
    return UNDEFINED;
  }
  const value = machine.evaluate(node.operand, at);
  if (node.operator === ts.SyntaxKind.ExclamationToken) {
    return join(
      ...value.alternatives.map((one): Value => {
        const truth = truthOf(one);
        const outcome = truth === 'open' ? BOOLEAN : truth === 'true' ? FALSE : TRUE;
        return {
          alternatives: outcome.alternatives.map((bool) => ({
            ...bool,
            references: one.references,
            when: one.when,
          })),
        };
      }),
    );
  }
  coerce(machine, value, 'number', at, node);
  const changed = computed([value], (numbers) => {
    const [number] = numbers;
    if (typeof number !== 'number') {
      return undefined;
    }
    switch (node.operator) {
      case ts.SyntaxKind.MinusToken:
        return -number;
      case ts.SyntaxKind.PlusToken:
        return number;
      case ts.SyntaxKind.TildeToken:
        return ~number;
      default:
        // A counter: that it is a constant matters, not which.
        return undefined;
    }
  });
  if (node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken) {
    machine.assign(node.operand, changed, at);
  }
  return changed;
}

function deleteProperty(machine: Machine, node: ts.DeleteExpression, at: Point): void {
  const target = skipWrappers.inward(node.expression);
  if (ts.isPropertyAccessExpression(target)) {
    removeProperty(machine, machine.evaluate(target.expression, at), target.name.text, at);
  } else if (ts.isElementAccessExpression(target)) {
    const of = machine.evaluate(target.expression, at);
    for (const key of machine.evaluate(target.argumentExpression, at).alternatives) {
      const name = keyText(key);
      if (name === null) {
        machine.scramble(of, UNDEFINED, true, at);
      } else {
        removeProperty(machine, of, name, at);
      }
    }
  }
}

/** An element is gone, a property of an object is undefined from then on. */
export function removeProperty(machine: Machine, of: Value, name: string, at: Point): void {
  machine.writeProperty(of, name, UNDEFINED, at);
}

function typeOf(value: Value): Value {
  return join(
    ...value.alternatives.map((one): Value => {
      const name = typeName(one);
      const text =
        name === null
          ? opaque({ description: 'a type name', references: one.references })
          : literal(name, one.references);
      return { alternatives: text.alternatives.map((inner) => ({ ...inner, when: one.when })) };
    }),
  );
}

function typeName(one: Alternative): string | null {
  switch (one.kind) {
    case 'literal':
      return one.value === null ? 'object' : typeof one.value;
    case 'opaque':
      return one.preserved === null ? null : 'object';
    case 'function':
    case 'native':
    case 'class':
      return 'function';
    case 'external':
    case 'module':
      return null;
    default:
      return 'object';
  }
}

export function evaluateBinary(machine: Machine, node: ts.BinaryExpression, at: Point): Value {
  const { kind } = node.operatorToken;
  switch (kind) {
    case ts.SyntaxKind.EqualsToken: {
      const value = machine.evaluate(node.right, at);
      machine.assign(node.left, value, at);
      return value;
    }
    case ts.SyntaxKind.CommaToken:
      machine.evaluate(node.left, at);
      return machine.evaluate(node.right, at);
    case ts.SyntaxKind.AmpersandAmpersandToken:
    case ts.SyntaxKind.BarBarToken:
    case ts.SyntaxKind.QuestionQuestionToken:
      return evaluateEither(machine, node, machine.evaluate(node.left, at), at);
    case ts.SyntaxKind.AmpersandAmpersandEqualsToken:
    case ts.SyntaxKind.BarBarEqualsToken:
    case ts.SyntaxKind.QuestionQuestionEqualsToken: {
      const before = machine.evaluate(node.left, at);
      const value = evaluateEither(machine, node, before, at);
      machine.assign(node.left, value, at);
      return value;
    }
    default:
      break;
  }
  const left = machine.evaluate(node.left, at);
  const right = machine.evaluate(node.right, at);
  switch (kind) {
    case ts.SyntaxKind.EqualsEqualsEqualsToken:
      return equality(left, right, { isNegated: false, isStrict: true });
    case ts.SyntaxKind.ExclamationEqualsEqualsToken:
      return equality(left, right, { isNegated: true, isStrict: true });
    case ts.SyntaxKind.EqualsEqualsToken:
      coerceCompared(machine, left, right, at, node);
      return equality(left, right, { isNegated: false, isStrict: false });
    case ts.SyntaxKind.ExclamationEqualsToken:
      coerceCompared(machine, left, right, at, node);
      return equality(left, right, { isNegated: true, isStrict: false });
    case ts.SyntaxKind.InstanceOfKeyword:
      return instanceOf(machine, left, right, at, node);
    case ts.SyntaxKind.InKeyword:
      return isIn(machine, left, right);
    case ts.SyntaxKind.LessThanToken:
    case ts.SyntaxKind.GreaterThanToken:
    case ts.SyntaxKind.LessThanEqualsToken:
    case ts.SyntaxKind.GreaterThanEqualsToken:
      coerce(machine, left, 'number', at, node);
      coerce(machine, right, 'number', at, node);
      return ordering(kind, left, right);
    default: {
      coerce(machine, left, 'number', at, node);
      coerce(machine, right, 'number', at, node);
      const isAppended = kind === ts.SyntaxKind.PlusEqualsToken && at.frame.loops.length === 0;
      const isSum = kind === ts.SyntaxKind.PlusToken || isAppended;
      const sum = computed([left, right], (operands) => (isSum ? addition(operands) : undefined));
      const value = isSum || kind === ts.SyntaxKind.MinusToken ? put(sum, left, right) : sum;
      if (kind >= ts.SyntaxKind.FirstCompoundAssignment && kind <= ts.SyntaxKind.LastCompoundAssignment) {
        machine.assign(node.left, value, at);
      }
      return value;
    }
  }
}

/** `'name' in value`: of a field of a preserved value it says whether the field is there. */
function isIn(machine: Machine, left: Value, right: Value): Value {
  const [key, ...more] = left.alternatives;
  const name = key === undefined || more.length > 0 ? null : keyText(key);
  return join(
    ...right.alternatives.map((of): Value => {
      const field = of.kind === 'opaque' ? of.preserved?.fields?.find((one) => one.name === name) : undefined;
      const subject =
        field === undefined || of.kind !== 'opaque' ? null : machine.identities.ofField(of.id, field.name);
      const told = (bool: boolean): Guard =>
        subject === null ? of.when : new Map([...of.when, [subject, bool ? PRESENT : EMPTY]]);
      return {
        alternatives: [true, false].map((bool) => ({
          kind: 'literal',
          value: bool,
          references: referencesIn({ alternatives: [of] }),
          when: told(bool),
        })),
      };
    }),
  );
}

/** Only concatenation of constants is worth folding: names of tables, of methods, of tools. */
function addition([left, right]: readonly unknown[]): string | undefined {
  return typeof left === 'string' || typeof right === 'string'
    ? `${String(left)}${String(right)}`
    : undefined;
}

/** A text that is put together remembers of what. */
function put(sum: Value, left: Value, right: Value): Value {
  const [only] = sum.alternatives;
  if (only?.kind !== 'opaque') {
    return sum;
  }
  const text = isText(left) || isText(right) ? textOf([left, right]) : ({ kind: 'sum', of: left } as const);
  return { alternatives: [{ ...only, text }] };
}

/** A value that is computed from others, folded where they are constants. */
export function computed(
  operands: readonly Value[],
  fold: (literals: readonly unknown[]) => string | number | undefined,
): Value {
  const references = operands.reduce((all, operand) => union(all, referencesIn(operand)), NO_REFERENCES);
  const literals = operands.map(({ alternatives: [first, ...rest] }) =>
    rest.length === 0 && first?.kind === 'literal' ? { value: first.value } : null,
  );
  if (literals.every((one) => one !== null)) {
    const folded = fold(literals.map(({ value }) => value));
    if (folded !== undefined) {
      return literal(folded, references);
    }
  }
  return opaque({ ...originsOf(operands), references });
}

/** The right side stands under what the left one says: `existing ?? create()` creates where nothing was found. */
function evaluateEither(machine: Machine, node: ts.BinaryExpression, left: Value, at: Point): Value {
  const { kind } = node.operatorToken;
  const isAnd =
    kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.AmpersandAmpersandEqualsToken;
  const said = machine.effects.isWatching ? conditionOn(machine, node.left, left, at) : null;
  return evaluateLogical(machine, left, kind, at, () => {
    at.state.conditions = withCondition(at.state.conditions, isAnd ? said : negated(said));
    return machine.evaluate(node.right, at);
  });
}

function evaluateLogical(
  machine: Machine,
  left: Value,
  kind: ts.SyntaxKind,
  at: Point,
  right: () => Value,
): Value {
  const isNullish =
    kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.QuestionQuestionEqualsToken;
  if (isNullish) {
    const { whenTrue, whenFalse } = splitOnNullish(left, at);
    return meet(at, [
      { fork: whenFalse, evaluate: () => machine.restricted(withoutNullish(left), whenFalse.guard) },
      { fork: whenTrue, evaluate: () => inPlaceOf(nullishPart(left), right()) },
    ]);
  }
  const isAnd =
    kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.AmpersandAmpersandEqualsToken;
  const { whenTrue, whenFalse } = splitOnTruth(left, at);
  const kept: Value = {
    alternatives: left.alternatives.filter((one) => truthOf(one) !== (isAnd ? 'true' : 'false')),
  };
  return meet(at, [
    { fork: isAnd ? whenFalse : whenTrue, evaluate: () => kept },
    {
      fork: isAnd ? whenTrue : whenFalse,
      evaluate: () => (isAnd ? right() : inPlaceOf(onlyEmpty(left), right())),
    },
  ]);
}

function onlyEmpty(value: Value): Value {
  return {
    alternatives: value.alternatives.filter((one) => one.kind === 'literal' && truthOf(one) === 'false'),
  };
}

/** `false` where a field is empty says what the empty field says: it comes from there, as far as it stands for it. */
function inPlaceOf(empty: Value, value: Value): Value {
  const [only, ...more] = value.alternatives;
  if (only?.kind !== 'literal' || more.length > 0 || truthOf(only) !== 'false') {
    return value;
  }
  const marked = empty.alternatives.flatMap((one) =>
    one.references.size > 0
      ? [{ ...only, references: union(only.references, one.references), when: one.when }]
      : [],
  );
  const isAll = marked.length === empty.alternatives.length && marked.length > 0;
  return isAll
    ? { alternatives: marked }
    : { alternatives: [...marked, ...value.alternatives.map((one) => withRest(one, empty))] };
}

/** Under what holds for the one way that is left. */
function withRest(alternative: Alternative, empty: Value): Alternative {
  const [rest, ...more] = empty.alternatives.filter(({ references }) => references.size === 0);
  return rest === undefined || more.length > 0 ? alternative : { ...alternative, when: rest.when };
}

/** `a == b` converts an object that is compared with a text or a number. */
function coerceCompared(machine: Machine, left: Value, right: Value, at: Point, node: ts.Node): void {
  const isObject = (value: Value): boolean => value.alternatives.every(({ kind }) => kind === 'object');
  if (isObject(left) !== isObject(right)) {
    coerce(machine, left, 'number', at, node);
    coerce(machine, right, 'number', at, node);
  }
}

function instanceOf(machine: Machine, left: Value, right: Value, at: Point, node: ts.Node): Value {
  const [cls] = right.alternatives;
  if (cls?.kind === 'class') {
    const decide = readMember(machine, cls, '@@hasInstance', { isStatic: true, self: one(cls), at, node });
    if (decide !== null) {
      machine.call({ node, self: right, callee: decide, args: [left], spread: null, at });
      return BOOLEAN;
    }
  }
  const decides = cls === undefined ? null : methodOf(machine, cls, '@@hasInstance', at, node);
  if (cls !== undefined && decides !== null) {
    callMethod(machine, decides, cls, [left], { at, node, isCertain: true });
    return BOOLEAN;
  }
  const isTargetClass = cls?.kind === 'external' && cls.path === 'WriteTarget';
  return join(
    ...left.alternatives.map((one): Value => {
      const outcome =
        one.kind === 'literal' || (one.kind === 'result' && isTargetClass)
          ? FALSE
          : one.kind === 'target' && isTargetClass
            ? TRUE
            : one.kind === 'object' && one.of !== null && cls?.kind === 'class' && one.of.node === cls.node
              ? TRUE
              : BOOLEAN;
      return {
        alternatives: outcome.alternatives.map((bool) => ({
          ...bool,
          references: one.references,
          when: one.when,
        })),
      };
    }),
  );
}
