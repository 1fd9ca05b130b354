import { ts } from '../../../engine/typescript.mjs';
import { skipWrappers } from '../../compiler/syntax.js';
import { both, either, type Guard } from '../values/guard.js';
import { join } from '../values/join.js';
import { literal } from '../values/make.js';
import { union } from '../values/references.js';
import type { Alternative, LiteralValue, Point, Value } from '../values/value.js';
import type { Branches, Machine } from './machine.js';
import { conditionOn, negated, withCondition, type PathCondition } from './path-conditions.js';

type Truth = 'true' | 'false' | 'open';

export function truthOf(alternative: Alternative): Truth {
  switch (alternative.kind) {
    case 'literal':
      return alternative.value ? 'true' : 'false';
    case 'opaque':
      return alternative.preserved !== null ||
        alternative.isTruthy ||
        (alternative.type !== null && (alternative.type.flags & ts.TypeFlags.Object) !== 0)
        ? 'true'
        : 'open';
    case 'external':
      return 'open';
    default:
      return 'true';
  }
}

/** The two ways a condition can go. Both states are forks of the state before it. */
export function branch(machine: Machine, condition: ts.Expression, at: Point): Branches {
  const node = skipWrappers.inward(condition);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    const { whenTrue, whenFalse } = branch(machine, node.operand, at);
    return { whenTrue: whenFalse, whenFalse: whenTrue };
  }
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken) {
      return branchBoth(machine, node, kind === ts.SyntaxKind.AmpersandAmpersandToken, at);
    }
  }
  const value = machine.evaluate(condition, at);
  const branches = splitOnTruth(value, at);
  const said = machine.effects.isWatching ? conditionOn(machine, condition, value, at) : null;
  note(branches, said);
  return branches;
}

/** Both ways remember what they require of the tool's arguments. */
export function note({ whenTrue, whenFalse }: Branches, said: PathCondition | null): void {
  if (said !== null) {
    whenTrue.conditions = withCondition(whenTrue.conditions, said);
    whenFalse.conditions = withCondition(whenFalse.conditions, negated(said));
  }
}

function branchBoth(machine: Machine, node: ts.BinaryExpression, isAnd: boolean, at: Point): Branches {
  const base = at.state;
  const first = branch(machine, node.left, at);
  at.state = isAnd ? first.whenTrue : first.whenFalse;
  const second = branch(machine, node.right, at);
  at.state = base;
  const met = base.fork();
  const [short, long] = isAnd ? [first.whenFalse, second.whenFalse] : [first.whenTrue, second.whenTrue];
  met.absorb([short.asBranchOf(base), long.asBranchOf(base)]);
  return isAnd
    ? { whenTrue: second.whenTrue, whenFalse: met }
    : { whenTrue: met, whenFalse: second.whenFalse };
}

export function splitOnTruth(value: Value, at: Point): Branches {
  return split(value, at, truthOf);
}

/** The first branch has the value null or undefined, the second has neither. */
export function splitOnNullish(value: Value, at: Point): Branches {
  return split(value, at, (alternative) => {
    if (alternative.kind === 'literal') {
      return alternative.value === null || alternative.value === undefined ? 'true' : 'false';
    }
    return mayBeNullish(alternative) ? 'open' : 'false';
  });
}

/** What is known by its type, and what was left when the empty forms went, is neither null nor undefined. */
function mayBeNullish(one: Alternative): boolean {
  return (
    one.kind === 'external' ||
    (one.kind === 'opaque' && one.type === null && one.preserved === null && !one.isTruthy)
  );
}

function split(value: Value, at: Point, test: (alternative: Alternative) => Truth): Branches {
  const base = at.state;
  const whenTrue = base.fork();
  const whenFalse = base.fork();
  const restrict = (state: typeof whenTrue, excluded: Truth): void => {
    const left = value.alternatives.filter((alternative) => test(alternative) !== excluded);
    const known = left.map(({ when }) => both(state.guard, when)).filter((guard) => guard !== null);
    const [first, ...rest] = known;
    if (first === undefined) {
      state.isDead = true;
    } else {
      state.guard = rest.reduce<Guard>((a, b) => either(a, b), first);
    }
  };
  restrict(whenTrue, 'false');
  restrict(whenFalse, 'true');
  return { whenTrue, whenFalse };
}

export function nullishPart(value: Value): Value {
  return {
    alternatives: value.alternatives.filter(
      (one) => one.kind === 'literal' && (one.value === null || one.value === undefined),
    ),
  };
}

export function withoutNullish(value: Value): Value {
  return {
    alternatives: value.alternatives.filter(
      (one) => one.kind !== 'literal' || (one.value !== null && one.value !== undefined),
    ),
  };
}

/** `a === b`: true and false, each under the conditions in which it is so. */
export function equality(
  a: Value,
  b: Value,
  { isNegated, isStrict }: { readonly isNegated: boolean; readonly isStrict: boolean },
): Value {
  const values: Value[] = [];
  for (const left of a.alternatives) {
    for (const right of b.alternatives) {
      const when = both(left.when, right.when);
      if (when === null) {
        continue;
      }
      const references = union(left.references, right.references);
      const truth = compare(left, right, isStrict);
      const outcomes = truth === 'open' ? [true, false] : [truth === 'true'];
      for (const outcome of outcomes) {
        values.push({ alternatives: [{ kind: 'literal', value: outcome !== isNegated, references, when }] });
      }
    }
  }
  return values.length === 0
    ? { alternatives: [...literal(true).alternatives, ...literal(false).alternatives] }
    : joinByOutcome(values);
}

// References differ per pair; what matters afterwards is the outcome, so they are put together.
function joinByOutcome(values: readonly Value[]): Value {
  const outcomes = [true, false].map((outcome): Value => {
    const matching = values.flatMap(({ alternatives }) =>
      alternatives.filter((one) => one.kind === 'literal' && one.value === outcome),
    );
    const [first, ...rest] = matching;
    if (first === undefined) {
      return { alternatives: [] };
    }
    return {
      alternatives: [
        rest.reduce<Alternative>(
          (all, one) => ({
            ...all,
            references: union(all.references, one.references),
            when: either(all.when, one.when),
          }),
          first,
        ),
      ],
    };
  });
  return join(...outcomes);
}

/** `a < b` and its kin, of constants; of a length, whether it is zero. */
export function ordering(kind: ts.SyntaxKind, a: Value, b: Value): Value {
  const values: Value[] = [];
  for (const left of a.alternatives) {
    for (const right of b.alternatives) {
      const when = both(left.when, right.when);
      if (when === null) {
        continue;
      }
      const references = union(left.references, right.references);
      const truth = order(kind, left, right);
      for (const outcome of truth === 'open' ? [true, false] : [truth === 'true']) {
        values.push({ alternatives: [{ kind: 'literal', value: outcome, references, when }] });
      }
    }
  }
  return joinByOutcome(values);
}

function order(kind: ts.SyntaxKind, a: Alternative, b: Alternative): Truth {
  const isLess = kind === ts.SyntaxKind.LessThanToken || kind === ts.SyntaxKind.LessThanEqualsToken;
  const [small, large] = isLess ? [a, b] : [b, a];
  const isStrict = kind === ts.SyntaxKind.LessThanToken || kind === ts.SyntaxKind.GreaterThanToken;
  if (isNumber(small) && isNumber(large)) {
    return (isStrict ? small.value < large.value : small.value <= large.value) ? 'true' : 'false';
  }
  const [low, high] = [lengthOf(small), lengthOf(large)];
  if (low === null || high === null) {
    return 'open';
  }
  if (low.isExact && high.isExact) {
    return (isStrict ? low.least < high.least : low.least <= high.least) ? 'true' : 'false';
  }
  // At least one against a constant, or the other way round.
  if (low.isExact) {
    return (isStrict ? low.least < high.least : low.least <= high.least) ? 'true' : 'open';
  }
  if (high.isExact) {
    return (isStrict ? low.least >= high.least : low.least > high.least) ? 'false' : 'open';
  }
  return 'open';
}

function isNumber(one: Alternative): one is LiteralValue & { readonly value: number } {
  return one.kind === 'literal' && typeof one.value === 'number';
}

function lengthOf(one: Alternative): { readonly least: number; readonly isExact: boolean } | null {
  if (one.kind === 'literal' && (one.value === 0 || one.value === 1)) {
    return { least: one.value, isExact: true };
  }
  return one.kind === 'opaque' && one.isTruthy ? { least: 1, isExact: false } : null;
}

function compare(a: Alternative, b: Alternative, isStrict: boolean): Truth {
  if (a.kind === 'literal' && b.kind === 'literal') {
    const isNullish = (value: unknown): boolean => value === null || value === undefined;
    if (!isStrict && isNullish(a.value) && isNullish(b.value)) {
      return 'true';
    }
    return a.value === b.value ? 'true' : 'false';
  }
  const [known, other] = a.kind === 'literal' ? [a, b] : [b, a];
  if (known.kind !== 'literal') {
    return 'open';
  }
  if (other.kind !== 'opaque' && other.kind !== 'external') {
    return 'false';
  }
  if (other.kind === 'opaque' && other.isTruthy && known.value === 0) {
    return 'false';
  }
  const isNullish = known.value === null || known.value === undefined;
  return isNullish && !mayBeNullish(other) ? 'false' : 'open';
}
