/**
 * What an analysis knows about a value without running anything. Plain data.
 *
 * - `constant`: exactly this value.
 * - `one-of`: one of these.
 * - `template`: a string put together; a part that is no constant is a hole.
 * - `object`: these properties; `isOpen` when there may be others (a spread of something unknown).
 * - `array`: these elements in order; `isOpen` when there may be others after, or between, them.
 * - `json`: the JSON text of a value.
 * - `made`: what a call or construction of a known function gave: `new PutObjectCommand(…)`,
 *   `FieldValue.increment(1)`. `path` as in `Catalogue.lookup`, without the final call step.
 * - `function`: a function; which one is the analysis's affair.
 * - `input`: comes from the tool's arguments; `path` names where, `operation` or `body.title`.
 * - `temporary`: a path under the system's temporary folder.
 * - `unknown`: anything; `name` is the identifier that it was read from, where there is one.
 */
export type AbstractValue =
  | { readonly kind: 'constant'; readonly value: string | number | boolean | bigint | null | undefined }
  | { readonly kind: 'one-of'; readonly values: readonly AbstractValue[] }
  | { readonly kind: 'template'; readonly parts: readonly AbstractValue[] }
  | {
      readonly kind: 'object';
      readonly properties: Readonly<Record<string, AbstractValue>>;
      readonly isOpen: boolean;
    }
  | { readonly kind: 'array'; readonly elements: readonly AbstractValue[]; readonly isOpen: boolean }
  | { readonly kind: 'json'; readonly value: AbstractValue }
  | {
      readonly kind: 'made';
      readonly module: string;
      readonly path: readonly string[];
      readonly arguments: readonly AbstractValue[];
    }
  | { readonly kind: 'function' }
  | { readonly kind: 'input'; readonly path: string }
  | { readonly kind: 'temporary' }
  | { readonly kind: 'unknown'; readonly name?: string };

export const UNKNOWN: AbstractValue = Object.freeze({ kind: 'unknown' });

const ABSENT_CONSTANT: AbstractValue = Object.freeze({ kind: 'constant', value: undefined });

/** A constant. */
export function constant(value: string | number | boolean | bigint | null | undefined): AbstractValue {
  return value === undefined ? ABSENT_CONSTANT : { kind: 'constant', value };
}

/** Whether a value is certainly not given: `undefined`, or `null` in an options place. */
export function isAbsent(value: AbstractValue): boolean {
  return value.kind === 'constant' && (value.value === undefined || value.value === null);
}

/** The values that a value may have, where it is a choice; else the value alone. Nested choices are flattened. */
export function alternativesOf(value: AbstractValue): readonly AbstractValue[] {
  return value.kind === 'one-of' ? value.values.flatMap(alternativesOf) : [value];
}

/** The text of a constant string, or of a template without holes; null for anything else. */
export function textOf(value: AbstractValue): string | null {
  if (value.kind === 'constant') return typeof value.value === 'string' ? value.value : null;
  if (value.kind !== 'template') return null;
  let text = '';
  for (const part of value.parts) {
    if (part.kind === 'constant' && part.value !== undefined) text += String(part.value);
    else {
      const inner = textOf(part);
      if (inner === null) return null;
      text += inner;
    }
  }
  return text;
}

/**
 * A string as literal parts with holes between them: `['a', 'b']` is `a${…}b`. A value of which
 * nothing is known is `['', '']`: one hole. Null for what is no string at all.
 */
export function textPartsOf(value: AbstractValue): readonly string[] | null {
  switch (value.kind) {
    case 'constant':
      return typeof value.value === 'string' ? [value.value] : null;
    case 'template': {
      const literals = [''];
      const append = (text: string): void => {
        literals[literals.length - 1] = (literals[literals.length - 1] ?? '') + text;
      };
      for (const part of value.parts) {
        if (part.kind === 'constant') append(String(part.value));
        else if (part.kind === 'template') {
          const inner = textPartsOf(part) ?? ['', ''];
          inner.forEach((literal, index) => (index === 0 ? append(literal) : literals.push(literal)));
        } else literals.push('');
      }
      return literals;
    }
    case 'input':
    case 'unknown':
    case 'temporary':
      return ['', ''];
    default:
      return null;
  }
}

/** The first part of a value that comes from the tool's arguments, or null. */
export function inputOf(value: AbstractValue): string | null {
  switch (value.kind) {
    case 'input':
      return value.path;
    case 'template':
      return firstInput(value.parts);
    case 'one-of':
      return firstInput(value.values);
    case 'array':
      return firstInput(value.elements);
    case 'object':
      return firstInput(Object.values(value.properties));
    case 'json':
      return inputOf(value.value);
    case 'made':
      return firstInput(value.arguments);
    default:
      return null;
  }
}

/** Whether a model can put words of its own into a value: some part of it is an argument, not the arguments as a whole. */
export function isSaidByModel(value: AbstractValue): boolean {
  return (inputOf(value) ?? '') !== '';
}

function firstInput(values: readonly AbstractValue[]): string | null {
  for (const value of values) {
    const found = inputOf(value);
    if (found !== null) return found;
  }
  return null;
}

/** The abstract value of plain data: nested objects and arrays are closed, a function is a `function`. */
export function abstractOf(value: unknown): AbstractValue {
  if (Array.isArray(value)) return { kind: 'array', elements: value.map(abstractOf), isOpen: false };
  switch (typeof value) {
    case 'function':
      return { kind: 'function' };
    case 'object':
      if (value === null) return constant(null);
      return {
        kind: 'object',
        properties: Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, abstractOf(inner)])),
        isOpen: false,
      };
    case 'string':
    case 'number':
    case 'boolean':
    case 'bigint':
    case 'undefined':
      return constant(value);
    default:
      return UNKNOWN;
  }
}
