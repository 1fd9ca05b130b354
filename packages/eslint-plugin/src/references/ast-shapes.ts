import { AST_NODE_TYPES, type TSESTree } from '@typescript-eslint/utils';
import { visitorKeys } from '@typescript-eslint/visitor-keys';

export type FunctionNode =
  TSESTree.ArrowFunctionExpression | TSESTree.FunctionDeclaration | TSESTree.FunctionExpression;
export type ClassNode = TSESTree.ClassDeclaration | TSESTree.ClassExpression;

export function isFunction(node: TSESTree.Node): node is FunctionNode {
  return (
    node.type === AST_NODE_TYPES.ArrowFunctionExpression ||
    node.type === AST_NODE_TYPES.FunctionDeclaration ||
    node.type === AST_NODE_TYPES.FunctionExpression
  );
}

export function isClass(node: TSESTree.Node): node is ClassNode {
  return node.type === AST_NODE_TYPES.ClassDeclaration || node.type === AST_NODE_TYPES.ClassExpression;
}

/** The expression without what only the compiler sees: casts, `satisfies`, `!`, optional chains. */
export function bare(node: TSESTree.Node): TSESTree.Node {
  switch (node.type) {
    case AST_NODE_TYPES.TSAsExpression:
    case AST_NODE_TYPES.TSSatisfiesExpression:
    case AST_NODE_TYPES.TSNonNullExpression:
    case AST_NODE_TYPES.TSTypeAssertion:
    case AST_NODE_TYPES.TSInstantiationExpression:
    case AST_NODE_TYPES.ChainExpression:
      return bare(node.expression);
    case AST_NODE_TYPES.SequenceExpression: {
      const last = node.expressions.at(-1);
      return last === undefined ? node : bare(last);
    }
    default:
      return node;
  }
}

/** The parent; null at the program, where ESLint has null and the types say undefined. */
export function parentOf(node: TSESTree.Node): TSESTree.Node | null {
  return node.parent ?? null;
}

/** The outermost node that is this expression in casts, `satisfies`, `!` and optional chains. */
export function dressed(node: TSESTree.Node): TSESTree.Node {
  const parent = parentOf(node);
  return parent !== null && bare(parent) === bare(node) ? dressed(parent) : node;
}

/** A property's or member's name where the source says it: `a.b`, `a['b']`, `{ b: … }`. */
export function staticName(
  node:
    | TSESTree.MemberExpression
    | TSESTree.Property
    | TSESTree.MethodDefinition
    | TSESTree.PropertyDefinition
    | TSESTree.AccessorProperty
    | TSESTree.TSAbstractMethodDefinition
    | TSESTree.TSAbstractPropertyDefinition,
): string | null {
  const key = node.type === AST_NODE_TYPES.MemberExpression ? node.property : node.key;
  if (!node.computed) {
    if (key.type === AST_NODE_TYPES.Identifier) {
      return key.name;
    }
    return key.type === AST_NODE_TYPES.Literal ? String(key.value) : null;
  }
  return stringValue(key);
}

/** The text of a string literal or of a template without placeholders. */
export function stringValue(node: TSESTree.Node): string | null {
  if (node.type === AST_NODE_TYPES.Literal && typeof node.value === 'string') {
    return node.value;
  }
  if (node.type === AST_NODE_TYPES.TemplateLiteral && node.expressions.length === 0) {
    return node.quasis[0]?.value.cooked ?? null;
  }
  return null;
}

/** The function that runs this node; null at the top level, in a class's static block and in its field initialisers. */
export function enclosingFunction(node: TSESTree.Node): FunctionNode | null {
  for (let current = parentOf(node); current !== null; current = parentOf(current)) {
    if (isFunction(current)) {
      return current;
    }
    if (
      current.type === AST_NODE_TYPES.PropertyDefinition ||
      current.type === AST_NODE_TYPES.AccessorProperty ||
      current.type === AST_NODE_TYPES.StaticBlock
    ) {
      return null;
    }
  }
  return null;
}

/** Whether a node is, or lies in, another. */
export function contains(outer: TSESTree.Node, node: TSESTree.Node): boolean {
  return node.range[0] >= outer.range[0] && node.range[1] <= outer.range[1];
}

/** Every class that this node lies in, the innermost first. */
export function enclosingClasses(node: TSESTree.Node): ClassNode[] {
  const classes: ClassNode[] = [];
  for (let current = parentOf(node); current !== null; current = parentOf(current)) {
    if (isClass(current)) {
      classes.push(current);
    }
  }
  return classes;
}

/** What a function returns: the body of an arrow, or the argument of each `return` of its own. */
export function returnedExpressions(fn: FunctionNode): TSESTree.Expression[] {
  if (fn.body.type !== AST_NODE_TYPES.BlockStatement) {
    return [fn.body];
  }
  return ownReturns(fn.body).flatMap((statement) =>
    statement.argument === null ? [] : [statement.argument],
  );
}

/** The `return` statements that a body answers with, without those of nested functions and classes. */
export function ownReturns(body: TSESTree.BlockStatement): TSESTree.ReturnStatement[] {
  const returns: TSESTree.ReturnStatement[] = [];
  visitOwn(body, (node) => {
    if (node.type === AST_NODE_TYPES.ReturnStatement && !isOverridden(node, body)) {
      returns.push(node);
    }
  });
  return returns;
}

/** Whether a `finally` on the way out leaves by itself, so that the value is dropped. */
function isOverridden(statement: TSESTree.ReturnStatement, body: TSESTree.BlockStatement): boolean {
  let child: TSESTree.Node = statement;
  for (let parent = parentOf(statement); parent !== null && child !== body; parent = parentOf(parent)) {
    if (
      parent.type === AST_NODE_TYPES.TryStatement &&
      parent.finalizer !== null &&
      child !== parent.finalizer &&
      leaves(parent.finalizer)
    ) {
      return true;
    }
    child = parent;
  }
  return false;
}

/** Whether a statement never lets what follows it in its list run. */
export function leaves(statement: TSESTree.Node): boolean {
  switch (statement.type) {
    case AST_NODE_TYPES.ReturnStatement:
    case AST_NODE_TYPES.ThrowStatement:
    case AST_NODE_TYPES.ContinueStatement:
    case AST_NODE_TYPES.BreakStatement:
      return true;
    case AST_NODE_TYPES.BlockStatement:
      return statement.body.some(leaves);
    case AST_NODE_TYPES.IfStatement:
      return statement.alternate !== null && leaves(statement.consequent) && leaves(statement.alternate);
    default:
      return false;
  }
}

/** Visits a node and what is below it, but goes into no nested function or class. */
export function visitOwn(root: TSESTree.Node, visit: (node: TSESTree.Node) => void): void {
  walk(root, visit, (child) => !isFunction(child) && !isClass(child));
}

/** Visits a node and everything below it. */
export function visitAll(root: TSESTree.Node, visit: (node: TSESTree.Node) => void): void {
  walk(root, visit, () => true);
}

// In source order, and without recursion: a long chain of calls or sums is as deep as it is long.
function walk(
  root: TSESTree.Node,
  visit: (node: TSESTree.Node) => void,
  enters: (child: TSESTree.Node) => boolean,
): void {
  const waiting = [root];
  const push = (child: unknown): void => {
    if (isNode(child) && enters(child)) {
      waiting.push(child);
    }
  };
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    visit(node);
    // The last child first, so that the first one is taken next; in place, because this is done for every node of a file.
    const fields = node as unknown as Readonly<Record<string, unknown>>;
    const keys = visitorKeys[node.type] ?? [];
    for (let key = keys.length - 1; key >= 0; key -= 1) {
      const value = fields[keys[key] ?? ''];
      if (Array.isArray(value)) {
        for (let index = value.length - 1; index >= 0; index -= 1) {
          push(value[index]);
        }
      } else {
        push(value);
      }
    }
  }
}

/** A node and everything below it. */
export function descendants(root: TSESTree.Node): TSESTree.Node[] {
  const found: TSESTree.Node[] = [];
  visitAll(root, (node) => found.push(node));
  return found;
}

/** The operands of a sum, in order: `a + b + c` has three. */
export function summands(node: TSESTree.BinaryExpression): TSESTree.Node[] {
  const found: TSESTree.Node[] = [];
  let current: TSESTree.Node = node;
  while (current.type === AST_NODE_TYPES.BinaryExpression && current.operator === '+') {
    found.push(current.right);
    current = bare(current.left);
  }
  return [...found, current].reverse();
}

/** The nodes directly below a node, in source order of their keys. */
export function children(node: TSESTree.Node): TSESTree.Node[] {
  const found: TSESTree.Node[] = [];
  const fields = node as unknown as Readonly<Record<string, unknown>>;
  for (const key of visitorKeys[node.type] ?? []) {
    const value = fields[key];
    if (Array.isArray(value)) {
      for (const item of value as readonly unknown[]) {
        if (isNode(item)) {
          found.push(item);
        }
      }
    } else if (isNode(value)) {
      found.push(value);
    }
  }
  return found;
}

function isNode(value: unknown): value is TSESTree.Node {
  return typeof value === 'object' && value !== null;
}
