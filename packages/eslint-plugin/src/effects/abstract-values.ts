import { constant, isTemporaryPath, UNKNOWN, type AbstractValue } from '@toolwright/catalogue';
import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { bare, isFunction, returnedExpressions, staticName, summands } from '../references/ast-shapes.js';
import { isGlobal } from '../references/origin.js';
import { valueOrigins } from '../references/value-origins.js';
import { libraryPath } from './library-paths.js';

type Source = Readonly<TSESLint.SourceCode>;

const MAX_DEPTH = 12;
const OS_MODULE = /^(?:node:)?os$/u;
const FS_MODULE = /^(?:node:)?fs(?:\/promises)?$/u;

/** What a file says about a value, in the catalogue's terms. */
export function abstractValue(expression: TSESTree.Node, source: Source, depth = 0): AbstractValue {
  const node = bare(expression);
  if (depth > MAX_DEPTH) {
    return UNKNOWN;
  }
  const next = (inner: TSESTree.Node): AbstractValue => abstractValue(inner, source, depth + 1);
  switch (node.type) {
    case AST_NODE_TYPES.Literal:
      return node.value === null || node.value instanceof RegExp ? literalValue(node) : constant(node.value);
    case AST_NODE_TYPES.TemplateLiteral:
      return {
        kind: 'template',
        parts: node.quasis.flatMap((quasi, index) => {
          const inner = node.expressions[index];
          return [constant(quasi.value.cooked ?? ''), ...(inner === undefined ? [] : [next(inner)])];
        }),
      };
    case AST_NODE_TYPES.BinaryExpression:
      return node.operator === '+' ? { kind: 'template', parts: summands(node).map(next) } : UNKNOWN;
    case AST_NODE_TYPES.ConditionalExpression:
      return { kind: 'one-of', values: [next(node.consequent), next(node.alternate)] };
    case AST_NODE_TYPES.ObjectExpression:
      return objectValue(node, next);
    case AST_NODE_TYPES.ArrayExpression:
      return {
        kind: 'array',
        elements: node.elements.flatMap((element) =>
          element === null || element.type === AST_NODE_TYPES.SpreadElement ? [] : [next(element)],
        ),
        isOpen: node.elements.some((element) => element?.type === AST_NODE_TYPES.SpreadElement),
      };
    case AST_NODE_TYPES.ArrowFunctionExpression:
    case AST_NODE_TYPES.FunctionExpression:
      return { kind: 'function' };
    case AST_NODE_TYPES.AwaitExpression:
      return next(node.argument);
    case AST_NODE_TYPES.CallExpression:
    case AST_NODE_TYPES.NewExpression:
      return madeValue(node, source, next);
    case AST_NODE_TYPES.Identifier:
    case AST_NODE_TYPES.MemberExpression:
      return namedValue(node, source, next);
    default:
      return UNKNOWN;
  }
}

function literalValue(node: TSESTree.Literal): AbstractValue {
  return node.raw === 'null' ? constant(null) : UNKNOWN;
}

function objectValue(
  node: TSESTree.ObjectExpression,
  next: (inner: TSESTree.Node) => AbstractValue,
): AbstractValue {
  const properties: Record<string, AbstractValue> = {};
  let isOpen = false;
  for (const property of node.properties) {
    const name = property.type === AST_NODE_TYPES.Property ? staticName(property) : null;
    if (property.type !== AST_NODE_TYPES.Property || name === null) {
      isOpen = true;
      // What comes later can replace what was there.
      for (const known of Object.keys(properties)) {
        properties[known] = UNKNOWN;
      }
    } else {
      properties[name] = property.kind === 'init' ? next(property.value) : UNKNOWN;
    }
  }
  return { kind: 'object', properties, isOpen };
}

function madeValue(
  node: TSESTree.CallExpression | TSESTree.NewExpression,
  source: Source,
  next: (inner: TSESTree.Node) => AbstractValue,
): AbstractValue {
  const [first] = node.arguments;
  if (
    first !== undefined &&
    valueOrigins(node.callee, source).some((origin) => isGlobal(origin, 'JSON', 'stringify'))
  ) {
    return { kind: 'json', value: next(first) };
  }
  const maker = libraryPath(node.callee, source);
  if (maker === null) {
    return answerOf(node, source, next);
  }
  const name = maker.path.at(-1);
  if (OS_MODULE.test(maker.module) && name === 'tmpdir') {
    return { kind: 'temporary' };
  }
  const values = node.arguments.map((argument) =>
    argument.type === AST_NODE_TYPES.SpreadElement ? UNKNOWN : next(argument),
  );
  const [prefix] = values;
  if (
    FS_MODULE.test(maker.module) &&
    (name === 'mkdtemp' || name === 'mkdtempSync') &&
    prefix !== undefined &&
    isTemporaryPath(prefix)
  ) {
    return { kind: 'temporary' };
  }
  return { kind: 'made', module: maker.module, path: maker.path, arguments: values };
}

/** What a function of this file answers, whatever it is given. */
function answerOf(
  node: TSESTree.CallExpression | TSESTree.NewExpression,
  source: Source,
  next: (inner: TSESTree.Node) => AbstractValue,
): AbstractValue {
  const values = valueOrigins(node.callee, source).flatMap((origin) =>
    origin.kind === 'node' && isFunction(origin.node) ? returnedExpressions(origin.node).map(next) : [],
  );
  const [only] = values;
  return only === undefined ? UNKNOWN : values.length === 1 ? only : { kind: 'one-of', values };
}

function namedValue(
  node: TSESTree.Identifier | TSESTree.MemberExpression,
  source: Source,
  next: (inner: TSESTree.Node) => AbstractValue,
): AbstractValue {
  const values = valueOrigins(node, source).map((origin): AbstractValue => {
    if (origin.kind === 'node' && origin.node !== node) {
      return next(origin.node);
    }
    return isGlobal(origin, 'undefined') ? constant(undefined) : UNKNOWN;
  });
  const [only] = values;
  if (values.length > 1) {
    return { kind: 'one-of', values };
  }
  return only === undefined || only.kind === 'unknown'
    ? { kind: 'unknown', name: source.getText(node) }
    : only;
}
