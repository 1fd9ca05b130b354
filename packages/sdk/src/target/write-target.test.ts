import { describe, expect, it } from 'vitest';
import { SdkError } from '../errors.js';
import { WriteTarget } from './write-target.js';

const RIGHT_LENGTH = 'x'.repeat(255);

function codeOf(make: () => unknown): unknown {
  try {
    make();
  } catch (error) {
    return error instanceof SdkError ? error.code : error;
  }
  return 'nothing thrown';
}

describe('WriteTarget', () => {
  it.each<[string, string | number]>([
    ['pages', 1],
    ['pages', Number.MAX_SAFE_INTEGER],
    ['pages', '1'],
    ['pages', '6f9619ff-8b86-d011-b42d-00c04fc964ff'],
    [RIGHT_LENGTH, RIGHT_LENGTH],
    ['Größe', 'Straße 1'],
    ['pages', '\u{1f600}'],
  ])('holds a table and a uid: %s %s', (table, uid) => {
    const target = WriteTarget.of(table, uid);
    expect(Object.entries(target)).toEqual([
      ['table', table],
      ['uid', uid],
    ]);
    expect(JSON.parse(JSON.stringify(target))).toEqual({ table, uid });
  });

  it.each<[string, unknown, unknown]>([
    ['an empty table', '', 1],
    ['a long table', `${RIGHT_LENGTH}x`, 1],
    ['a table with a line break', 'pa\nges', 1],
    ['a table with a C1 control', 'pa\u009bges', 1],
    ['a table that is no string', 7, 1],
    ['no table', undefined, 1],
    ['an empty uid', 'pages', ''],
    ['a long uid', 'pages', `${RIGHT_LENGTH}x`],
    ['a uid with a NUL', 'pages', '1\u0000'],
    ['a uid with the first half of a surrogate pair', 'pages', '1\ud83d'],
    ['a table with the second half of a surrogate pair', 'pages\ude00', 1],
    ['zero', 'pages', 0],
    ['a negative uid', 'pages', -1],
    ['a fraction', 'pages', 1.5],
    ['NaN', 'pages', NaN],
    ['infinity', 'pages', Infinity],
    ['an unsafe integer', 'pages', Number.MAX_SAFE_INTEGER + 1],
    ['a bigint', 'pages', 1n],
    ['null', 'pages', null],
    ['an object', 'pages', { toString: () => '1' }],
    ['a list', 'pages', [1]],
  ])('is refused for %s', (_what, table, uid) => {
    expect(codeOf(() => WriteTarget.of(table as string, uid as string))).toBe('INVALID_WRITE_TARGET');
  });

  it('says which field is wrong, and not its value', () => {
    expect(() => WriteTarget.of('secret\n', 1)).toThrow(
      'expected table to be free of control characters and of halves of surrogate pairs, found at least one',
    );
    expect(() => WriteTarget.of('pages', 'secret'.repeat(50))).toThrow(
      'expected uid to be 1 to 255 characters long, found 300 characters',
    );
    expect(() => WriteTarget.of('pages', null as unknown as string)).toThrow(
      'expected uid to be a positive safe integer or a non-empty string, found null',
    );
  });

  it('is frozen', () => {
    const target = WriteTarget.of('pages', 1);
    expect(Object.isFrozen(target)).toBe(true);
    expect(() => Object.assign(target, { locale: 'de' })).toThrow(TypeError);
  });

  it('cannot be made around its checks', () => {
    const Constructor = WriteTarget as unknown as new (table: string, uid: number) => WriteTarget;
    expect(codeOf(() => new Constructor('', 0))).toBe('INVALID_WRITE_TARGET');
  });

  it('knows its own from what looks like one', () => {
    const target = WriteTarget.of('pages', 1);
    expect(WriteTarget.is(target)).toBe(true);
    for (const other of [
      { table: 'pages', uid: 1 },
      Object.create(target),
      Object.create(WriteTarget.prototype),
      structuredClone(target),
      null,
      undefined,
      'pages:1',
    ]) {
      expect(WriteTarget.is(other)).toBe(false);
    }
  });

  it('compares uids as strings, and tables as they are', () => {
    const target = WriteTarget.of('pages', 12);
    expect(target.equals(WriteTarget.of('pages', '12'))).toBe(true);
    expect(target.equals(WriteTarget.of('pages', 13))).toBe(false);
    expect(target.equals(WriteTarget.of('Pages', 12))).toBe(false);
  });
});
