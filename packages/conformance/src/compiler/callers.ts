import { ts } from '../../engine/typescript.mjs';
import type { ReferenceIndex } from './reference-index.js';
import { skipWrappers } from './syntax.js';
import type { FunctionNode } from './static-value.js';
import type { Checker } from '../load/loaded-project.js';

export interface Callers {
  readonly calls: readonly (ts.CallExpression | ts.NewExpression)[];
  /** Where the function is handed on as a value, so that it may be called from anywhere. */
  readonly escapes: readonly ts.Node[];
}

/** The places in the project that call a function or construct a class. */
export function callersOf(
  checker: Checker,
  references: ReferenceIndex,
  callee: FunctionNode | ts.ClassLikeDeclaration,
): Callers {
  const calls: (ts.CallExpression | ts.NewExpression)[] = [];
  const escapes: ts.Node[] = [];
  const seen = new Set<ts.Symbol>();
  const queue = symbolsOf(checker, callee);
  for (let symbol = queue.pop(); symbol !== undefined; symbol = queue.pop()) {
    if (seen.has(symbol)) {
      continue;
    }
    seen.add(symbol);
    for (const reference of references.referencesTo(symbol)) {
      const use = outermostAccess(reference);
      const call = skipWrappers.outward(use);
      const { parent } = call;
      if ((ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === call) {
        calls.push(parent);
      } else if (
        ts.isVariableDeclaration(parent) &&
        parent.initializer === call &&
        ts.isIdentifier(parent.name)
      ) {
        const alias = checker.getSymbolAtLocation(parent.name);
        if (alias !== undefined) {
          queue.push(alias);
        }
      } else if (!isTypeUse(parent) && !ts.isExportAssignment(parent)) {
        escapes.push(reference);
      }
    }
  }
  return { calls, escapes };
}

/** `a.b.make` for `make`: the expression that stands for the function. */
function outermostAccess(reference: ts.Identifier): ts.Node {
  const { parent } = reference;
  return (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent)) &&
    (ts.isQualifiedName(parent) ? parent.right : parent.name) === reference
    ? parent
    : reference;
}

function isTypeUse(parent: ts.Node): boolean {
  return (
    ts.isTypeNode(parent) ||
    ts.isTypeQueryNode(parent) ||
    ts.isHeritageClause(parent) ||
    ts.isExpressionWithTypeArguments(parent) ||
    ts.isQualifiedName(parent)
  );
}

function symbolsOf(checker: Checker, callee: FunctionNode | ts.ClassLikeDeclaration): ts.Symbol[] {
  const owner = ts.isConstructorDeclaration(callee) ? callee.parent : callee;
  const names: ts.Node[] = owner.name === undefined ? [] : [owner.name];
  const holder = skipWrappers.outward(owner).parent as ts.Node | undefined;
  if (
    holder !== undefined &&
    (ts.isVariableDeclaration(holder) ||
      ts.isPropertyAssignment(holder) ||
      ts.isPropertyDeclaration(holder)) &&
    holder.initializer === skipWrappers.outward(owner)
  ) {
    names.push(holder.name);
  }
  const symbols = names
    .map((name) => checker.getSymbolAtLocation(name))
    .filter((symbol): symbol is ts.Symbol => symbol !== undefined);
  // `export default function () {…}` has no name of its own.
  const own = (owner as unknown as { readonly symbol?: ts.Symbol }).symbol;
  return own === undefined ? symbols : [...new Set([...symbols, own])];
}
