import { GLOBALS, type Lookup } from '@toolwright/catalogue';
import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { bare, staticName } from '../references/ast-shapes.js';
import { withoutGlobalObject, type Origin } from '../references/origin.js';
import { valueOrigins } from '../references/value-origins.js';

type Source = Readonly<TSESLint.SourceCode>;
type LibraryPath = Pick<Lookup, 'module' | 'path'>;

const MAX_DEPTH = 60;

/**
 * What a value is in terms of the libraries it comes from: the module, and the names, calls and
 * constructions from there on. Null where the file does not lead to one library.
 */
export function libraryPath(expression: TSESTree.Node, source: Source, depth = 0): LibraryPath | null {
  const node = bare(expression);
  if (depth > MAX_DEPTH) {
    return null;
  }
  switch (node.type) {
    case AST_NODE_TYPES.AwaitExpression:
      return libraryPath(node.argument, source, depth + 1);
    case AST_NODE_TYPES.CallExpression:
      return step(libraryPath(node.callee, source, depth + 1), '()');
    case AST_NODE_TYPES.NewExpression:
      return step(libraryPath(node.callee, source, depth + 1), 'new()');
    case AST_NODE_TYPES.Identifier:
    case AST_NODE_TYPES.MemberExpression:
      return pathOfName(node, source, depth);
    default:
      return null;
  }
}

function pathOfName(
  node: TSESTree.Identifier | TSESTree.MemberExpression,
  source: Source,
  depth: number,
): LibraryPath | null {
  const origins = valueOrigins(node, source);
  const [only] = origins;
  // Two possible origins are two possible effects: neither is certain.
  if (origins.length > 1) {
    return null;
  }
  if (only !== undefined) {
    return pathOfOrigin(only, node, source, depth);
  }
  if (node.type !== AST_NODE_TYPES.MemberExpression) {
    return null;
  }
  const name = staticName(node);
  return name === null ? null : step(libraryPath(node.object, source, depth + 1), name);
}

function pathOfOrigin(
  origin: Origin,
  from: TSESTree.Node,
  source: Source,
  depth: number,
): LibraryPath | null {
  switch (origin.kind) {
    case 'module':
      return { module: origin.module, path: origin.path };
    case 'global':
      return { module: GLOBALS, path: withoutGlobalObject(origin.path) };
    case 'declared':
      return null;
    case 'node':
      return origin.node === from ? null : libraryPath(origin.node, source, depth + 1);
  }
}

function step(from: LibraryPath | null, name: string): LibraryPath | null {
  return from === null ? null : { module: from.module, path: [...from.path, name] };
}
