import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { SDK_MODULE } from '@toolwright/sdk/contract-names';
import ts from 'typescript';
import { bare } from '../references/ast-shapes.js';
import { isPathSpecifier } from '../references/module-path.js';
import { valueOrigins } from '../references/value-origins.js';
import { declaringPackage, type TypeInformation } from '../types/type-information.js';
import { distinctKinds, kindsOfType, type PossibleKind } from './typed-results.js';

type Source = Readonly<TSESLint.SourceCode>;

const MAX_DEPTH = 8;

/**
 * Whether nothing but its type says what a value is: it comes from a parameter, from a field that others
 * fill, or from another package. What the project's own code makes can be less than its type allows, and
 * the conformance command reads that code.
 */
export function isKnownByType(value: TSESTree.Node, source: Source): boolean {
  const root = rootOf(value);
  const origins = valueOrigins(root, source);
  if (origins.length === 0) {
    return (
      root.type === AST_NODE_TYPES.MemberExpression && root.object.type === AST_NODE_TYPES.ThisExpression
    );
  }
  return origins.every(
    (origin) => origin.kind === 'declared' || (origin.kind === 'module' && !isPathSpecifier(origin.module)),
  );
}

/** What a value is read from or called on: `tool` of `await tool.execute(…)`, `this.tool` of `this.tool.execute(…)`. */
function rootOf(value: TSESTree.Node): TSESTree.Node {
  const node = bare(value);
  switch (node.type) {
    case AST_NODE_TYPES.AwaitExpression:
      return rootOf(node.argument);
    case AST_NODE_TYPES.CallExpression:
      return rootOf(node.callee);
    case AST_NODE_TYPES.MemberExpression:
      return node.object.type === AST_NODE_TYPES.ThisExpression ? node : rootOf(node.object);
    default:
      return node;
  }
}

/**
 * The kinds of result that an expression can be by the code that makes it, in whatever module of the
 * program that stands. Null where the code ends in something that only has a type of several kinds.
 */
export function kindsOfCode(value: TSESTree.Node, types: TypeInformation): PossibleKind[] | null {
  const node = types.nodeOf(value);
  const kinds = ts.isExpression(node) ? kindsOfExpression(node, { types, active: new Set() }) : null;
  return kinds === null ? null : distinctKinds(kinds);
}

interface Search {
  readonly types: TypeInformation;
  readonly active: Set<ts.Node>;
}

function kindsOfExpression(expression: ts.Expression, search: Search): PossibleKind[] | null {
  const node = undressed(expression);
  if (ts.isAwaitExpression(node)) {
    return kindsOfExpression(node.expression, search);
  }
  if (ts.isConditionalExpression(node)) {
    return together([node.whenTrue, node.whenFalse], search);
  }
  if (ts.isCallExpression(node)) {
    return kindsOfCall(node, search);
  }
  return kindsOfLeaf(node, search);
}

function undressed(expression: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(expression) ||
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isNonNullExpression(expression) ||
    ts.isTypeAssertionExpression(expression)
    ? undressed(expression.expression)
    : expression;
}

function together(expressions: readonly ts.Expression[], search: Search): PossibleKind[] | null {
  const parts = expressions.map((one) => kindsOfExpression(one, search));
  return parts.includes(null) ? null : parts.flatMap((part) => part ?? []);
}

function kindsOfCall(call: ts.CallExpression, search: Search): PossibleKind[] | null {
  const declaration = search.types.checker.getResolvedSignature(call)?.declaration;
  const isOwnCode =
    declaration !== undefined &&
    !ts.isJSDocSignature(declaration) &&
    declaringPackage(declaration) !== SDK_MODULE &&
    'body' in declaration &&
    declaration.body !== undefined;
  if (!isOwnCode) {
    // A function that is only declared has no code to say less than its type.
    return declaration !== undefined && ts.isFunctionDeclaration(declaration)
      ? kindsOfType(search.types.checker.getTypeAtLocation(call), search.types)
      : kindsOfLeaf(call, search);
  }
  if (search.active.has(declaration) || search.active.size > MAX_DEPTH) {
    return null;
  }
  search.active.add(declaration);
  const kinds = together(returnsOf(declaration.body), search);
  search.active.delete(declaration);
  return kinds;
}

/** A type of one kind leaves no doubt. */
function kindsOfLeaf(node: ts.Expression, { types }: Search): PossibleKind[] | null {
  const kinds = kindsOfType(types.checker.getTypeAtLocation(node), types);
  return kinds?.length === 1 ? kinds : null;
}

function returnsOf(body: ts.ConciseBody): ts.Expression[] {
  if (!ts.isBlock(body)) {
    return [body];
  }
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression !== undefined) {
      found.push(node.expression);
    }
    if (!ts.isFunctionLike(node) && !ts.isClassLike(node)) {
      ts.forEachChild(node, visit);
    }
  };
  visit(body);
  return found;
}
