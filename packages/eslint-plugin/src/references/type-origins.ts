import { AST_NODE_TYPES, ASTUtils, TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { stringValue } from './ast-shapes.js';
import { memberOfOrigin, type Origin } from './origin.js';
import { valueOrigins } from './value-origins.js';

/** What a written type stands for: an instance of something, or (`typeof x`) the thing itself. */
export interface TypeOrigin {
  readonly of: 'instance' | 'value';
  readonly origin: Origin;
}

// Types that hold, wait for or only restrict what they are given.
const TRANSPARENT: ReadonlySet<string> = new Set([
  'Promise',
  'PromiseLike',
  'Awaited',
  'Readonly',
  'Required',
  'NonNullable',
  'MaybePromise',
]);

const MAX_DEPTH = 20;

/** Where a written type comes from, through aliases, unions, `typeof`, `import('…')` and `InstanceType`. */
export function typeOrigins(
  node: TSESTree.TypeNode,
  source: Readonly<TSESLint.SourceCode>,
  depth = 0,
): TypeOrigin[] {
  if (depth > MAX_DEPTH) {
    return [];
  }
  const next = (inner: TSESTree.TypeNode): TypeOrigin[] => typeOrigins(inner, source, depth + 1);
  switch (node.type) {
    case AST_NODE_TYPES.TSUnionType:
    case AST_NODE_TYPES.TSIntersectionType:
      return node.types.flatMap(next);
    case AST_NODE_TYPES.TSTypeOperator:
      return node.operator === 'readonly' && node.typeAnnotation !== undefined
        ? next(node.typeAnnotation)
        : [];
    case AST_NODE_TYPES.TSTypeQuery:
      return queryOrigins(node, source);
    case AST_NODE_TYPES.TSImportType:
      return importTypeOrigins(node).map((origin) => ({ of: 'instance', origin }));
    case AST_NODE_TYPES.TSIndexedAccessType:
      return indexedOrigins(node, next);
    case AST_NODE_TYPES.TSTypeReference:
      return referenceOrigins(node, source, next);
    default:
      return [];
  }
}

function referenceOrigins(
  node: TSESTree.TSTypeReference,
  source: Readonly<TSESLint.SourceCode>,
  next: (inner: TSESTree.TypeNode) => TypeOrigin[],
): TypeOrigin[] {
  const { typeName } = node;
  const [argument] = node.typeArguments?.params ?? [];
  if (typeName.type === AST_NODE_TYPES.Identifier && argument !== undefined) {
    if (TRANSPARENT.has(typeName.name)) {
      return next(argument);
    }
    if (typeName.name === 'InstanceType') {
      return next(argument).flatMap((found) =>
        found.of === 'value' ? [{ ...found, of: 'instance' as const }] : [],
      );
    }
  }
  return entityOrigins(typeName, source, next);
}

/** What a (qualified) name in a type or a heritage clause stands for. */
export function entityOrigins(
  name: TSESTree.EntityName | TSESTree.Expression,
  source: Readonly<TSESLint.SourceCode>,
  next: (inner: TSESTree.TypeNode) => TypeOrigin[] = (inner) => typeOrigins(inner, source, 1),
): TypeOrigin[] {
  if (name.type === AST_NODE_TYPES.TSQualifiedName) {
    return entityOrigins(name.left, source, next).flatMap(({ origin }) =>
      origin.kind === 'node'
        ? []
        : [{ of: 'instance' as const, origin: memberOfOrigin(origin, name.right.name) }],
    );
  }
  if (name.type !== AST_NODE_TYPES.Identifier) {
    return valueOrigins(name, source).map((origin) => ({ of: 'instance', origin }));
  }
  const variable = ASTUtils.findVariable(source.getScope(name), name.name);
  return (variable?.defs ?? []).flatMap((definition): TypeOrigin[] => {
    if (definition.type === TSESLint.Scope.DefinitionType.Type) {
      return declaredTypeOrigins(definition.node, next);
    }
    if (definition.type === TSESLint.Scope.DefinitionType.ImportBinding && isInternalAlias(definition.node)) {
      return entityOrigins(definition.node.moduleReference, source, next);
    }
    return valueOrigins(name, source).map((origin) => ({ of: 'instance', origin }));
  });
}

/** `import Raw = handlers.Raw`, which names something of this file rather than a module. */
function isInternalAlias(
  node: TSESTree.Node,
): node is TSESTree.TSImportEqualsDeclaration & { moduleReference: TSESTree.EntityName } {
  return (
    node.type === AST_NODE_TYPES.TSImportEqualsDeclaration &&
    node.moduleReference.type !== AST_NODE_TYPES.TSExternalModuleReference
  );
}

function declaredTypeOrigins(
  node:
    | TSESTree.TSInterfaceDeclaration
    | TSESTree.TSTypeAliasDeclaration
    | TSESTree.TSTypeParameter
    | TSESTree.Node,
  next: (inner: TSESTree.TypeNode) => TypeOrigin[],
): TypeOrigin[] {
  if (node.type === AST_NODE_TYPES.TSTypeAliasDeclaration) {
    return [{ of: 'instance', origin: { kind: 'node', node } }, ...next(node.typeAnnotation)];
  }
  if (node.type === AST_NODE_TYPES.TSTypeParameter) {
    return node.constraint === undefined ? [] : next(node.constraint);
  }
  return [{ of: 'instance', origin: { kind: 'node', node } }];
}

function queryOrigins(node: TSESTree.TSTypeQuery, source: Readonly<TSESLint.SourceCode>): TypeOrigin[] {
  const { exprName } = node;
  if (exprName.type === AST_NODE_TYPES.TSImportType) {
    return importTypeOrigins(exprName).map((origin) => ({ of: 'value', origin }));
  }
  return entityOrigins(exprName, source).map(({ origin }) => ({ of: 'value', origin }));
}

function importTypeOrigins(node: TSESTree.TSImportType): Origin[] {
  const module = stringValue(node.source);
  return module === null ? [] : [{ kind: 'module', module, path: qualifierPath(node.qualifier) }];
}

function qualifierPath(qualifier: TSESTree.EntityName | null): string[] {
  if (qualifier === null) {
    return [];
  }
  if (qualifier.type === AST_NODE_TYPES.TSQualifiedName) {
    return [...qualifierPath(qualifier.left), qualifier.right.name];
  }
  return qualifier.type === AST_NODE_TYPES.Identifier ? [qualifier.name] : [];
}

function indexedOrigins(
  node: TSESTree.TSIndexedAccessType,
  next: (inner: TSESTree.TypeNode) => TypeOrigin[],
): TypeOrigin[] {
  const { indexType } = node;
  const name = indexType.type === AST_NODE_TYPES.TSLiteralType ? stringValue(indexType.literal) : null;
  if (name === null) {
    return [];
  }
  return next(node.objectType).flatMap(({ of, origin }) =>
    of === 'value' && origin.kind !== 'node' ? [{ of, origin: memberOfOrigin(origin, name) }] : [],
  );
}

/** The written type of a parameter or a variable, or null. */
export function writtenType(
  declaration: TSESTree.Parameter | TSESTree.VariableDeclarator,
): TSESTree.TypeNode | null {
  switch (declaration.type) {
    case AST_NODE_TYPES.VariableDeclarator:
      return declaration.id.typeAnnotation?.typeAnnotation ?? null;
    case AST_NODE_TYPES.TSParameterProperty:
      return writtenType(declaration.parameter);
    case AST_NODE_TYPES.AssignmentPattern:
      return writtenType(declaration.left);
    default:
      return declaration.typeAnnotation?.typeAnnotation ?? null;
  }
}
