import {
  currentContentRun,
  type ContentHistory,
  type ContentWrite,
  type HistoryContent,
  type HistoryEntry,
  type HistoryReading,
  type WriteTarget,
} from '@toolwright/sdk';
import type { Payload } from 'payload';
import { entityOf, type Entity } from '../entity.js';
import { PayloadBindingError } from '../errors.js';
import { localeCodesOf } from '../locales.js';
import { recordOf } from '../observe/run-record.js';
import { deletionEntry, historyEntries, type ComparedVersion, type EntrySetting } from './history-entries.js';
import { authorOf } from './origin.js';
import { fieldNames, readMark, writeMark, type VersionMark } from './payload-mark.js';
import { RecordHistory, type HistoryFence, type RecordStamps } from './record-history.js';
import { findDeletion, type RecordedDeletion } from './recorded-deletion.js';
import { contentDigest, isLocalizedAt, possiblePaths } from './version-content.js';
import { fieldsOf, hasDrafts, stateOf, type VersionRow } from './version-state.js';
import { deletionMark, versionMark } from './take-mark.js';

export interface PayloadHistoryOptions {
  /** Default: the system's clock. */
  readonly now?: () => Date;
}

const MAX_READINGS = 5;
/** How long Payload may take between storing a record and its version, or deleting its versions and the record. */
const UNSETTLED_MS = 60_000;

/**
 * What happened to the records that tools wrote, from Payload's versions. Who stored a version is known only where
 * {@link toolwrightHistory} is among the plugins of the configuration.
 */
export function payloadHistory(payload: Payload, options: PayloadHistoryOptions = {}): ContentHistory {
  const now = options.now ?? (() => new Date());
  return Object.freeze({
    mark: (target: WriteTarget, write: ContentWrite) => markOf(payload, target, write),
    since: (target: WriteTarget, mark: string) => readSince(payload, now, target, mark),
  });
}

async function markOf(payload: Payload, target: WriteTarget, write: ContentWrite): Promise<string | null> {
  const entity = entityOf(payload, target);
  const run = currentContentRun();
  const record = run === undefined ? undefined : recordOf(run);
  if (write.kind === 'delete') {
    return writeMark(deletionMark(record));
  }
  const history = RecordHistory.of(payload, entity, target.uid);
  if (!entity.config.versions || history === null) {
    return null;
  }
  const mark = await versionMark({ payload, entity, history, write, record });
  return mark === null ? null : writeMark(mark);
}

const PURGED: HistoryReading = { kind: 'unknown', reason: 'purged' };
const UID_REUSED: HistoryReading = { kind: 'unknown', reason: 'uid_reused' };

async function readSince(
  payload: Payload,
  now: () => Date,
  target: WriteTarget,
  text: string,
): Promise<HistoryReading> {
  const mark = readMark(text);
  if (mark === null) {
    return { kind: 'unknown', reason: 'mark_unreadable' };
  }
  const entity = knownEntity(payload, target);
  const history = entity === null ? null : RecordHistory.of(payload, entity, target.uid);
  if (entity === null || history === null) {
    return PURGED;
  }
  if (mark.kind === 'delete') {
    // The record that was deleted never comes back under its id: another one may.
    return (await history.record()) === null ? { kind: 'entries', entries: [] } : UID_REUSED;
  }
  if (!entity.config.versions) {
    return PURGED;
  }
  const reading = { payload, entity, history, mark };
  for (let attempt = 0; attempt < MAX_READINGS; attempt += 1) {
    const before = await history.fence();
    const deletion =
      before.newest === null ? await findDeletion(payload, entity, target.uid, mark.bornAt) : null;
    const found = await readOnce(reading, before, deletion);
    if (isSame(before, await history.fence()) && isSettled(reading, before, deletion, now())) {
      return found;
    }
  }
  throw new PayloadBindingError(
    'HISTORY_UNSETTLED',
    `Cannot read the history of a record in ${entity.slug}: it is being changed right now. Ask again later.`,
  );
}

function knownEntity(payload: Payload, target: WriteTarget): Entity | null {
  try {
    return entityOf(payload, target);
  } catch {
    return null;
  }
}

interface Reading {
  readonly payload: Payload;
  readonly entity: Entity;
  readonly history: RecordHistory;
  readonly mark: VersionMark;
}

async function readOnce(
  reading: Reading,
  { record }: HistoryFence,
  deletion: RecordedDeletion | null,
): Promise<HistoryReading> {
  const { mark } = reading;
  if (record === null && reading.entity.kind === 'collection') {
    return deletedReading(reading, deletion);
  }
  if (record !== null && isAnother(mark, record)) {
    return UID_REUSED;
  }
  const versions: ComparedVersion[] = [];
  for await (const row of reading.history.since(mark.updatedAt)) {
    versions.push({
      state: stateOf(reading.payload, reading.entity.config, row),
      content: comparedContent(reading, row),
    });
  }
  const entries = entriesFrom(reading, versions);
  return entries === null ? PURGED : { kind: 'entries', entries };
}

/** A record is deleted together with its versions. What they said is kept only where the plugin recorded it. */
function deletedReading(reading: Reading, deletion: RecordedDeletion | null): HistoryReading {
  const { mark } = reading;
  if (deletion === null) {
    // Nobody knows when: it was there when it was marked.
    const at = new Date(mark.updatedAt);
    return { kind: 'entries', entries: [deletionEntry(mark, at, { kind: 'unknown' }, 'unknown')] };
  }
  const versions = deletion.versions.map((state) => ({
    state,
    content: state.whole === mark.whole ? ('same' as const) : ('unknown' as const),
  }));
  const entries = entriesFrom(reading, versions);
  if (entries === null) {
    return PURGED;
  }
  const last = versions.at(-1)?.content ?? 'unknown';
  const author = authorOf(deletion.origin);
  return { kind: 'entries', entries: [...entries, deletionEntry(mark, deletion.at, author, last)] };
}

/** Null where the marked version is not among the versions, or something was overwritten. */
function entriesFrom(reading: Reading, versions: readonly ComparedVersion[]): readonly HistoryEntry[] | null {
  const { mark } = reading;
  const index = versions.findIndex(
    ({ state }) => state.id === mark.version && state.createdAt === mark.createdAt,
  );
  const marked = versions[index];
  if (marked === undefined) {
    return null;
  }
  // Among versions of the same millisecond, those before the marked one were there when it was marked.
  return historyEntries(settingOf(reading), marked, versions.slice(index + 1));
}

function settingOf({ payload, entity, mark }: Reading): EntrySetting {
  const fields = fieldsOf(entity.config);
  const names = fieldNames(mark.fields, () => possiblePaths(fields));
  return {
    mark,
    hasDrafts: hasDrafts(entity.config),
    isLocalized:
      localeCodesOf(payload) !== null &&
      (names === null || names.some((name) => name !== undefined && isLocalizedAt(fields, name))),
  };
}

function comparedContent({ payload, entity, mark }: Reading, row: VersionRow): HistoryContent {
  const fields = fieldsOf(entity.config);
  const whole = { paths: null, locale: null };
  if (mark.fields === 'many') {
    return contentDigest(payload, fields, row.version, whole) === mark.whole ? 'same' : 'unknown';
  }
  const paths = fieldNames(mark.fields, () => possiblePaths(fields));
  if (paths?.includes(undefined) === true || !isKnownLocale(payload, mark)) {
    return 'unknown';
  }
  const scope = { paths: paths as readonly string[] | null, locale: mark.locale };
  const digest = contentDigest(payload, fields, row.version, scope);
  if (digest === null) {
    return 'unknown';
  }
  if (digest === mark.digest) {
    return 'same';
  }
  return digest === mark.digestBefore ? 'before' : 'different';
}

function isKnownLocale(payload: Payload, { locale }: VersionMark): boolean {
  return locale === null || localeCodesOf(payload)?.includes(locale) === true;
}

function isSame(a: HistoryFence, b: HistoryFence): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Whether Payload is done with its last change. Without transactions it stores a record before its version, and deletes
 * the versions before their record.
 */
function isSettled(
  { entity, mark }: Reading,
  { record, newest }: HistoryFence,
  deletion: RecordedDeletion | null,
  now: Date,
): boolean {
  if (record === null) {
    // A global is not stored before its first release.
    return entity.kind === 'global' || newest === null;
  }
  if (isAnother(mark, record)) {
    return true;
  }
  const isAhead = newest !== null && record.updatedAt !== null && record.updatedAt > newest.at;
  const since = newest === null ? (deletion?.at.getTime() ?? null) : isAhead ? record.updatedAt : null;
  return since === null || now.getTime() - since > UNSETTLED_MS;
}

function isAnother(mark: VersionMark, { bornAt }: RecordStamps): boolean {
  return mark.bornAt !== null && bornAt !== null && mark.bornAt !== bornAt;
}
