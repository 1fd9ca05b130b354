import { ts } from '../../../engine/typescript.mjs';
import type { TypeQueries } from './type-queries.js';

/** What a path of names leads to: exports of a module first, then members of what the last one is. Null where it ends early. */
export function memberOf(queries: TypeQueries, from: ts.Symbol, path: readonly string[]): ts.Symbol | null {
  let symbol = from;
  for (const [index, name] of path.entries()) {
    const next =
      index === 0 && (symbol.flags & ts.SymbolFlags.Module) !== 0
        ? queries.exportOf(symbol, name)
        : queries.propertyOf(queries.typeOfSymbol(symbol), name);
    if (next === null) {
      return null;
    }
    symbol = next;
  }
  return symbol;
}
