import type { ts } from '../../../engine/typescript.mjs';

/** The name that a type was declared under; empty where it has none, or nothing is known. */
export function typeName(type: ts.Type | null): string {
  // The compiler's own declarations leave out that a type can be without a symbol.
  return (type as ts.Type | { symbol?: ts.Symbol } | null)?.symbol?.name ?? '';
}
