import { ts } from '../../../engine/typescript.mjs';
import { importOf } from './external-names.js';
import type { ExternalName } from './type-queries.js';
import type { Checker } from '../../load/loaded-project.js';

/** An alias of an alias of an alias. */
const MOST_ALIASES = 12;

/** Follows import and export aliases to what is declared, or as far as there is something to follow. */
export function resolveAlias(checker: Checker, symbol: ts.Symbol): ts.Symbol {
  if (!isAlias(symbol)) {
    return symbol;
  }
  const target = checker.getAliasedSymbol(symbol);
  // The checker's unknown symbol has no declaration: the last alias that has one says more.
  return hasDeclaration(target) ? target : lastAlias(checker, symbol);
}

/** The same, and keeps what it found. */
export class Aliases {
  readonly #checker: Checker;
  readonly #targets = new Map<ts.Symbol, ts.Symbol>();

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  resolve(symbol: ts.Symbol): ts.Symbol {
    let target = this.#targets.get(symbol);
    if (target === undefined) {
      target = resolveAlias(this.#checker, symbol);
      this.#targets.set(symbol, target);
    }
    return target;
  }
}

function lastAlias(checker: Checker, symbol: ts.Symbol): ts.Symbol {
  let last = symbol;
  for (let depth = 0; depth < MOST_ALIASES && isAlias(last); depth += 1) {
    const next = checker.getImmediateAliasedSymbol(last);
    if (next === undefined || !hasDeclaration(next)) {
      return last;
    }
    last = next;
  }
  return last;
}

/** The module specifier and name by which something is imported from a package, through own files or not. */
export function importedAs(checker: Checker, named: ts.Symbol | undefined): ExternalName | null {
  let symbol = named;
  for (let depth = 0; depth < MOST_ALIASES && symbol !== undefined; depth += 1) {
    const [declaration] = symbol.declarations ?? [];
    const imported = declaration === undefined ? null : importOf(declaration);
    if (imported !== null && !/^[./]/u.test(imported.module)) {
      return imported;
    }
    symbol = isAlias(symbol) ? checker.getImmediateAliasedSymbol(symbol) : undefined;
  }
  return null;
}

function isAlias(symbol: ts.Symbol): boolean {
  return (symbol.flags & ts.SymbolFlags.Alias) !== 0;
}

function hasDeclaration(symbol: ts.Symbol): boolean {
  return symbol.declarations !== undefined && symbol.declarations.length > 0;
}
