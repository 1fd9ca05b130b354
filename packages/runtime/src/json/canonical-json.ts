import { createHash } from 'node:crypto';
import { RuntimeError } from '../errors.js';

/** Deepest nesting that is accepted: deeper data is an attack or a mistake, and recursion has an end. */
export const MAX_JSON_DEPTH = 64;

/**
 * The one text of a JSON value: object keys sorted by UTF-16 code units, no white space. Two values
 * that are equal as JSON have the same text, so a digest of it binds an approval to exact arguments.
 *
 * Properties that are `undefined` are left out, as JSON does.
 *
 * @throws RuntimeError with code `NOT_JSON` for anything that JSON cannot hold exactly (a Date, a Map,
 *   a BigInt, NaN, a function, a cycle) and for more than 64 levels. The message names the place, never
 *   the value.
 */
export function canonicalJson(value: unknown): string {
  return write(value, '$', 0);
}

/** The SHA-256 of a text, in hexadecimal. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

function write(value: unknown, path: string, depth: number): string {
  if (depth > MAX_JSON_DEPTH) {
    throw notJson(path, `at most ${String(MAX_JSON_DEPTH)} levels`, 'more');
  }
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) {
        throw notJson(path, 'a finite number', 'NaN or an infinity');
      }
      return JSON.stringify(value);
    case 'object':
      return value === null ? 'null' : writeObject(value, path, depth);
    default:
      throw notJson(path, 'a JSON value', typeof value);
  }
}

function writeObject(value: object, path: string, depth: number): string {
  if (Array.isArray(value)) {
    const items = Array.from(value, (item: unknown, index) =>
      write(item, `${path}[${String(index)}]`, depth + 1),
    );
    return `[${items.join(',')}]`;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw notJson(path, 'a plain object', 'an instance of a class');
  }
  const record = value as Readonly<Record<string, unknown>>;
  const members = Object.keys(record)
    .filter((key) => record[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${write(record[key], `${path}.${key.slice(0, 40)}`, depth + 1)}`);
  return `{${members.join(',')}}`;
}

function notJson(path: string, expected: string, found: string): RuntimeError {
  return new RuntimeError(
    'NOT_JSON',
    `Cannot write ${path.slice(0, 200)} as JSON: expected ${expected}, found ${found}. ` +
      'Let the schema produce plain JSON values (a date as a string) and convert inside execute.',
  );
}
