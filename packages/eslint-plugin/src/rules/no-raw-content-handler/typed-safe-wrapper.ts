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
  return symbol === null ? null : wrapperArgument(symbol, types.checker, 0);
}

const MAX_DEPTH = 4;
const bySymbol = new WeakMap<ts.Symbol, number | null>();

function wrapperArgument(symbol: ts.Symbol, checker: ts.TypeChecker, depth: number): number | null {
  if (isDeclaredBy(symbol, SDK_MODULE, SAFE_HANDLER_FACTORY)) {
    return 0;
  }
  const known = bySymbol.get(symbol);
  if (known !== undefined || depth > MAX_DEPTH) {
    return known ?? null;
  }
  bySymbol.set(symbol, null);
  const indexes = (symbol.declarations ?? []).map((one) => forwardedParameter(one, checker, depth));
  const index = indexes.find((one) => one !== null) ?? null;
  bySymbol.set(symbol, index);
  return index;
}

function forwardedParameter(
  declaration: ts.Declaration,
  checker: ts.TypeChecker,
  depth: number,
): number | null {
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
    fn.parameters.length === 0
  ) {
    return null;
  }
  let found: number | null = null;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && found === null) {
      found = passedOn(node, fn.parameters, checker, depth);
    }
    ts.forEachChild(node, visit);
  };
  visit(fn.body);
  return found;
}

/** The parameter that a call passes on to the safe wrapper, or null. */
function passedOn(
  call: ts.CallExpression,
  parameters: ts.NodeArray<ts.ParameterDeclaration>,
  checker: ts.TypeChecker,
  depth: number,
): number | null {
  const passed = call.arguments.map((argument) =>
    ts.isIdentifier(argument)
      ? parameters.findIndex(
          ({ name }) =>
            ts.isIdentifier(name) &&
            name.text === argument.text &&
            checker.getSymbolAtLocation(name) === checker.getSymbolAtLocation(argument),
        )
      : -1,
  );
  if (passed.every((index) => index === -1)) {
    return null;
  }
  const symbol = checker.getSymbolAtLocation(call.expression);
  const wrapped =
    symbol === undefined ? null : wrapperArgument(behindAliases(symbol, checker), checker, depth + 1);
  const index = wrapped === null ? -1 : (passed[wrapped] ?? -1);
  return index === -1 ? null : index;
}
