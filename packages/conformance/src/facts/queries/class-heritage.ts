import type { ts } from '../../../engine/typescript.mjs';
import type { Checker } from '../../load/loaded-project.js';
import { resolveAlias } from './aliases.js';

/** What a class or an interface says that it extends and implements. */
export function heritageOf(
  checker: Checker,
  { heritageClauses }: ts.ClassLikeDeclaration | ts.InterfaceDeclaration,
): readonly ts.Symbol[] {
  return (heritageClauses ?? [])
    .flatMap(({ types }) => [...types])
    .flatMap(({ expression }) => {
      const named = checker.getSymbolAtLocation(expression);
      return named === undefined ? [] : [resolveAlias(checker, named)];
    });
}
