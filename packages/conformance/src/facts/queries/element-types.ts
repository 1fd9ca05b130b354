import { ts } from '../../../engine/typescript.mjs';
import type { Checker } from '../../load/loaded-project.js';

/** Library types whose first type argument is what iterating over them gives. */
const ITERABLES = new Set([
  'Iterable',
  'Iterator',
  'IterableIterator',
  'IteratorObject',
  'ArrayIterator',
  'SetIterator',
  'Generator',
  'AsyncIterable',
  'AsyncIterator',
  'AsyncIterableIterator',
  'AsyncIteratorObject',
  'AsyncGenerator',
  'Set',
  'ReadonlySet',
  'MapIterator',
]);

/** What iterating over a value of a type gives: of lists, of the library's iterables, and of types of one's own. */
export function elementTypeOf(checker: Checker, type: ts.Type): ts.Type | null {
  const indexed = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  if (indexed !== undefined) {
    return indexed;
  }
  const symbol = (type as ts.Type | { symbol?: ts.Symbol }).symbol;
  if (symbol === undefined) {
    return null;
  }
  return ITERABLES.has(symbol.name) ? firstArgument(checker, type) : iteratedBy(checker, type);
}

/** By the method that gives its iterator. */
function iteratedBy(checker: Checker, type: ts.Type): ts.Type | null {
  const method = checker
    .getPropertiesOfType(type)
    .find(({ escapedName }) => /^__@(?:iterator|asyncIterator)@/u.test(String(escapedName)));
  const [signature] =
    method === undefined
      ? []
      : checker.getSignaturesOfType(checker.getTypeOfSymbol(method), ts.SignatureKind.Call);
  const iterator = signature?.getReturnType() as (ts.Type & { readonly symbol?: ts.Symbol }) | undefined;
  const name = (iterator as { readonly symbol?: ts.Symbol } | undefined)?.symbol?.name;
  return iterator !== undefined && name !== undefined && ITERABLES.has(name)
    ? firstArgument(checker, iterator)
    : null;
}

function firstArgument(checker: Checker, type: ts.Type): ts.Type | null {
  return checker.getTypeArguments(type as ts.TypeReference)[0] ?? null;
}

/** The types of a tuple's places, where each has exactly one. */
export function tupleTypesOf(checker: Checker, type: ts.Type): readonly ts.Type[] | null {
  if (!checker.isTupleType(type)) {
    return null;
  }
  const { combinedFlags } = (type as ts.TupleTypeReference).target;
  return (combinedFlags & ts.ElementFlags.Variable) === 0
    ? checker.getTypeArguments(type as ts.TupleTypeReference)
    : null;
}
