import { constant, UNKNOWN, type AbstractValue } from '@toolwright/catalogue';
import {
  FROM_ARGUMENTS,
  type Alternative,
  type ObjectValue,
  type OpaqueValue,
  type Point,
  type Value,
} from '../values/value.js';
import { typeName } from '../queries/type-name.js';
import type { Machine } from './machine.js';

const DEEPEST = 5;
const MOST_CHOICES = 16;
const MOST_PROPERTIES = 60;

/** A value as the catalogue of effects takes it: what is known of it, as plain data. */
export function abstractOf(machine: Machine, value: Value, at: Point, depth = 0): AbstractValue {
  const [only, ...more] = value.alternatives;
  if (only === undefined) {
    return UNKNOWN;
  }
  if (more.length === 0) {
    return abstractOne(machine, only, at, depth);
  }
  if (value.alternatives.length > MOST_CHOICES) {
    return UNKNOWN;
  }
  const values = value.alternatives.map((one) => abstractOne(machine, one, at, depth));
  return { kind: 'one-of', values };
}

function abstractOne(machine: Machine, one: Alternative, at: Point, depth: number): AbstractValue {
  switch (one.kind) {
    case 'literal':
      return constant(one.value);
    case 'promise':
      return abstractOf(machine, one.value, at, depth);
    case 'target':
      return abstractOf(machine, one.uid, at, depth);
    case 'object':
      return depth >= DEEPEST ? UNKNOWN : abstractObject(machine, one, at, depth);
    case 'function':
    case 'native':
    case 'class':
      return { kind: 'function' };
    case 'external':
      return { kind: 'unknown', name: one.path };
    case 'opaque': {
      if (one.text !== null && one.text.kind !== 'sum') {
        return one.text.kind === 'json'
          ? { kind: 'json', value: abstractOf(machine, one.text.value, at, depth + 1) }
          : {
              kind: 'template',
              parts: one.text.parts.map((part) => abstractOf(machine, part, at, depth + 1)),
            };
      }
      if (isRequestFromElsewhere(one)) {
        return { kind: 'object', properties: { method: ANY_METHOD, url: UNKNOWN }, isOpen: true };
      }
      if (one.library !== null && one.library.made !== null) {
        return one.library.made;
      }
      return (one.origin & FROM_ARGUMENTS) !== 0
        ? { kind: 'input', path: inputPath(one.description) }
        : { kind: 'unknown', name: one.description };
    }
    default:
      return UNKNOWN;
  }
}

/** There is one, and it is not known: other than one that is not given. */
const ANY_METHOD: AbstractValue = { kind: 'template', parts: [UNKNOWN] };

/** A request that somebody else made, or that is copied: it has a method, and nobody says here which. */
function isRequestFromElsewhere({ library, type }: OpaqueValue): boolean {
  const isRequest =
    library?.value?.types.includes('web#Request') === true ||
    (library === null && typeName(type) === 'Request');
  return isRequest && library?.made?.path.at(-1) !== 'Request';
}

function abstractObject(machine: Machine, object: ObjectValue, at: Point, depth: number): AbstractValue {
  const properties = machine.propertiesOf(object, at);
  const others = machine.othersOf(object, at);
  if (object.collection === 'array') {
    const elements = [...properties]
      .filter(([key]) => /^\d+$/u.test(key))
      .map(([, element]) => abstractOf(machine, element, at, depth + 1));
    return { kind: 'array', elements, isOpen: others !== null };
  }
  if (object.collection !== null) {
    return UNKNOWN;
  }
  const known = [...properties].slice(0, MOST_PROPERTIES);
  return {
    kind: 'object',
    properties: Object.fromEntries(
      known.map(([name, value]) => [name, abstractOf(machine, value, at, depth + 1)]),
    ),
    isOpen: others !== null || object.of !== null || known.length < properties.size,
  };
}

/** `the input.body.title` is `body.title`; what only derives from the input names no place in it. */
export function inputPath(description: string): string {
  return /^the input\.(?<path>.+)$/u.exec(description)?.groups?.['path'] ?? '';
}

/** Whether a value is what the model gave, and nothing that the code made of it. */
export function isOfInput(value: Value): boolean {
  return value.alternatives.some(
    (one) =>
      one.kind === 'opaque' &&
      one.text === null &&
      (one.origin & FROM_ARGUMENTS) !== 0 &&
      inputPath(one.description) !== '',
  );
}
