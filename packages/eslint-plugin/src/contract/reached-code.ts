import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  contains,
  isFunction,
  staticName,
  visitOwn,
  type FunctionNode,
} from '../references/ast-shapes.js';
import { valueOrigins } from '../references/value-origins.js';

type Source = Readonly<TSESLint.SourceCode>;

// Methods of arrays and promises that run the function they are given, or its continuation.
const RUNS_ITS_CALLBACK: ReadonlySet<string> = new Set([
  'catch',
  'every',
  'filter',
  'finally',
  'find',
  'findIndex',
  'flatMap',
  'forEach',
  'from',
  'map',
  'reduce',
  'some',
  'then',
]);

/** A node that a function gets to, and the calls of this file's functions that lead there. */
export interface ReachedNode {
  readonly node: TSESTree.Node;
  /** The call in the first function; null for a node of that function itself. */
  readonly through: TSESTree.CallExpression | null;
  /** Every call on the way, the first one first. */
  readonly calls: readonly TSESTree.CallExpression[];
}

/**
 * Every node of the code that a function runs in this file: its own, that of callbacks which run on the
 * spot, and that of the file's functions which it calls.
 */
export function reachedFrom(fn: FunctionNode, source: Source): ReachedNode[] {
  const reached: ReachedNode[] = [];
  const entered = new Set<TSESTree.Node>();
  enter(fn, null, []);
  return reached;

  function enter(
    inner: FunctionNode,
    through: TSESTree.CallExpression | null,
    calls: readonly TSESTree.CallExpression[],
  ): void {
    if (!entered.has(inner)) {
      entered.add(inner);
      [...inner.params, inner.body].forEach((node) => visit(node, through, calls));
    }
  }

  function visit(
    root: TSESTree.Node,
    through: TSESTree.CallExpression | null,
    calls: readonly TSESTree.CallExpression[],
  ): void {
    visitOwn(root, (node) => {
      reached.push({ node, through, calls });
      if (node.type === AST_NODE_TYPES.CallExpression) {
        for (const called of calledFunctions(node, source)) {
          // A callback that is written in the call is shown where it stands, not at the call.
          enter(called, through ?? (contains(node, called) ? null : node), [...calls, node]);
        }
      }
    });
  }
}

function calledFunctions(call: TSESTree.CallExpression, source: Source): FunctionNode[] {
  const callee = bare(call.callee);
  const called = functionsOf(callee, source);
  if (callee.type === AST_NODE_TYPES.MemberExpression && RUNS_ITS_CALLBACK.has(staticName(callee) ?? '')) {
    return [...called, ...call.arguments.flatMap((argument) => functionsOf(argument, source))];
  }
  return called;
}

function functionsOf(node: TSESTree.Node, source: Source): FunctionNode[] {
  const expression = bare(node);
  if (isFunction(expression)) {
    return [expression];
  }
  if (expression.type !== AST_NODE_TYPES.Identifier && expression.type !== AST_NODE_TYPES.MemberExpression) {
    return [];
  }
  return valueOrigins(expression, source).flatMap((origin) =>
    origin.kind === 'node' && isFunction(origin.node) ? [origin.node] : [],
  );
}
