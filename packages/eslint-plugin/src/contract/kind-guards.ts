import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  enclosingFunction,
  isFunction,
  leaves,
  parentOf,
  stringValue,
  visitAll,
} from '../references/ast-shapes.js';
import { constantOf, fieldRead, isPropertyName, isRead } from './field-reads.js';
import type { PossibleKind } from './typed-results.js';

type Source = Readonly<TSESLint.SourceCode>;
type Variable = TSESLint.Scope.Variable;
type Kinds = readonly PossibleKind[];

// A check of these says nothing about the kind of a result.
const FREE_FIELDS: ReadonlySet<string> = new Set(['artifacts', 'content']);

const MAX_DEPTH = 6;

interface Guard {
  readonly variable: Variable;
  readonly source: Source;
  readonly isReadElsewhere: (check: TSESTree.Node) => boolean;
}

/**
 * The kinds of result that a variable can still hold at a place, by the checks that lead there:
 * `if`, ternaries, `&&`, `||`, `switch`, and earlier checks that leave. Null where a check can't be read.
 *
 * @param isReadElsewhere whether what a check leaves is in `declared` already
 */
export function kindsAt(
  place: TSESTree.Node,
  variable: Variable,
  declared: Kinds,
  source: Source,
  isReadElsewhere: (check: TSESTree.Node) => boolean = () => false,
): Kinds | null {
  const guard: Guard = { variable, source, isReadElsewhere };
  const outer = enclosingFunction(place);
  let kinds: Kinds | null = declared;
  let child = place;
  for (let parent = parentOf(place); parent !== null && kinds !== null; parent = parentOf(parent)) {
    if (isFunction(parent) && parent !== outer) {
      return kinds;
    }
    kinds = throughParent(parent, child, kinds, guard);
    child = parent;
    if (parent === outer) {
      return kinds;
    }
  }
  return kinds;
}

function throughParent(
  parent: TSESTree.Node,
  child: TSESTree.Node,
  kinds: Kinds,
  guard: Guard,
): Kinds | null {
  switch (parent.type) {
    case AST_NODE_TYPES.IfStatement:
    case AST_NODE_TYPES.ConditionalExpression:
      return child === parent.test ? kinds : narrow(parent.test, child === parent.consequent, kinds, guard);
    case AST_NODE_TYPES.LogicalExpression:
      return child === parent.right && parent.operator !== '??'
        ? narrow(parent.left, parent.operator === '&&', kinds, guard)
        : kinds;
    case AST_NODE_TYPES.WhileStatement:
    case AST_NODE_TYPES.ForStatement:
      return child === parent.body && parent.test !== null ? narrow(parent.test, true, kinds, guard) : kinds;
    case AST_NODE_TYPES.SwitchStatement:
      return child.type === AST_NODE_TYPES.SwitchCase ? throughSwitch(parent, child, kinds, guard) : kinds;
    case AST_NODE_TYPES.SwitchCase:
      return throughSiblings(parent.consequent, child, kinds, guard);
    case AST_NODE_TYPES.BlockStatement:
    case AST_NODE_TYPES.Program:
      return throughSiblings(parent.body, child, kinds, guard);
    default:
      return kinds;
  }
}

/** What is left after earlier statements of the same list that leave when their check holds. */
function throughSiblings(
  statements: readonly TSESTree.Node[],
  child: TSESTree.Node,
  kinds: Kinds,
  guard: Guard,
): Kinds | null {
  let left: Kinds | null = kinds;
  for (const statement of statements) {
    if (statement === child || left === null) {
      return left;
    }
    if (statement.type === AST_NODE_TYPES.IfStatement) {
      if (leaves(statement.consequent)) {
        left = narrow(statement.test, false, left, guard);
      } else if (statement.alternate !== null && leaves(statement.alternate)) {
        left = narrow(statement.test, true, left, guard);
      }
    } else if (statement.type === AST_NODE_TYPES.SwitchStatement && mentions(statement.discriminant, guard)) {
      left = pastSwitch(statement, left, guard);
    } else if (
      statement.type === AST_NODE_TYPES.ExpressionStatement &&
      isAssertion(statement.expression, guard)
    ) {
      return null;
    }
  }
  return left;
}

/** What is left after a `switch` over the kind of which every case returns or throws; null for others. */
function pastSwitch(statement: TSESTree.SwitchStatement, kinds: Kinds, guard: Guard): Kinds | null {
  const names = statement.cases.map(({ test }) => (test === null ? null : stringValue(test)));
  const isOver = statement.cases.every(
    ({ consequent }, index) =>
      (consequent.length === 0 && index < statement.cases.length - 1) || consequent.some(endsFunction),
  );
  return isOver &&
    fieldRead(statement.discriminant, guard.variable, guard.source) === 'kind' &&
    !names.includes(null)
    ? kinds.filter(({ kind }) => !names.includes(kind))
    : null;
}

function endsFunction(statement: TSESTree.Node): boolean {
  return statement.type === AST_NODE_TYPES.BlockStatement
    ? statement.body.some(endsFunction)
    : statement.type === AST_NODE_TYPES.ReturnStatement || statement.type === AST_NODE_TYPES.ThrowStatement;
}

/** A call that may throw for some kinds: `assertText(result)`. */
function isAssertion(expression: TSESTree.Expression, guard: Guard): boolean {
  const node = bare(expression);
  return (
    node.type === AST_NODE_TYPES.CallExpression &&
    node.arguments.some(
      (argument) =>
        mentions(argument, guard) &&
        /assert|ensure|expect|invariant|must/iu.test(guard.source.getText(node.callee)),
    )
  );
}

function throughSwitch(
  statement: TSESTree.SwitchStatement,
  child: TSESTree.SwitchCase,
  kinds: Kinds,
  guard: Guard,
): Kinds | null {
  const field = fieldRead(statement.discriminant, guard.variable, guard.source);
  if (field === null || FREE_FIELDS.has(field)) {
    return mentions(statement.discriminant, guard) ? null : kinds;
  }
  if (field !== 'kind') {
    return null;
  }
  const index = statement.cases.indexOf(child);
  let first = index;
  while (first > 0 && !statement.cases[first - 1]?.consequent.some(leaves)) {
    first -= 1;
  }
  const reached = statement.cases.slice(first, index + 1);
  if (!reached.some(({ test }) => test === null)) {
    const names = new Set(reached.map(({ test }) => (test === null ? null : stringValue(test))));
    return names.has(null) ? null : kinds.filter(({ kind }) => names.has(kind));
  }
  const elsewhere = statement.cases
    .filter((one) => !reached.includes(one))
    .map(({ test }) => (test === null ? null : stringValue(test)));
  return elsewhere.includes(null) ? null : kinds.filter(({ kind }) => !elsewhere.includes(kind));
}

/** The kinds for which a condition is true (or false); null where it mentions the variable in a way that can't be read. */
function narrow(expression: TSESTree.Node, holds: boolean, kinds: Kinds, guard: Guard): Kinds | null {
  const node = bare(expression);
  if (!mentions(node, guard) || guard.isReadElsewhere(node)) {
    return kinds;
  }
  if (node.type === AST_NODE_TYPES.UnaryExpression && node.operator === '!') {
    return narrow(node.argument, !holds, kinds, guard);
  }
  if (node.type === AST_NODE_TYPES.LogicalExpression && node.operator !== '??') {
    return narrowLogical(node, holds, kinds, guard);
  }
  if (node.type === AST_NODE_TYPES.BinaryExpression && /^[!=]==?$/u.test(node.operator)) {
    return narrowComparison(node, node.operator.startsWith('=') === holds, kinds, guard);
  }
  if (isRead(node, guard.variable, guard.source)) {
    return holds ? kinds : [];
  }
  return narrowTruth(fieldRead(node, guard.variable, guard.source), holds, kinds);
}

function narrowLogical(
  node: TSESTree.LogicalExpression,
  holds: boolean,
  kinds: Kinds,
  guard: Guard,
): Kinds | null {
  // `a && b` holds when both do; it fails when one does, whichever. `||` is its mirror.
  if ((node.operator === '&&') === holds) {
    const left = narrow(node.left, holds, kinds, guard);
    return left === null ? null : narrow(node.right, holds, left, guard);
  }
  const left = narrow(node.left, holds, kinds, guard);
  const right = narrow(node.right, holds, kinds, guard);
  return left === null || right === null
    ? null
    : kinds.filter((kind) => [...left, ...right].some((one) => one.kind === kind.kind));
}

function narrowComparison(
  node: TSESTree.BinaryExpression,
  isEqual: boolean,
  kinds: Kinds,
  guard: Guard,
): Kinds | null {
  const [read, other] = mentions(node.left, guard) ? [node.left, node.right] : [node.right, node.left];
  const value = bare(other);
  const isNothing =
    (value.type === AST_NODE_TYPES.Literal && value.value === null) ||
    (value.type === AST_NODE_TYPES.Identifier && value.name === 'undefined');
  if (isRead(read, guard.variable, guard.source)) {
    return isNothing ? (isEqual ? [] : kinds) : null;
  }
  const field = fieldRead(read, guard.variable, guard.source);
  if (field === 'kind') {
    const name = stringValue(value);
    return name === null ? null : kinds.filter(({ kind }) => (kind === name) === isEqual);
  }
  if (field === 'target' && isNothing) {
    return narrowTruth('target', !isEqual, kinds);
  }
  if (field === 'isError' && value.type === AST_NODE_TYPES.Literal && typeof value.value === 'boolean') {
    return narrowTruth('isError', value.value === isEqual, kinds);
  }
  return null;
}

function narrowTruth(field: string | null, holds: boolean, kinds: Kinds): Kinds | null {
  switch (field) {
    case 'isError':
      return kinds.filter(({ kind }) => (kind === 'error' || kind === 'refused') === holds);
    case 'target':
      return kinds
        .filter(({ target }) => target === 'unknown' || (target === 'present') === holds)
        .map(({ kind }) => ({ kind, target: holds ? 'present' : 'absent' }));
    default:
      return null;
  }
}

/**
 * Whether a condition asks anything of the variable that can tell its kinds apart, itself or through a
 * constant: `const landed = isWrote(result)`.
 */
function mentions(expression: TSESTree.Node, guard: Guard, depth = 0): boolean {
  const { variable, source } = guard;
  let found = false;
  visitAll(expression, (node) => {
    if (found) {
      return;
    }
    const field = fieldRead(node, variable, source);
    if (field !== null) {
      found = !FREE_FIELDS.has(field);
    } else if (isRead(node, variable, source)) {
      const { parent } = node;
      found = !(parent?.type === AST_NODE_TYPES.MemberExpression && parent.object === node);
    } else if (node.type === AST_NODE_TYPES.Identifier && !isPropertyName(node)) {
      const init = constantOf(node, source)?.init ?? null;
      found = init !== null && depth < MAX_DEPTH && mentions(init, guard, depth + 1);
    }
  });
  return found;
}
