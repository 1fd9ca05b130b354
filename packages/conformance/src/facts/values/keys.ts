import { guardKey } from './guard.js';
import { originKey, type TextParts } from './library.js';
import { memoOf } from './memo.js';
import { referencesKey } from './references.js';
import type { Alternative, Value } from './value.js';

const NUMBERS = new WeakMap<object, number>();
let lastNumber = 0;

/** A number that stands for a node, symbol, type or frame as long as the process runs. */
export function numberOf(thing: object): number {
  let number = NUMBERS.get(thing);
  if (number === undefined) {
    lastNumber += 1;
    number = lastNumber;
    NUMBERS.set(thing, number);
  }
  return number;
}

/**
 * Two alternatives with one key are the same value. The plain key leaves out under what conditions it
 * occurs and by which calls it came, so that joining paths and loops comes to an end; the exact key has
 * the conditions too, so that a stored summary is only used where it holds.
 */
export function alternativeKey(alternative: Alternative, isExact = false): string {
  const memo = memoOf(alternative);
  let key = isExact ? memo.exactKey : memo.plainKey;
  if (key === undefined) {
    key = shorten(
      `${describe(alternative, isExact)}|${referencesKey(alternative.references)}` +
        (isExact ? `|${guardKey(alternative.when)}` : ''),
    );
    memo[isExact ? 'exactKey' : 'plainKey'] = key;
  }
  return key;
}

export function valueKey(value: Value | null, isExact = false): string {
  if (value === null) {
    return '-';
  }
  const { alternatives } = value;
  const [only] = alternatives;
  if (only !== undefined && alternatives.length === 1) {
    return alternativeKey(only, isExact);
  }
  const memo = memoOf(value);
  let key = isExact ? memo.exactKey : memo.plainKey;
  if (key === undefined) {
    key = shorten(
      alternatives
        .map((one) => alternativeKey(one, isExact))
        .sort()
        .join(';'),
    );
    memo[isExact ? 'exactKey' : 'plainKey'] = key;
  }
  return key;
}

function describe(alternative: Alternative, isExact: boolean): string {
  switch (alternative.kind) {
    case 'literal':
      return `L${typeof alternative.value}:${String(alternative.value)}`;
    case 'opaque':
      return [
        'Q',
        alternative.origin,
        alternative.unknown,
        alternative.unknown === '' || alternative.place === null ? 0 : numberOf(alternative.place),
        alternative.type === null ? 0 : numberOf(alternative.type),
        alternative.symbol === null ? 0 : numberOf(alternative.symbol),
        alternative.id,
        valueKey(alternative.receiver, isExact),
        originKey(alternative.library),
        textKey(alternative.text, isExact),
        alternative.held === null ? '' : numberOf(alternative.held),
      ].join(':');
    case 'result':
      return [
        'R',
        alternative.id,
        alternative.form,
        alternative.typed === '' ? 0 : 1,
        valueKey(alternative.target, isExact),
        valueKey(alternative.content, isExact),
        valueKey(alternative.artifacts, isExact),
      ].join(':');
    case 'target':
      return `T${String(alternative.id)}:${valueKey(alternative.table, isExact)}:${valueKey(alternative.uid, isExact)}`;
    case 'object': {
      const properties = [...alternative.properties].map(
        ([name, value]) => `${name}=${valueKey(value, isExact)}`,
      );
      const type = alternative.preserved?.name ?? '';
      const accessors = alternative.accessors === null ? '' : [...alternative.accessors.keys()].join(',');
      return `O${String(alternative.id)}:${type}:{${properties.join(',')}}${accessors}${valueKey(alternative.others, isExact)}`;
    }
    case 'function':
      return [
        'F',
        numberOf(alternative.node),
        alternative.frame?.id ?? 0,
        valueKey(alternative.self, isExact),
        alternative.bound.map((one) => valueKey(one, isExact)).join('&'),
      ].join(':');
    case 'native':
      return `N${alternative.key}`;
    case 'class':
      return `C${String(numberOf(alternative.node))}:${String(alternative.frame?.id ?? 0)}`;
    case 'promise':
      return `P${valueKey(alternative.value, isExact)}`;
    case 'external':
      return `E${alternative.importedAs?.module ?? alternative.module}#${alternative.path}`;
    case 'module':
      return `M${String(numberOf(alternative.symbol))}`;
  }
}

function textKey(text: TextParts<Value> | null, isExact: boolean): string {
  if (text === null) {
    return '';
  }
  if (text.kind === 'sum') {
    return 'sum';
  }
  return text.kind === 'json'
    ? `json ${valueKey(text.value, isExact)}`
    : text.parts.map((part) => valueKey(part, isExact)).join('+');
}

const LONGEST_KEY = 160;

function shorten(text: string): string {
  return text.length <= LONGEST_KEY ? text : `${text.slice(0, 32)}~${digest(text)}`;
}

// Two independent 32-bit mixes: enough that two of a run's values never meet by chance.
function digest(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}.${text.length.toString(36)}`;
}
