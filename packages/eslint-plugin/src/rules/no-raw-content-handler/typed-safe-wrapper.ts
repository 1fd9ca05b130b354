import type { TSESTree } from '@typescript-eslint/utils';
import { SAFE_HANDLER_FACTORY, SDK_MODULE } from '@toolwright/sdk/contract-names';
import ts from 'typescript';
import { behindAliases, isDeclaredBy, type TypeInformation } from '../../types/type-information.js';

/**
 * Which argument of a call is the factory: the first of the safe wrapper itself, under whatever name
 * it was re-exported, or the one that a function of the project passes on to it. Null for other calls.
 */
export function typedWrapperArgument(callee: TSESTree.Node, types: TypeInformation): number | null {
  const symbol = types.symbolOf(callee);
  if (symbol === null) {
    return null;
  }
  if (isDeclaredBy(symbol, SDK_MODULE, SAFE_HANDLER_FACTORY)) {
    return 0;
  }
  for (const declaration of symbol.declarations ?? []) {
    const index = forwardedParameter(declaration, types.checker);
    if (index !== null) {
      return index;
    }
  }
  return null;
}

function forwardedParameter(declaration: ts.Declaration, checker: ts.TypeChecker): number | null {
  const fn =
    ts.isVariableDeclaration(declaration) && declaration.initializer !== undefined
      ? declaration.initializer
      : declaration;
  if (
    !(
      ts.isFunctionDeclaration(fn) ||
      ts.isArrowFunction(fn) ||
      ts.isFunctionExpression(fn) ||
      ts.isMethodDeclaration(fn)
    ) ||
    fn.body === undefined ||
    !fn.getSourceFile().text.includes(SAFE_HANDLER_FACTORY)
  ) {
    return null;
  }
  let found: number | null = null;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && found === null) {
      const [factory] = node.arguments;
      const symbol = checker.getSymbolAtLocation(node.expression);
      if (
        factory !== undefined &&
        symbol !== undefined &&
        isDeclaredBy(behindAliases(symbol, checker), SDK_MODULE, SAFE_HANDLER_FACTORY)
      ) {
        const passed = checker.getSymbolAtLocation(factory);
        const index = fn.parameters.findIndex(
          (parameter) => checker.getSymbolAtLocation(parameter.name) === passed && passed !== undefined,
        );
        found = index === -1 ? null : index;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(fn.body);
  return found;
}
