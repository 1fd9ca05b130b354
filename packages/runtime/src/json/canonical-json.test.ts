import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, digestOf } from './canonical-json.js';

describe('canonicalJson', () => {
  it('is one text for equal values, whatever the order of their keys', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe(
      '{"a":true,"b":[1,{"c":"x","d":null}]}',
    );
    expect(canonicalJson({ ä: 1, z: 2, A: 3 })).toBe('{"A":3,"z":2,"ä":1}');
    expect(canonicalJson({ a: undefined, b: -0, c: 12.0 })).toBe('{"b":0,"c":12}');
  });

  it('comes back as the value, for every JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it('keeps a key named __proto__ as data', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });

  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  it.each([
    ['a Date', { a: new Date(0) }, '$.a'],
    ['a Map', { a: [new Map()] }, '$.a[0]'],
    ['NaN', Number.NaN, '$'],
    ['a BigInt', { n: 1n }, '$.n'],
    ['a function', { f: () => 1 }, '$.f'],
    ['a hole in a list', new Array(1), '$[0]'],
    ['a cycle', cyclic, '$[0]'],
    ['a class instance without a constructor name', Object.create({}), '$'],
  ])('refuses %s and names the place, not the value', (_what, value, place) => {
    expect(() => canonicalJson(value)).toThrow(
      expect.objectContaining({
        code: 'NOT_JSON',
        message: expect.stringContaining(`Cannot write ${place}`),
      }),
    );
  });
});

describe('digestOf', () => {
  it('is the SHA-256 of the text', () => {
    expect(digestOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
