import { AST_NODE_TYPES, TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { derivesFrom, fieldRead, isRead } from '../../contract/field-reads.js';
import { variableOf } from '../../contract/result-kinds.js';
import {
  bare,
  dressed,
  enclosingFunction,
  isFunction,
  parentOf,
  staticName,
  visitAll,
} from '../../references/ast-shapes.js';
import { writtenType } from '../../references/type-origins.js';
import type { TypeInformation } from '../../types/type-information.js';
import { preservedByName, preservedByType, type PreservedType } from './preserved-types.js';

type Source = Readonly<TSESLint.SourceCode>;
type Variable = TSESLint.Scope.Variable;

/** An object literal that makes a value of a preserved type out of another one, and what it leaves out. */
export interface ObjectRebuild {
  readonly object: TSESTree.ObjectExpression;
  readonly name: string;
  readonly type: string;
  readonly lost: readonly string[];
}

export function objectRebuild(
  object: TSESTree.ObjectExpression,
  source: Source,
  types: TypeInformation | null,
): ObjectRebuild | null {
  const from = onlySource(object, source);
  if (from === null) {
    return null;
  }
  const made = writtenTypeOf(object, source) ?? contextualType(object, types);
  const given = made === null ? null : typeOfVariable(from, source, types);
  if (made === null || given === null || made.identity !== given.identity) {
    return null;
  }
  const kept = keptNames(object, from, made.fields, source);
  const lost = kept === null ? [] : made.fields.filter((field) => !kept.has(field));
  return lost.length === 0 ? null : { object, name: from.name, type: made.name, lost };
}

/** The one variable of which the literal's values read fields under the same name; null without one. */
function onlySource(object: TSESTree.ObjectExpression, source: Source): Variable | null {
  const sources = new Set<Variable>();
  for (const property of object.properties) {
    if (property.type === AST_NODE_TYPES.Property) {
      const name = staticName(property);
      visitAll(property.value, (node) => {
        const variable = rootOf(node, name, source);
        if (variable !== null) {
          sources.add(variable);
        }
      });
    }
  }
  const [only] = sources;
  return sources.size === 1 && only !== undefined ? only : null;
}

/** The variable whose field of this name a node reads: `result.content`, or `content` taken from it. */
function rootOf(node: TSESTree.Node, name: string | null, source: Source): Variable | null {
  if (node.type === AST_NODE_TYPES.MemberExpression) {
    const object = bare(node.object);
    return object.type === AST_NODE_TYPES.Identifier && staticName(node) === name
      ? variableOf(object, source)
      : null;
  }
  if (node.type !== AST_NODE_TYPES.Identifier || node.name !== name) {
    return null;
  }
  const init = initialValue(variableOf(node, source));
  const object = init === null ? null : bare(init);
  const variable = object?.type === AST_NODE_TYPES.Identifier ? variableOf(object, source) : null;
  return variable !== null && fieldRead(node, variable, source) === name ? variable : null;
}

function initialValue(variable: Variable | null): TSESTree.Expression | null {
  const definition = variable?.defs[0];
  return definition?.type === TSESLint.Scope.DefinitionType.Variable ? definition.node.init : null;
}

/** What a literal is written to be: by an annotation, a cast, `satisfies` or the function's return type. */
function writtenTypeOf(object: TSESTree.ObjectExpression, source: Source): PreservedType | null {
  for (let node: TSESTree.Node = object; ;) {
    const parent: TSESTree.Node | null = parentOf(node);
    switch (parent?.type) {
      case AST_NODE_TYPES.TSAsExpression:
      case AST_NODE_TYPES.TSSatisfiesExpression: {
        const found = preservedByName(parent.typeAnnotation, source);
        if (found !== null) {
          return found;
        }
        node = parent;
        continue;
      }
      case AST_NODE_TYPES.ConditionalExpression:
      case AST_NODE_TYPES.TSNonNullExpression:
        node = parent;
        continue;
      case AST_NODE_TYPES.VariableDeclarator:
        return preservedByName(writtenType(parent), source);
      case AST_NODE_TYPES.ReturnStatement:
        return preservedByName(enclosingFunction(parent)?.returnType?.typeAnnotation, source);
      case AST_NODE_TYPES.ArrowFunctionExpression:
        return preservedByName(parent.returnType?.typeAnnotation, source);
      default:
        return null;
    }
  }
}

function contextualType(
  object: TSESTree.ObjectExpression,
  types: TypeInformation | null,
): PreservedType | null {
  const type = types?.contextualTypeOf(object) ?? null;
  return type === null || types === null ? null : preservedByType(type, types);
}

function typeOfVariable(
  variable: Variable,
  source: Source,
  types: TypeInformation | null,
): PreservedType | null {
  const [definition] = variable.defs;
  const name = definition?.name;
  if (definition === undefined || name?.type !== AST_NODE_TYPES.Identifier) {
    return null;
  }
  const written =
    definition.type === TSESLint.Scope.DefinitionType.Variable
      ? writtenType(definition.node)
      : (name.typeAnnotation?.typeAnnotation ?? null);
  return (
    preservedByName(written, source) ?? (types === null ? null : preservedByType(types.typeOf(name), types))
  );
}

/** The fields that a literal has, a spread of the source included; null where a spread or a key hides some. */
function keptNames(
  object: TSESTree.ObjectExpression,
  from: Variable,
  fields: readonly string[],
  source: Source,
): ReadonlySet<string> | null {
  const kept = new Set<string>();
  for (const property of object.properties) {
    if (property.type === AST_NODE_TYPES.Property) {
      const name = staticName(property);
      if (name === null) {
        return null;
      }
      kept.add(name);
      continue;
    }
    const spread = spreadNames(property.argument, from, fields, source);
    if (spread === null) {
      return null;
    }
    spread.forEach((name) => kept.add(name));
  }
  return kept;
}

function spreadNames(
  argument: TSESTree.Expression,
  from: Variable,
  fields: readonly string[],
  source: Source,
): readonly string[] | null {
  const node = bare(argument);
  if (isRead(node, from, source)) {
    return fields;
  }
  switch (node.type) {
    case AST_NODE_TYPES.ObjectExpression: {
      const names = keptNames(node, from, fields, source);
      return names === null ? null : [...names];
    }
    case AST_NODE_TYPES.ConditionalExpression: {
      const names = [node.consequent, node.alternate].map((side) => spreadNames(side, from, fields, source));
      return names.includes(null) ? null : names.flatMap((side) => side ?? []);
    }
    case AST_NODE_TYPES.LogicalExpression:
      return node.operator === '&&' ? spreadNames(node.right, from, fields, source) : null;
    case AST_NODE_TYPES.Identifier:
      return restNames(node, from, fields, source);
    default:
      return null;
  }
}

/** What `const { content, ...rest } = result` leaves in `rest`. */
function restNames(
  node: TSESTree.Identifier,
  from: Variable,
  fields: readonly string[],
  source: Source,
): readonly string[] | null {
  const definition = variableOf(node, source)?.defs[0];
  if (definition?.type !== TSESLint.Scope.DefinitionType.Variable) {
    return null;
  }
  const { id, init } = definition.node;
  if (id.type !== AST_NODE_TYPES.ObjectPattern || init === null || !isRead(init, from, source)) {
    return null;
  }
  const taken = id.properties.map((property) =>
    property.type === AST_NODE_TYPES.Property ? staticName(property) : null,
  );
  const isRest = id.properties.some(
    (property) => property.type === AST_NODE_TYPES.RestElement && property.argument === definition.name,
  );
  return isRest ? fields.filter((field) => !taken.includes(field)) : null;
}

/** Whether `withArtifacts(…)` gives a result artifacts that have nothing to do with those it had. */
export function dropsArtifacts(call: TSESTree.CallExpression, variable: Variable, source: Source): boolean {
  const [argument] = call.arguments;
  const artifacts = argument === undefined ? null : bare(argument);
  return (
    artifacts?.type === AST_NODE_TYPES.ArrayExpression &&
    artifacts.elements.every((element) => element !== null && !isFunction(element)) &&
    !derivesFrom(artifacts, variable, source, 'artifacts') &&
    dressed(call).parent?.type !== AST_NODE_TYPES.ExpressionStatement
  );
}
