import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  descendants,
  enclosingFunction,
  isClass,
  isFunction,
  leaves,
  parentOf,
  returnedExpressions,
  stringValue,
} from '../references/ast-shapes.js';
import { isPathSpecifier } from '../references/module-path.js';
import type { Origin } from '../references/origin.js';
import { valueOrigins } from '../references/value-origins.js';

type Source = Readonly<TSESLint.SourceCode>;

const MAX_DEPTH = 8;

/** Whether a function does something only for some of its arguments, as one with a `dryRun` does. */
export function asksArguments(place: TSESTree.Node, source: Source): boolean {
  return guardsOf(place).some((test) =>
    descendants(test).some(
      (node) =>
        node.type === AST_NODE_TYPES.Identifier &&
        valueOrigins(node, source).some(({ kind }) => kind === 'declared'),
    ),
  );
}

/**
 * Whether a constant may decide that a place is never reached: `if (DRY) …`, `OFF ? … : …`. The conformance
 * command evaluates such conditions, through any number of modules; here they leave the place undecided.
 */
export function mayBeRuledOut(place: TSESTree.Node, source: Source): boolean {
  return guardsOf(place).some((test) => mayBeConstant(test, source));
}

/** The conditions under which its function gets to a place, earlier ones that leave included. */
function guardsOf(place: TSESTree.Node): TSESTree.Node[] {
  const fn = enclosingFunction(place);
  const guards: TSESTree.Node[] = [];
  let child = place;
  for (let parent = parentOf(place); parent !== null && parent !== fn; parent = parentOf(parent)) {
    guards.push(...testsOf(parent, child));
    child = parent;
  }
  return guards;
}

function testsOf(parent: TSESTree.Node, child: TSESTree.Node): TSESTree.Node[] {
  switch (parent.type) {
    case AST_NODE_TYPES.IfStatement:
    case AST_NODE_TYPES.ConditionalExpression:
      return child === parent.test ? [] : [parent.test];
    case AST_NODE_TYPES.WhileStatement:
      // `while (true)` lets its body run.
      return child === parent.test || isTrue(parent.test) ? [] : [parent.test];
    case AST_NODE_TYPES.ForStatement:
      return child === parent.body && parent.test !== null ? [parent.test] : [];
    case AST_NODE_TYPES.LogicalExpression:
      return child === parent.right ? [parent.left] : [];
    case AST_NODE_TYPES.SwitchCase:
      return [parent.parent.discriminant];
    case AST_NODE_TYPES.BlockStatement:
      return earlierTests(parent.body, child);
    default:
      return [];
  }
}

function earlierTests(statements: readonly TSESTree.Node[], child: TSESTree.Node): TSESTree.Node[] {
  return statements
    .slice(0, Math.max(0, statements.indexOf(child)))
    .flatMap((statement) =>
      statement.type === AST_NODE_TYPES.IfStatement &&
      (leaves(statement.consequent) || (statement.alternate !== null && leaves(statement.alternate)))
        ? [statement.test]
        : [],
    );
}

function isTrue(test: TSESTree.Node): boolean {
  return test.type === AST_NODE_TYPES.Literal && test.value === true;
}

/** Whether the code alone can decide a condition; not where it asks an argument, or what a call answers. */
function mayBeConstant(expression: TSESTree.Node, source: Source, depth = 0): boolean {
  const node = bare(expression);
  if (depth > MAX_DEPTH) {
    return true;
  }
  const next = (inner: TSESTree.Node): boolean => mayBeConstant(inner, source, depth + 1);
  switch (node.type) {
    case AST_NODE_TYPES.Literal:
    case AST_NODE_TYPES.ArrayExpression:
    case AST_NODE_TYPES.ObjectExpression:
      return true;
    case AST_NODE_TYPES.UnaryExpression:
    case AST_NODE_TYPES.AwaitExpression:
      return next(node.argument);
    case AST_NODE_TYPES.BinaryExpression:
      return next(node.left) && next(node.right);
    case AST_NODE_TYPES.LogicalExpression:
      return next(node.left) || next(node.right);
    case AST_NODE_TYPES.ConditionalExpression:
      return next(node.test) || (next(node.consequent) && next(node.alternate));
    case AST_NODE_TYPES.Identifier:
    case AST_NODE_TYPES.MemberExpression:
      return isConstantName(node, source, next);
    case AST_NODE_TYPES.CallExpression:
      return isConstantCall(node, source, next);
    default:
      return stringValue(node) !== null || isFunction(node) || isClass(node);
  }
}

function isConstantName(
  node: TSESTree.Identifier | TSESTree.MemberExpression,
  source: Source,
  next: (inner: TSESTree.Node) => boolean,
): boolean {
  const origins = valueOrigins(node, source);
  if (origins.length === 0) {
    return node.type === AST_NODE_TYPES.MemberExpression && next(node.object);
  }
  return origins.some((origin) => isConstantOrigin(origin, node, next));
}

function isConstantOrigin(
  origin: Origin,
  of: TSESTree.Node,
  next: (inner: TSESTree.Node) => boolean,
): boolean {
  switch (origin.kind) {
    case 'declared':
      return false;
    case 'global':
      return origin.path.length === 1 && (origin.path[0] === 'undefined' || origin.path[0] === 'NaN');
    case 'module':
      return isPathSpecifier(origin.module);
    case 'node':
      return origin.node !== of && next(origin.node);
  }
}

/** A function of the file that answers a constant, or one of the project that is asked nothing that varies. */
function isConstantCall(
  node: TSESTree.CallExpression,
  source: Source,
  next: (inner: TSESTree.Node) => boolean,
): boolean {
  return valueOrigins(node.callee, source).some((origin) => {
    if (origin.kind === 'node' && isFunction(origin.node)) {
      return returnedExpressions(origin.node).some(next);
    }
    return origin.kind === 'module' && isPathSpecifier(origin.module) && node.arguments.every(next);
  });
}
