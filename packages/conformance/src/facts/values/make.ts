import type { ts } from '../../../engine/typescript.mjs';
import { NO_GUARD } from './guard.js';
import { NO_REFERENCES, type References } from './references.js';
import type { Alternative, ExternalValue, Literal, NativeCall, OpaqueValue, Value } from './value.js';

/** The value of code that never comes to have one. */
export const NEVER: Value = { alternatives: [] };

export function one(alternative: Alternative): Value {
  return { alternatives: [alternative] };
}

export function literal(value: Literal, references: References = NO_REFERENCES): Value {
  return one({ kind: 'literal', value, references, when: NO_GUARD });
}

export const UNDEFINED: Value = literal(undefined);
export const NULL: Value = literal(null);
export const TRUE: Value = literal(true);
export const FALSE: Value = literal(false);
export const BOOLEAN: Value = { alternatives: [...TRUE.alternatives, ...FALSE.alternatives] };

type OpaqueFields = Partial<Omit<OpaqueValue, 'kind'>>;

/** Field by field: there are hundreds of thousands of them, and a spread over defaults costs ten times as much. */
export function opaqueAlternative(fields: OpaqueFields): OpaqueValue {
  return {
    kind: 'opaque',
    origin: fields.origin ?? 0,
    unknown: fields.unknown ?? '',
    description: fields.description ?? '',
    place: fields.place ?? null,
    type: fields.type ?? null,
    symbol: fields.symbol ?? null,
    receiver: fields.receiver ?? null,
    isTruthy: fields.isTruthy ?? false,
    preserved: fields.preserved ?? null,
    id: fields.id ?? 0,
    library: fields.library ?? null,
    text: fields.text ?? null,
    held: fields.held ?? null,
    references: fields.references ?? NO_REFERENCES,
    when: fields.when ?? NO_GUARD,
  };
}

export function opaque(fields: OpaqueFields): Value {
  return one(opaqueAlternative(fields));
}

/** A value that could be anything, a result included. */
export function unknownValue(
  why: string,
  place: ts.Node | null,
  references: References = NO_REFERENCES,
): Value {
  return opaque({ unknown: why, description: why, place, references });
}

export function external(
  module: string,
  path: string,
  symbol: ts.Symbol | null,
  members: readonly string[] = [],
): ExternalValue {
  return { kind: 'external', module, path, symbol, members, references: NO_REFERENCES, when: NO_GUARD };
}

export function native(key: string, call: NativeCall, method: string | null = null): Value {
  return one({ kind: 'native', key, call, method, references: NO_REFERENCES, when: NO_GUARD });
}

export function promise(value: Value): Value {
  return one({ kind: 'promise', value, references: NO_REFERENCES, when: NO_GUARD });
}
