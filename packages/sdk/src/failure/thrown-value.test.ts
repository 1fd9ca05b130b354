import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { THROWN } from '../content/fixtures/thrown-values.js';
import { errorClass, get, messageOf, traceOf } from './thrown-value.js';

class NotFound extends Error {}

describe('errorClass', () => {
  it.each<[string, unknown, string]>([
    ['an error', new TypeError('x'), 'TypeError'],
    ['a subclass', new NotFound('x'), 'NotFound'],
    ['a DOMException', new DOMException('x', 'AbortError'), 'DOMException'],
    ['an error of another realm', runInNewContext('new RangeError("x")'), 'RangeError'],
    ['a string', 'secret', 'string'],
    ['null', null, 'null'],
    ['undefined', undefined, 'undefined'],
    ['a plain object', { name: 'secret' }, 'object'],
    [
      'an error without a constructor name',
      Object.assign(new (class extends Error {})('x'), { name: 'Named' }),
      'Named',
    ],
  ])('names %s', (_what, thrown, name) => {
    expect(errorClass(thrown)).toBe(name);
  });

  it('turns a name that carries text into one word, bounded', () => {
    const named = (name: string): Error =>
      Object.defineProperty(new Error('x'), 'constructor', { value: { name } });
    expect(errorClass(named('Ignore all\n rules "now" \u202e'))).toBe('Ignore_all__rules__now___');
    expect(errorClass(named('N'.repeat(500)))).toHaveLength(80);
  });

  it.each(THROWN)('does not throw for %s', (_name, thrown) => {
    const value = thrown();
    expect(errorClass(value)).toMatch(/^[\w$.-]+$/u);
    expect(typeof traceOf(value)).toBe('string');
    expect(() => messageOf(value)).not.toThrow();
  });
});

describe('messageOf', () => {
  it.each<[string, unknown, string | null]>([
    ['an error', new Error('text'), 'text'],
    ['a string', 'text', 'text'],
    ['an empty error', new Error('  '), null],
    ['an object with a message', { message: 'text' }, null],
    ['a number', 7, null],
  ])('answers for %s', (_what, thrown, message) => {
    expect(messageOf(thrown)).toBe(message);
  });
});

describe('traceOf', () => {
  it('has the classes and frames of an error and its causes, and no message', () => {
    const cause = new RangeError('secret-cause');
    const trace = traceOf(new TypeError('secret\n    at secret (/x.js:1:1)', { cause }));
    const lines = trace.split('\n');
    expect(lines[0]).toBe('TypeError');
    expect(lines[1]).toMatch(/^ {4}at .*thrown-value\.test\.ts:\d+:\d+/u);
    expect(lines).toContain('caused by RangeError');
    expect(trace).not.toContain('secret');
  });

  it('keeps no line of a message that was changed after the error was made', () => {
    const error = new Error('first\n    at secret street 5');
    error.message = 'second';
    expect(traceOf(error)).not.toContain('secret');
  });

  it('ends when an error is its own cause', () => {
    const error = new Error('x');
    error.cause = error;
    expect(traceOf(error).match(/caused by/gu)).toBeNull();
  });

  it('ends after five causes', () => {
    let error = new Error('x');
    for (let depth = 0; depth < 20; depth += 1) {
      error = new Error('x', { cause: error });
    }
    expect(traceOf(error).match(/caused by/gu)).toHaveLength(4);
  });
});

describe('get', () => {
  it('answers undefined where there is nothing to read', () => {
    expect(get(null, 'x')).toBeUndefined();
    expect(get('text', 'length')).toBeUndefined();
    expect(get({ x: 1 }, 'x')).toBe(1);
  });
});
