import { AST_NODE_TYPES, ASTUtils, TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { RESULT_TYPE, SDK_MODULE, TOOL_DEFINITIONS, TOOL_MEMBERS } from '@toolwright/sdk/contract-names';
import { bare, staticName } from '../references/ast-shapes.js';
import { isExport } from '../references/origin.js';
import { typeOrigins, writtenType } from '../references/type-origins.js';
import { valueOrigins } from '../references/value-origins.js';
import type { TypeInformation } from '../types/type-information.js';
import { isKnownByType, kindsOfCode } from './followed-results.js';
import { resultEnds } from './result-ends.js';
import { kindsOfType, type PossibleKind } from './typed-results.js';

type Source = Readonly<TSESLint.SourceCode>;

const TEXT: PossibleKind = { kind: 'text', target: 'absent' };
const WROTE: PossibleKind = { kind: 'wrote', target: 'present' };
const UNCHANGED: PossibleKind = { kind: 'unchanged', target: 'absent' };
const REFUSED: PossibleKind = { kind: 'refused', target: 'absent' };
const ERROR: PossibleKind = { kind: 'error', target: 'unknown' };
const ERROR_WITHOUT_TARGET: PossibleKind = { kind: 'error', target: 'absent' };

const ANY_RESULT: readonly PossibleKind[] = [TEXT, WROTE, UNCHANGED, REFUSED, ERROR];
const READER_RESULT: readonly PossibleKind[] = [TEXT, REFUSED, ERROR_WITHOUT_TARGET];
const WRITER_RESULT: readonly PossibleKind[] = [WROTE, UNCHANGED, REFUSED, ERROR];

const BY_TYPE: Readonly<Record<string, readonly PossibleKind[]>> = {
  [RESULT_TYPE]: ANY_RESULT,
  ToolResultBase: ANY_RESULT,
  ArtifactResult: [TEXT, WROTE],
  ReaderResult: READER_RESULT,
  WriterResult: WRITER_RESULT,
  TextResult: [TEXT],
  WroteResult: [WROTE],
  UnchangedResult: [UNCHANGED],
  RefusedResult: [REFUSED],
  ErrorResult: [ERROR],
};

const BY_TOOL: Readonly<Record<string, readonly PossibleKind[]>> = {
  [TOOL_DEFINITIONS.union]: ANY_RESULT,
  [TOOL_DEFINITIONS.readerInterface]: READER_RESULT,
  [TOOL_DEFINITIONS.writerInterface]: WRITER_RESULT,
};

/** The kinds of tool result that a name can hold; null where it is none, or the file does not say. */
export function declaredKinds(
  variable: TSESLint.Scope.Variable,
  source: Source,
  types: TypeInformation | null,
): readonly PossibleKind[] | null {
  const [definition] = variable.defs;
  // A name that is assigned again holds now this, now that.
  if (
    definition === undefined ||
    variable.defs.length > 1 ||
    variable.references.some((reference) => reference.isWrite() && reference.init !== true)
  ) {
    return null;
  }
  const { DefinitionType } = TSESLint.Scope;
  if (definition.type === DefinitionType.Parameter) {
    return (
      kindsOfWrittenType(typeOfName(definition.name), source) ??
      (types === null ? null : kindsOfType(types.typeOf(definition.name), types))
    );
  }
  if (definition.type !== DefinitionType.Variable || definition.node.id.type !== AST_NODE_TYPES.Identifier) {
    return null;
  }
  const { init } = definition.node;
  const written = kindsOfWrittenType(writtenType(definition.node), source);
  if (init === null) {
    return written;
  }
  const known = kindsOfValue(init, source);
  if (known !== null) {
    return known;
  }
  if (isKnownByType(init, source)) {
    return written ?? (types === null ? null : kindsOfType(types.typeOf(definition.name), types));
  }
  return types === null ? null : kindsOfCode(init, types);
}

function typeOfName(name: TSESTree.Node): TSESTree.TypeNode | null {
  return name.type === AST_NODE_TYPES.Identifier ? (name.typeAnnotation?.typeAnnotation ?? null) : null;
}

function kindsOfValue(value: TSESTree.Expression, source: Source): readonly PossibleKind[] | null {
  const made = kindsMade(value, source);
  if (made !== null) {
    return made;
  }
  const node = bare(value);
  const call = node.type === AST_NODE_TYPES.AwaitExpression ? bare(node.argument) : node;
  return call.type === AST_NODE_TYPES.CallExpression ? kindsOfExecute(call, source) : null;
}

/** The kinds that this file makes, by the factories of ToolResult; null where it does not show all of them. */
function kindsMade(value: TSESTree.Expression, source: Source): readonly PossibleKind[] | null {
  const ends = resultEnds(value, source, null);
  return ends.length > 0 && ends.every(({ kind }) => kind !== 'unknown')
    ? ends.flatMap(({ kind, target }) => (kind === 'unknown' ? [] : [{ kind, target }]))
    : null;
}

/** Whether a result comes from where its code can't be read, so that it has what its type allows. */
export function isFromOutside(variable: TSESLint.Scope.Variable, source: Source): boolean {
  const [definition] = variable.defs;
  return (
    definition?.type === TSESLint.Scope.DefinitionType.Parameter ||
    (definition?.type === TSESLint.Scope.DefinitionType.Variable &&
      (definition.node.init === null ||
        (kindsMade(definition.node.init, source) === null && isKnownByType(definition.node.init, source))))
  );
}

/** What `tool.execute(…)` gives, where the tool's written type says so. */
function kindsOfExecute(call: TSESTree.CallExpression, source: Source): readonly PossibleKind[] | null {
  const callee = bare(call.callee);
  if (callee.type !== AST_NODE_TYPES.MemberExpression || staticName(callee) !== TOOL_MEMBERS.execute) {
    return null;
  }
  for (const origin of valueOrigins(callee.object, source)) {
    const type =
      origin.kind === 'declared' && origin.path.length === 0 ? writtenType(origin.declaration) : null;
    const named = type === null ? null : kindsNamed(type, BY_TOOL, source);
    if (named !== null) {
      return named;
    }
  }
  return null;
}

/** The kinds that a written type allows, promises looked through; null where it allows anything else. */
export function kindsOfWrittenType(
  type: TSESTree.TypeNode | null,
  source: Source,
): readonly PossibleKind[] | null {
  if (type === null) {
    return null;
  }
  switch (type.type) {
    case AST_NODE_TYPES.TSNullKeyword:
    case AST_NODE_TYPES.TSUndefinedKeyword:
      return [];
    case AST_NODE_TYPES.TSUnionType: {
      const parts = type.types.map((part) => kindsOfWrittenType(part, source));
      return parts.includes(null) ? null : parts.flatMap((part) => part ?? []);
    }
    default:
      return kindsNamed(type, BY_TYPE, source);
  }
}

function kindsNamed(
  type: TSESTree.TypeNode,
  byName: Readonly<Record<string, readonly PossibleKind[]>>,
  source: Source,
): readonly PossibleKind[] | null {
  const found: PossibleKind[] = [];
  for (const { of, origin } of typeOrigins(type, source)) {
    if (origin.kind === 'node' && origin.node.type === AST_NODE_TYPES.TSTypeAliasDeclaration) {
      continue;
    }
    const name = Object.keys(byName).find((candidate) => isExport(origin, SDK_MODULE, candidate));
    if (of !== 'instance' || name === undefined) {
      return null;
    }
    found.push(...(name === 'ErrorResult' && saysNull(type) ? [ERROR_WITHOUT_TARGET] : (byName[name] ?? [])));
  }
  return found.length === 0 ? null : found;
}

function saysNull(type: TSESTree.TypeNode): boolean {
  const [argument] = type.type === AST_NODE_TYPES.TSTypeReference ? (type.typeArguments?.params ?? []) : [];
  return argument?.type === AST_NODE_TYPES.TSNullKeyword;
}

/** The variable that a name stands for. */
export function variableOf(name: TSESTree.Identifier, source: Source): TSESLint.Scope.Variable | null {
  return ASTUtils.findVariable(source.getScope(name), name.name);
}
