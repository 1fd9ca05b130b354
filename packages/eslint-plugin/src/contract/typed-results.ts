import { RESULT_TYPES, SDK_MODULE } from '@toolwright/sdk/contract-names';
import ts from 'typescript';
import { isDeclaredBy, type TypeInformation } from '../types/type-information.js';

type Kind = (typeof RESULT_TYPES)[keyof typeof RESULT_TYPES];

const KIND_BY_NAME: ReadonlyMap<string, Kind> = new Map(Object.entries(RESULT_TYPES));

/** A kind of result that a type allows, and whether such a result names a record. */
export interface PossibleKind {
  readonly kind: Kind;
  readonly target: 'absent' | 'present' | 'unknown';
}

/** The kinds of result that a type allows, promises looked through; null where it allows anything else. */
export function kindsOfType(type: ts.Type, types: TypeInformation): PossibleKind[] | null {
  if (type.isUnion()) {
    const parts = type.types.map((part) => kindsOfType(part, types));
    return parts.includes(null) ? null : distinctKinds(parts.flatMap((part) => part ?? []));
  }
  const symbol = type.getSymbol();
  if (symbol === undefined) {
    return null;
  }
  if (symbol.name === 'Promise' || symbol.name === 'PromiseLike') {
    const [awaited] = types.checker.getTypeArguments(type as ts.TypeReference);
    return awaited === undefined ? null : kindsOfType(awaited, types);
  }
  const kind = KIND_BY_NAME.get(symbol.name);
  return kind !== undefined && isDeclaredBy(symbol, SDK_MODULE, symbol.name)
    ? [{ kind, target: targetOfKind(kind, type, types) }]
    : null;
}

function targetOfKind(kind: Kind, type: ts.Type, types: TypeInformation): PossibleKind['target'] {
  if (kind !== 'error') {
    return kind === 'wrote' ? 'present' : 'absent';
  }
  const [target] = types.checker.getTypeArguments(type as ts.TypeReference);
  if (target === undefined || target.isUnion()) {
    return 'unknown';
  }
  return (target.flags & ts.TypeFlags.Null) === 0 ? 'present' : 'absent';
}

/** Each kind once. */
export function distinctKinds(kinds: readonly PossibleKind[]): PossibleKind[] {
  return kinds.filter(
    ({ kind, target }, index) =>
      kinds.findIndex((other) => other.kind === kind && other.target === target) === index,
  );
}
