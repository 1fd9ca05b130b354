import { digestOf } from './version-content.js';

/** What was true of a record right after a tool's write. */
export type PayloadMark = DeletionMark | VersionMark;

/** Of a deletion there is only the birth of the record that is gone. */
export interface DeletionMark {
  readonly kind: 'delete';
  /** When the record was created, in milliseconds; null where the collection has no time stamps. */
  readonly bornAt: number | null;
}

export interface VersionMark {
  /** `trash`: the write put the record into the trash. */
  readonly kind: 'create' | 'update' | 'trash';
  readonly bornAt: number | null;
  /** The version that the write stored. */
  readonly version: string;
  /** When that version was created and last stored, in milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly fields: MarkedFields;
  /** The locale that was written; null for every locale, and where content has none. */
  readonly locale: string | null;
  /** Digest of the marked fields after the write. */
  readonly digest: string;
  /** The same before it; null where there was nothing before, or it was not to be found. */
  readonly digestBefore: string | null;
  /** Digest of the whole version, in every locale. */
  readonly whole: string;
  /** Whether readers saw a released state of the record when the mark was taken. */
  readonly isPublic: boolean;
  readonly isInTrash: boolean;
}

/**
 * Which fields were written: their names; or digests of their names, where the names are too long; or `every` field; or
 * `many`, where even the digests are too long. Of those, only that nothing has changed can be told later.
 */
export type MarkedFields =
  { readonly names: readonly string[] } | { readonly digests: string } | 'every' | 'many';

/** Most bytes (UTF-8) of the names or the digests in a mark, which may have 4,096 in all. */
const MAX_FIELD_BYTES = 3_000;
const NAME_DIGEST_LENGTH = 8;

/** The fields of a mark, in the most telling form that fits. */
export function markedFields(paths: readonly string[]): MarkedFields {
  const names = [...paths].sort();
  if (Buffer.byteLength(JSON.stringify(names), 'utf8') <= MAX_FIELD_BYTES) {
    return { names };
  }
  const digests = names.map(nameDigest).join('');
  return digests.length <= MAX_FIELD_BYTES ? { digests } : 'many';
}

/** The names behind a mark's fields; null for all of them. What is no longer among the possible ones keeps no name. */
export function fieldNames(
  fields: MarkedFields,
  possible: () => readonly string[],
): readonly (string | undefined)[] | null {
  if (fields === 'every' || fields === 'many') {
    return null;
  }
  if ('names' in fields) {
    return fields.names;
  }
  const byDigest = new Map(possible().map((name) => [nameDigest(name), name]));
  return (fields.digests.match(/.{8}/gu) ?? []).map((digest) => byDigest.get(digest));
}

function nameDigest(name: string): string {
  return digestOf(name).slice(0, NAME_DIGEST_LENGTH);
}

const VERSION = 1;

export function writeMark(mark: PayloadMark): string {
  if (mark.kind === 'delete') {
    return JSON.stringify({ v: VERSION, kind: mark.kind, bornAt: mark.bornAt });
  }
  return JSON.stringify({ v: VERSION, ...mark });
}

/** The mark in a text; null where it is none, or of a form that this version does not read. */
export function readMark(text: string): PayloadMark | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const mark = (value ?? {}) as Partial<Record<'v' | keyof VersionMark, unknown>>;
  if (mark.v !== VERSION || !isTimeOrNull(mark.bornAt)) {
    return null;
  }
  const { kind, bornAt } = mark;
  if (kind === 'delete') {
    return { kind, bornAt };
  }
  return isVersionMark(mark) ? mark : null;
}

function isVersionMark(mark: Partial<Record<keyof VersionMark, unknown>>): mark is VersionMark {
  return (
    (mark.kind === 'create' || mark.kind === 'update' || mark.kind === 'trash') &&
    typeof mark.version === 'string' &&
    typeof mark.createdAt === 'number' &&
    typeof mark.updatedAt === 'number' &&
    isMarkedFields(mark.fields) &&
    isTextOrNull(mark.locale) &&
    typeof mark.digest === 'string' &&
    isTextOrNull(mark.digestBefore) &&
    typeof mark.whole === 'string' &&
    typeof mark.isPublic === 'boolean' &&
    typeof mark.isInTrash === 'boolean'
  );
}

function isMarkedFields(value: unknown): value is MarkedFields {
  if (typeof value !== 'object' || value === null) {
    return value === 'every' || value === 'many';
  }
  if ('digests' in value) {
    return typeof value.digests === 'string';
  }
  return (
    'names' in value && Array.isArray(value.names) && value.names.every((name) => typeof name === 'string')
  );
}

function isTimeOrNull(value: unknown): value is number | null {
  return value === null || typeof value === 'number';
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
