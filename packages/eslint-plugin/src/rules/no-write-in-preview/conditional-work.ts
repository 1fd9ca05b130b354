import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { descendants, enclosingFunction, parentOf } from '../../references/ast-shapes.js';
import { valueOrigins } from '../../references/value-origins.js';

type Source = Readonly<TSESLint.SourceCode>;

/** Whether a function does something only for some of its arguments, as one with a `dryRun` does. */
export function isConditional(place: TSESTree.Node, source: Source): boolean {
  const fn = enclosingFunction(place);
  let child = place;
  for (let parent = parentOf(place); parent !== null && parent !== fn; parent = parentOf(parent)) {
    const tests = testsOf(parent, child);
    if (tests.some((test) => asksArgument(test, source))) {
      return true;
    }
    child = parent;
  }
  return false;
}

/** The conditions under which a node lets its child run, earlier ones that leave the list included. */
function testsOf(parent: TSESTree.Node, child: TSESTree.Node): TSESTree.Node[] {
  switch (parent.type) {
    case AST_NODE_TYPES.IfStatement:
    case AST_NODE_TYPES.ConditionalExpression:
    case AST_NODE_TYPES.WhileStatement:
      return child === parent.test ? [] : [parent.test];
    case AST_NODE_TYPES.LogicalExpression:
      return child === parent.right ? [parent.left] : [];
    case AST_NODE_TYPES.SwitchCase:
      return [parent.parent.discriminant];
    case AST_NODE_TYPES.BlockStatement:
      return parent.body
        .slice(
          0,
          Math.max(
            0,
            parent.body.findIndex((statement) => statement === child),
          ),
        )
        .flatMap((statement) => (statement.type === AST_NODE_TYPES.IfStatement ? [statement.test] : []));
    default:
      return [];
  }
}

function asksArgument(test: TSESTree.Node, source: Source): boolean {
  return descendants(test).some(
    (node) =>
      node.type === AST_NODE_TYPES.Identifier &&
      valueOrigins(node, source).some(({ kind }) => kind === 'declared'),
  );
}
