import { TOOL_MEMBERS } from '@toolwright/sdk/contract-names';
import { ts } from '../../../engine/typescript.mjs';

/** What a class gives its name: in a field, a getter or its constructor. */
export function nameInitializer(node: ts.ClassLikeDeclaration): ts.Expression | undefined {
  for (const member of node.members) {
    if (member.name?.getText() === TOOL_MEMBERS.name) {
      if (ts.isPropertyDeclaration(member) && member.initializer !== undefined) {
        return member.initializer;
      }
      if (ts.isGetAccessorDeclaration(member)) {
        return returnedExpression(member);
      }
    }
    if (ts.isConstructorDeclaration(member)) {
      for (const statement of member.body?.statements ?? []) {
        const { expression } = ts.isExpressionStatement(statement) ? statement : { expression: undefined };
        if (
          expression !== undefined &&
          ts.isBinaryExpression(expression) &&
          expression.left.getText() === `this.${TOOL_MEMBERS.name}`
        ) {
          return expression.right;
        }
      }
    }
  }
  return undefined;
}

/** What a getter answers, where it does nothing else. */
export function returnedExpression(accessor: ts.GetAccessorDeclaration): ts.Expression | undefined {
  const [statement] = accessor.body?.statements ?? [];
  return statement !== undefined && ts.isReturnStatement(statement) ? statement.expression : undefined;
}
