import type { FlattenedField, Payload, SanitizedCollectionConfig, SanitizedGlobalConfig } from 'payload';
import { ORIGIN_FIELD, readOrigin, type Origin } from './origin.js';
import { contentDigest } from './version-content.js';

/** A row of a collection of versions, as the adapter reads it: every locale, no hook. */
export type VersionRow = Readonly<Record<string, unknown>> & {
  readonly id: string | number;
  readonly version: Readonly<Record<string, unknown>>;
};

/** A state of a record that a row of versions held, before it was rewritten in place. */
export interface OverwrittenState {
  readonly at: number;
  readonly status: unknown;
  readonly deletedAt: string | null;
  readonly origin: Origin | null;
  /** Digest of the whole content, in every locale. */
  readonly whole: string;
}

/** What a row of versions says beside its content: plain data, which outlives the record. */
export interface VersionState extends OverwrittenState {
  readonly id: string;
  readonly createdAt: number;
  readonly publishedLocale: string | null;
  /** A snapshot keeps the drafts of the other locales, when one locale is published. */
  readonly isSnapshot: boolean;
  readonly isAutosave: boolean;
  /** Whether the record itself was stored along with it: it was not saved as a draft beside it. */
  readonly isStoredInRecord: boolean;
  /** Oldest first. */
  readonly overwritten: readonly OverwrittenState[];
}

type Config = SanitizedCollectionConfig | SanitizedGlobalConfig;

export function fieldsOf(config: Config): readonly FlattenedField[] {
  return config.flattenedFields;
}

/** Whether records are released apart from being saved. */
export function hasDrafts({ versions }: Config): boolean {
  return typeof versions === 'object' && Boolean(versions.drafts);
}

/** Whether a status says that readers see the record: in a locale, or in any of them where none is named. */
export function isPublished(hasDrafts: boolean, status: unknown, locale: string | null): boolean {
  if (!hasDrafts) {
    return true;
  }
  if (typeof status === 'object' && status !== null) {
    const byLocale = status as Readonly<Record<string, unknown>>;
    return locale === null ? Object.values(byLocale).includes('published') : byLocale[locale] === 'published';
  }
  return status === 'published';
}

export function stateOf(payload: Payload, config: Config, row: VersionRow): VersionState {
  const { version } = row;
  const at = timeOf(row['updatedAt']) ?? 0;
  const origin = version[ORIGIN_FIELD] as { readonly overwritten?: unknown } | null | undefined;
  const createdAt = timeOf(row['createdAt']) ?? 0;
  const recordAt = timeOf(version['updatedAt']);
  const isAutosave = row['autosave'] === true;
  return {
    id: String(row.id),
    createdAt,
    at,
    status: version['_status'] ?? null,
    deletedAt: textOf(version['deletedAt']),
    origin: readOrigin(origin),
    whole: contentDigest(payload, fieldsOf(config), version, { paths: null, locale: null }) ?? '',
    publishedLocale: typeof row['publishedLocale'] === 'string' ? row['publishedLocale'] : null,
    isSnapshot: row['snapshot'] === true,
    isAutosave,
    // A draft has the time of its version; what goes into the record has an earlier one, and a restored version is as old
    // as what it restores.
    isStoredInRecord: recordAt !== null && (recordAt !== at || (createdAt !== at && !isAutosave)),
    overwritten: Array.isArray(origin?.overwritten) ? (origin.overwritten as OverwrittenState[]) : [],
  };
}

/** A time as an adapter gives it, as text; null where it is none. */
export function textOf(value: unknown): string | null {
  const time = timeOf(value);
  return time === null ? null : new Date(time).toISOString();
}

export function timeOf(value: unknown): number | null {
  const time = typeof value === 'string' || value instanceof Date ? new Date(value).getTime() : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
