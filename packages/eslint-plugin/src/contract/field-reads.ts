import { AST_NODE_TYPES, TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { bare, staticName, visitAll } from '../references/ast-shapes.js';
import { patternPath } from '../references/value-origins.js';
import { variableOf } from './result-kinds.js';

type Source = Readonly<TSESLint.SourceCode>;
type Variable = TSESLint.Scope.Variable;

const MAX_DEPTH = 6;

/** The field of a variable's value that a node reads: `result.target`, or a name taken from it; null for others. */
export function fieldRead(expression: TSESTree.Node, variable: Variable, source: Source): string | null {
  const node = bare(expression);
  if (node.type === AST_NODE_TYPES.MemberExpression) {
    return isRead(node.object, variable, source) ? staticName(node) : null;
  }
  if (node.type !== AST_NODE_TYPES.Identifier) {
    return null;
  }
  const declarator = constantOf(node, source);
  if (declarator?.init === null || declarator?.init === undefined) {
    return null;
  }
  if (declarator.id.type === AST_NODE_TYPES.Identifier) {
    return bare(declarator.init).type === AST_NODE_TYPES.MemberExpression
      ? fieldRead(declarator.init, variable, source)
      : null;
  }
  const path = patternPath(declarator.id, node.name);
  return path?.length === 1 && isRead(declarator.init, variable, source) ? (path[0] ?? null) : null;
}

/** Whether a node is the variable itself. */
export function isRead(expression: TSESTree.Node, variable: Variable, source: Source): boolean {
  const node = bare(expression);
  return (
    node.type === AST_NODE_TYPES.Identifier &&
    node.name === variable.name &&
    variableOf(node, source) === variable
  );
}

/**
 * Whether a value is made from a variable's (from this field of it, if one is given), through the
 * constants of the file.
 */
export function derivesFrom(
  expression: TSESTree.Node,
  variable: Variable,
  source: Source,
  field: string | null = null,
  depth = 0,
): boolean {
  if (depth > MAX_DEPTH) {
    return false;
  }
  let derives = false;
  visitAll(expression, (node) => {
    if (derives) {
      return;
    }
    if (isRead(node, variable, source)) {
      derives = field === null || !isFieldOther(node, field);
      return;
    }
    if (node.type === AST_NODE_TYPES.Identifier && !isPropertyName(node)) {
      const declarator = constantOf(node, source);
      if (declarator?.init !== null && declarator?.init !== undefined) {
        const read = fieldRead(node, variable, source);
        derives =
          read === null
            ? derivesFrom(declarator.init, variable, source, field, depth + 1)
            : field === null || read === field;
      }
    }
  });
  return derives;
}

/** Every variable that a value is made from, through the constants of the file. */
export function variablesBehind(
  expression: TSESTree.Node,
  source: Source,
  found: Set<Variable> = new Set<Variable>(),
): Set<Variable> {
  visitAll(expression, (node) => {
    if (node.type !== AST_NODE_TYPES.Identifier || isPropertyName(node)) {
      return;
    }
    const variable = variableOf(node, source);
    if (variable === null || found.has(variable)) {
      return;
    }
    found.add(variable);
    const init = constantOf(node, source)?.init ?? null;
    if (init !== null) {
      variablesBehind(init, source, found);
    }
  });
  return found;
}

/** `result.content` where another field is asked for; the whole `result` has every field. */
function isFieldOther(node: TSESTree.Node, field: string): boolean {
  const { parent } = node;
  return (
    parent?.type === AST_NODE_TYPES.MemberExpression && parent.object === node && staticName(parent) !== field
  );
}

/** Whether a name is that of a member or a key, and reads no variable. */
export function isPropertyName(node: TSESTree.Identifier): boolean {
  const { parent } = node;
  return (
    (parent.type === AST_NODE_TYPES.MemberExpression && parent.property === node && !parent.computed) ||
    (parent.type === AST_NODE_TYPES.Property && parent.key === node && !parent.computed && !parent.shorthand)
  );
}

/** The declaration of a name that is never assigned again; null for any other. */
export function constantOf(node: TSESTree.Identifier, source: Source): TSESTree.VariableDeclarator | null {
  const variable = variableOf(node, source);
  const definition = variable?.defs[0];
  return definition?.type === TSESLint.Scope.DefinitionType.Variable &&
    variable?.references.every((reference) => !reference.isWrite() || reference.init === true) === true
    ? definition.node
    : null;
}
