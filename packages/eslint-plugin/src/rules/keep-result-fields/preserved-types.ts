import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { PRESERVED_TAG, RESULT_FIELDS, RESULT_TYPE, SDK_MODULE } from '@toolwright/sdk/contract-names';
import ts from 'typescript';
import { isExport, type Origin } from '../../references/origin.js';
import { typeOrigins } from '../../references/type-origins.js';
import { declaringPackage, isDeclaredBy, type TypeInformation } from '../../types/type-information.js';

type Source = Readonly<TSESLint.SourceCode>;
type TypeDeclaration =
  TSESTree.ClassDeclaration | TSESTree.TSInterfaceDeclaration | TSESTree.TSTypeAliasDeclaration;

/** A type whose fields a rebuild has to keep. */
export interface PreservedType {
  /** Equal for the same type. */
  readonly identity: unknown;
  readonly name: string;
  readonly fields: readonly string[];
}

const RESULT: PreservedType = { identity: RESULT_TYPE, name: RESULT_TYPE, fields: RESULT_FIELDS };

// The result of the Model Context Protocol, which its SDK declares in several packages.
const MCP_SCOPE = '@modelcontextprotocol/';
const MCP_RESULT: PreservedType = {
  identity: 'CallToolResult',
  name: 'CallToolResult',
  fields: ['content', 'structuredContent', 'isError', '_meta'],
};

/** The one preserved type that a written type stands for; null for any other, and for several. */
export function preservedByName(
  type: TSESTree.TypeNode | null | undefined,
  source: Source,
): PreservedType | null {
  if (type === null || type === undefined) {
    return null;
  }
  const found = typeOrigins(type, source).flatMap(({ of, origin }) =>
    of === 'instance' ? [preservedOrigin(origin, source)] : [null],
  );
  // An alias of the file stands beside what it is an alias of.
  const types = found.filter((one) => one !== null);
  const [first] = types;
  return first !== undefined && types.every(({ identity }) => identity === first.identity) ? first : null;
}

function preservedOrigin(origin: Origin, source: Source): PreservedType | null {
  if (origin.kind === 'module') {
    if (isExport(origin, SDK_MODULE, RESULT_TYPE)) {
      return RESULT;
    }
    return origin.module.startsWith(MCP_SCOPE) && origin.path.at(-1) === MCP_RESULT.name ? MCP_RESULT : null;
  }
  return origin.kind === 'node' ? taggedDeclaration(origin.node, source) : null;
}

function taggedDeclaration(node: TSESTree.Node, source: Source): PreservedType | null {
  if (!isDeclaration(node)) {
    return null;
  }
  const members = membersOf(node);
  if (members === null || !isTagged(node, source)) {
    return null;
  }
  const fields = members.flatMap((member) =>
    (member.type === AST_NODE_TYPES.TSPropertySignature ||
      member.type === AST_NODE_TYPES.PropertyDefinition) &&
    member.key.type === AST_NODE_TYPES.Identifier &&
    !(member.type === AST_NODE_TYPES.PropertyDefinition && member.static)
      ? [member.key.name]
      : [],
  );
  return fields.length === 0 ? null : { identity: node, name: node.id?.name ?? 'value', fields };
}

function isDeclaration(node: TSESTree.Node): node is TypeDeclaration {
  return (
    node.type === AST_NODE_TYPES.TSInterfaceDeclaration ||
    node.type === AST_NODE_TYPES.TSTypeAliasDeclaration ||
    node.type === AST_NODE_TYPES.ClassDeclaration
  );
}

/** What a declaration lists itself; null where it inherits more. */
function membersOf(node: TypeDeclaration): readonly TSESTree.Node[] | null {
  switch (node.type) {
    case AST_NODE_TYPES.TSInterfaceDeclaration:
      return node.extends.length === 0 ? node.body.body : null;
    case AST_NODE_TYPES.TSTypeAliasDeclaration:
      return node.typeAnnotation.type === AST_NODE_TYPES.TSTypeLiteral ? node.typeAnnotation.members : null;
    case AST_NODE_TYPES.ClassDeclaration:
      return node.superClass === null ? node.body.body : null;
  }
}

function isTagged(node: TSESTree.Node, source: Source): boolean {
  const { parent } = node;
  const outer = parent?.type === AST_NODE_TYPES.ExportNamedDeclaration ? parent : node;
  const comment = source.getCommentsBefore(outer).at(-1);
  return (
    comment !== undefined &&
    comment.value.startsWith('*') &&
    new RegExp(`@${PRESERVED_TAG}\\b`, 'u').test(comment.value)
  );
}

/** The preserved type that the compiler gives, by symbol; null for any other. */
export function preservedByType(type: ts.Type, types: TypeInformation): PreservedType | null {
  const bare = type.isUnion() ? types.checker.getNonNullableType(type) : type;
  const symbol = bare.aliasSymbol ?? bare.getSymbol();
  if (symbol === undefined) {
    return null;
  }
  if (symbol.name === 'Promise') {
    const [awaited] = types.checker.getTypeArguments(bare as ts.TypeReference);
    return awaited === undefined ? null : preservedByType(awaited, types);
  }
  if (isDeclaredBy(symbol, SDK_MODULE, RESULT_TYPE)) {
    return RESULT;
  }
  if (
    symbol.name === MCP_RESULT.name &&
    symbol.declarations?.some((one) => declaringPackage(one)?.startsWith(MCP_SCOPE) === true)
  ) {
    return MCP_RESULT;
  }
  if (!symbol.getJsDocTags(types.checker).some(({ name }) => name === PRESERVED_TAG)) {
    return null;
  }
  const fields = types.checker
    .getPropertiesOfType(bare)
    .filter(({ flags }) => (flags & ts.SymbolFlags.Property) !== 0)
    .map(({ name }) => name);
  return { identity: symbol, name: symbol.name, fields };
}
