import { describe, expect, it } from 'vitest';
import { fieldNames, markedFields, readMark, writeMark, type VersionMark } from './payload-mark.js';

const MAX_MARK_BYTES = 4096;

const MARK: VersionMark = {
  kind: 'update',
  bornAt: Number.MAX_SAFE_INTEGER,
  version: '6f9619ff-8b86-d011-b42d-00c04fc964ff',
  createdAt: Number.MAX_SAFE_INTEGER,
  updatedAt: Number.MAX_SAFE_INTEGER,
  fields: { names: ['body'] },
  locale: 'en-GB-oxendict',
  digest: 'x'.repeat(22),
  digestBefore: 'x'.repeat(22),
  whole: 'x'.repeat(22),
  isPublic: false,
  isInTrash: false,
};

const names = (count: number, length: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${'ä'.repeat(length)}${String(index).padStart(4, '0')}`);

describe('a mark', () => {
  it('reads as it was written', () => {
    expect(readMark(writeMark(MARK))).toMatchObject(MARK);
    const deletion = { kind: 'delete', bornAt: null } as const;
    expect(readMark(writeMark(deletion))).toEqual(deletion);
  });

  it.each<[string, string]>([
    ['no JSON', 'mark-1'],
    ['null', 'null'],
    ['a list', '[]'],
    ['another version', JSON.stringify({ ...MARK, v: 2 })],
    ['no version', JSON.stringify(MARK)],
    ['another kind', JSON.stringify({ ...MARK, v: 1, kind: 'merge' })],
    ['a version id that is a number', JSON.stringify({ ...MARK, v: 1, version: 7 })],
    ['fields that are none', JSON.stringify({ ...MARK, v: 1, fields: { names: [1] } })],
    ['fields of another form', JSON.stringify({ ...MARK, v: 1, fields: 'some' })],
    ['no digest', JSON.stringify({ ...MARK, v: 1, digest: null })],
  ])('is not read when it is %s', (_what, text) => {
    expect(readMark(text)).toBeNull();
  });

  it.each<[string, readonly string[]]>([
    ['few fields', names(3, 5)],
    ['long names', names(30, 120)],
    ['many fields', names(370, 20)],
    ['more fields than fit', names(2_000, 20)],
  ])('fits with %s', (_what, paths) => {
    const text = writeMark({ ...MARK, fields: markedFields(paths) });
    expect(Buffer.byteLength(text, 'utf8')).toBeLessThanOrEqual(MAX_MARK_BYTES);
    expect(readMark(text)).not.toBeNull();
  });
});

describe('the fields of a mark', () => {
  it('are their names where those fit, whatever the order in which they were written', () => {
    expect(markedFields(['b', 'a.c'])).toEqual({ names: ['a.c', 'b'] });
    expect(fieldNames({ names: ['a.c', 'b'] }, () => [])).toEqual(['a.c', 'b']);
  });

  it('are found by the digests of their names where the names are too long', () => {
    const long = names(100, 100);
    const fields = markedFields(long);
    expect(fields).toHaveProperty('digests');
    expect(fieldNames(fields, () => ['other', ...long].reverse())).toEqual(long);
    expect(fieldNames(fields, () => long.slice(1))?.[0]).toBeUndefined();
  });

  it('are many where nothing fits, and then none of them is named', () => {
    expect(markedFields(names(2_000, 1))).toBe('many');
    expect(fieldNames('many', () => [])).toBeNull();
  });
});
