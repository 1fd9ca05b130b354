import { alternativesOf, constant, isAbsent, UNKNOWN, type AbstractValue } from '../model/abstract-value.js';
import type { CallFacts } from '../model/classification.js';

/** Which argument a property of a made value repeats: `method` of `new Request(url, init)` is `1.method`. */
export type CarriedProperty = (
  made: Extract<AbstractValue, { kind: 'made' }>,
  property: string,
) => string | null;

export interface FoundArgument {
  readonly value: AbstractValue;
  /** The place it was found in, for messages; the first one when nothing is there. */
  readonly place: string;
}

const ABSENT = constant(undefined);

/**
 * The value in the first of several places that holds one: `1.method 0.method?`. A place that ends
 * in `?` counts only when it can be seen. The value of an absent argument is the constant `undefined`.
 */
export function findArgument(places: string, call: CallFacts, carried: CarriedProperty): FoundArgument {
  const candidates = places.split(' ').filter((place) => place !== '');
  for (const candidate of candidates) {
    const isOptional = candidate.endsWith('?');
    const place = isOptional ? candidate.slice(0, -1) : candidate;
    const value = argumentAt(place, call, carried);
    if (isAbsent(value)) continue;
    if (isOptional && (value.kind === 'unknown' || value.kind === 'input')) continue;
    return { value, place };
  }
  return { value: ABSENT, place: (candidates[0] ?? '').replace('?', '') };
}

/** Every function place that a `calls` or `listens` names, as argument indices; `functions` is every one. */
export function callbackIndices(places: string, argumentCount: number): readonly number[] {
  const indices = new Set<number>();
  for (const place of places.split(' ')) {
    if (place === 'functions') for (let index = 0; index < argumentCount; index += 1) indices.add(index);
    else if (place === 'last') indices.add(argumentCount - 1);
    else if (place.startsWith('rest:')) {
      for (let index = Number(place.slice('rest:'.length)); index < argumentCount; index += 1)
        indices.add(index);
    } else indices.add(Number.parseInt(place, 10));
  }
  return [...indices].filter((index) => index >= 0 && index < argumentCount);
}

function argumentAt(place: string, call: CallFacts, carried: CarriedProperty): AbstractValue {
  const [base = '', ...properties] = place.split('.');
  let value = baseOf(base, call);
  for (const property of properties) value = propertyOf(value, property, carried);
  return unwrap(value, carried);
}

function baseOf(base: string, call: CallFacts): AbstractValue {
  if (base === 'last') return call.arguments[call.arguments.length - 1] ?? ABSENT;
  const [kind = '', first = '', second = ''] = base.split(':');
  switch (kind) {
    case 'rest':
      return { kind: 'array', elements: call.arguments.slice(Number(first)), isOpen: false };
    case 'receiver': {
      const receiver = call.receiver;
      if (receiver === undefined) return UNKNOWN;
      return receiver.kind === 'made' ? (receiver.arguments[Number(first)] ?? ABSENT) : UNKNOWN;
    }
    case 'chain': {
      if (call.chain === undefined) return UNKNOWN;
      const chained = call.chain.find(({ name }) => name === first);
      return chained?.arguments[Number(second)] ?? ABSENT;
    }
    default:
      return call.arguments[Number(base)] ?? ABSENT;
  }
}

/** The value of a property, as far as it is known. Shared with the classifiers of bodies. */
export function propertyOf(value: AbstractValue, property: string, carried: CarriedProperty): AbstractValue {
  switch (value.kind) {
    case 'object':
      return Object.hasOwn(value.properties, property)
        ? (value.properties[property] ?? ABSENT)
        : value.isOpen
          ? UNKNOWN
          : ABSENT;
    case 'array': {
      const index = Number(property);
      if (!Number.isInteger(index)) return ABSENT;
      return value.elements[index] ?? (value.isOpen ? UNKNOWN : ABSENT);
    }
    case 'one-of':
      return {
        kind: 'one-of',
        values: alternativesOf(value).map((one) => propertyOf(one, property, carried)),
      };
    case 'json':
      return propertyOf(value.value, property, carried);
    case 'made': {
      const place = carried(value, property);
      return place === null ? UNKNOWN : findArgument(place, { arguments: value.arguments }, carried).value;
    }
    case 'input':
      return { kind: 'input', path: `${value.path}.${property}` };
    case 'unknown':
      return UNKNOWN;
    default:
      return ABSENT;
  }
}

/** A value made by a function that hands one argument on (a tag, a parser) is that argument. */
function unwrap(value: AbstractValue, carried: CarriedProperty): AbstractValue {
  if (value.kind === 'one-of') {
    return { kind: 'one-of', values: value.values.map((one) => unwrap(one, carried)) };
  }
  if (value.kind !== 'made') return value;
  const place = carried(value, '()');
  return place === null ? value : findArgument(place, { arguments: value.arguments }, carried).value;
}
