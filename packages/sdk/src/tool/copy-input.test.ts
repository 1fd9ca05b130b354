import { describe, expect, it } from 'vitest';
import { copyInput } from './copy-input.js';

describe('copyInput', () => {
  it('copies objects, arrays and dates in depth', () => {
    const input = { a: { b: [1, { c: 'x' }] }, at: new Date(5), none: null, missing: undefined };
    const copy = copyInput(input) as typeof input;
    expect(copy).toEqual(input);
    copy.a.b.push(2);
    copy.at.setTime(9);
    expect(input.a.b).toHaveLength(2);
    expect(input.at.getTime()).toBe(5);
  });

  it('passes on what a schema made of its own', () => {
    const url = new URL('https://example.org/');
    const call = (): number => 1;
    expect(copyInput({ url, call })).toEqual({ url, call });
    expect(copyInput({ url })['url']).toBe(url);
  });

  it('ends when a value contains itself', () => {
    const input: Record<string, unknown> = { list: [] };
    input['self'] = input;
    const copy = copyInput(input);
    expect(copy['self']).toBe(copy);
    expect(copy).not.toBe(input);
  });

  it('sets no prototype', () => {
    const copy = copyInput(JSON.parse('{"__proto__":{"isAdmin":true}}') as Record<string, unknown>);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.keys(copy)).toEqual(['__proto__']);
  });
});
