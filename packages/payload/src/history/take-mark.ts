import type { ContentWrite } from '@toolwright/sdk';
import type { Payload } from 'payload';
import type { Entity } from '../entity.js';
import { localeCodesOf } from '../locales.js';
import type { RunRecord } from '../observe/run-record.js';
import { markedFields, type DeletionMark, type MarkedFields, type VersionMark } from './payload-mark.js';
import type { RecordHistory } from './record-history.js';
import { contentDigest, writtenPaths } from './version-content.js';
import { fieldsOf, hasDrafts, isPublished, stateOf, timeOf, type VersionRow } from './version-state.js';

type Stored = Exclude<ContentWrite, { kind: 'delete' }>;

export interface MarkedWrite {
  readonly payload: Payload;
  readonly entity: Entity;
  readonly history: RecordHistory;
  readonly write: Stored;
  /** What the run is known to have stored; undefined outside of a run. */
  readonly record: RunRecord | undefined;
}

export function deletionMark(record: RunRecord | undefined): DeletionMark {
  const deletion = record?.parts.find(({ kind }) => kind === 'deletion');
  return { kind: 'delete', bornAt: timeOf(deletion?.stored?.['createdAt']) };
}

/** The mark of a write that stored a version; null where that version is not to be found. */
export async function versionMark(marked: MarkedWrite): Promise<VersionMark | null> {
  const { payload, entity, history, write } = marked;
  const [found, stamps] = [await storedVersion(marked), await history.record()];
  // A global is not stored before its first release.
  if (found === null || (stamps === null && entity.kind === 'collection')) {
    return null;
  }
  const { row, previous } = found;
  const fields = fieldsOf(entity.config);
  const scope = scopeOf(marked);
  const state = stateOf(payload, entity.config, row);
  const isInTrash = state.deletedAt !== null;
  const isRewritten = state.at !== state.createdAt && write.options['restoreVersion'] === undefined;
  const digest = (version: VersionRow): string =>
    contentDigest(payload, fields, version.version, scope) ?? '';
  return {
    kind: write.kind === 'update' && isInTrash && 'deletedAt' in write.data ? 'trash' : write.kind,
    bornAt: entity.kind === 'global' ? null : (stamps?.bornAt ?? null),
    version: state.id,
    createdAt: state.createdAt,
    updatedAt: state.at,
    fields: scope.fields,
    locale: scope.locale,
    digest: digest(row),
    digestBefore: previous === null || isRewritten ? null : digest(previous),
    whole: state.whole,
    isPublic:
      !isInTrash && stamps !== null && isPublished(hasDrafts(entity.config), stamps.status, scope.locale),
    isInTrash,
  };
}

/** The version that the run stored. Payload does not say which one it is when it creates a record: the first. */
async function storedVersion({
  history,
  record,
  write,
}: MarkedWrite): ReturnType<RecordHistory['versionAndPrevious']> {
  const id = record?.parts.find(({ versionId }) => versionId !== undefined)?.versionId;
  if (write.kind === 'create' && id === undefined) {
    const row = await history.oldest();
    const stored = record?.parts.find(({ kind }) => kind === 'row')?.stored;
    const isFirst = stored === undefined || timeOf(stored['updatedAt']) === timeOf(row?.version['updatedAt']);
    return row !== null && isFirst ? { row, previous: null } : null;
  }
  return history.versionAndPrevious(id ?? null);
}

interface MarkedScope {
  readonly fields: MarkedFields;
  readonly paths: readonly string[] | null;
  readonly locale: string | null;
}

/** What the write set: everything, where it copied a record or restored a version. */
function scopeOf({ payload, entity, write }: MarkedWrite): MarkedScope {
  const { options } = write;
  if (options['restoreVersion'] !== undefined || options['duplicateOf'] !== undefined) {
    return { fields: 'every', paths: null, locale: null };
  }
  const paths = [...writtenPaths(fieldsOf(entity.config), write.data)];
  if (options['file'] !== undefined) {
    paths.push('filename', 'filesize');
  }
  const fields = markedFields(paths);
  return { fields, paths: fields === 'many' ? null : paths, locale: localeOf(payload, options) };
}

function localeOf(payload: Payload, options: Stored['options']): string | null {
  const { localization } = payload.config;
  if (localization === false || localeCodesOf(payload) === null) {
    return null;
  }
  const named = options['publishSpecificLocale'] ?? options['locale'];
  return typeof named === 'string' ? named : localization.defaultLocale;
}
