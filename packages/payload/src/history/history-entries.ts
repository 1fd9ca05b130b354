import type { HistoryContent, HistoryEntry } from '@toolwright/sdk';
import { authorOf } from './origin.js';
import type { VersionMark } from './payload-mark.js';
import { isPublished, type OverwrittenState, type VersionState } from './version-state.js';

/** A row of versions, and what the marked fields hold in it. */
export interface ComparedVersion {
  readonly state: VersionState;
  readonly content: HistoryContent;
}

export interface EntrySetting {
  readonly mark: VersionMark;
  readonly hasDrafts: boolean;
  /** Whether some of the marked fields are kept by locale. */
  readonly isLocalized: boolean;
}

/** One state of the record after the mark. */
interface Passage extends Pick<OverwrittenState, 'at' | 'status' | 'deletedAt' | 'origin'> {
  readonly id: string;
  readonly content: HistoryContent;
  readonly publishedLocale: string | null;
  readonly isStoredInRecord: boolean;
}

/**
 * The entries that rows of versions stand for: the marked one first, then every later one in the order in which they were
 * stored. Null where one of them was rewritten and nobody kept what it held.
 */
export function historyEntries(
  setting: EntrySetting,
  marked: ComparedVersion,
  later: readonly ComparedVersion[],
): readonly HistoryEntry[] | null {
  const passages: Passage[] = [...passagesOf(setting, marked, setting.mark.updatedAt)];
  for (const [index, version] of later.entries()) {
    if (isLost(setting, version.state)) {
      return null;
    }
    if (!version.state.isSnapshot) {
      passages.push(...passagesOf(setting, withSnapshot(setting, version, later[index + 1]), null));
    }
  }
  return entriesOf(setting, passages);
}

/** The entry of a record that is gone. Where the write had put it into the trash, that is what was made final. */
export function deletionEntry(
  { kind }: VersionMark,
  at: Date,
  author: HistoryEntry['author'],
  content: HistoryContent,
): HistoryEntry {
  return kind === 'trash'
    ? { id: 'deleted', kind: 'released', at, author, content: 'same' }
    : { id: 'deleted', kind: 'deleted', at, author, content };
}

// Payload rewrites a row for an autosave, which readers never saw, and when a record is taken back from its readers.
function isLost({ mark }: EntrySetting, state: VersionState): boolean {
  const isRewritten = state.createdAt > mark.updatedAt && state.at > state.createdAt;
  return isRewritten && !state.isAutosave && state.origin === null;
}

/** Where only another locale was published, the marked fields hold what the snapshot keeps. */
function withSnapshot(
  setting: EntrySetting,
  version: ComparedVersion,
  next: ComparedVersion | undefined,
): ComparedVersion {
  return next?.state.isSnapshot === true && !isReleaseOf(setting, version.state)
    ? { state: version.state, content: next.content }
    : version;
}

/** The states that a row went through: those after `since`, where it held the marked one. */
function passagesOf({ mark }: EntrySetting, version: ComparedVersion, since: number | null): Passage[] {
  const { state, content } = version;
  const held = state.overwritten.filter(({ at }) => since === null || at > since);
  const first = since === null ? 0 : 1;
  const idAt = (index: number): string => (index === 0 ? state.id : `${state.id}~${String(index)}`);
  const passages = held.map((past, index): Passage => ({
    ...past,
    id: idAt(first + index),
    content: pastContent(mark, past, version),
    publishedLocale: null,
    isStoredInRecord: true,
  }));
  if (since === null || state.at > since) {
    passages.push({ ...state, id: idAt(first + held.length), content });
  }
  return passages;
}

function pastContent(mark: VersionMark, past: OverwrittenState, now: ComparedVersion): HistoryContent {
  if (past.whole === mark.whole) {
    return 'same';
  }
  return past.whole === now.state.whole ? now.content : 'unknown';
}

function entriesOf(setting: EntrySetting, passages: readonly Passage[]): readonly HistoryEntry[] {
  const { mark } = setting;
  const entries: HistoryEntry[] = [];
  let isPublic = mark.isPublic;
  let isInTrash = mark.isInTrash;
  let content: HistoryContent = 'same';
  const add = (passage: Passage, kind: HistoryEntry['kind'], suffix = ''): void => {
    entries.push({
      id: `${passage.id}${suffix}`,
      kind,
      at: new Date(passage.at),
      author: authorOf(passage.origin),
      content: kind === 'deleted' ? content : contentOf(mark, passage),
    });
  };
  for (const passage of passages) {
    const wasInTrash = isInTrash;
    isInTrash = passage.deletedAt !== null;
    const isRelease = isReleaseOf(setting, passage);
    if (isInTrash) {
      // Back in the trash, where the write had put it, it is as it was written.
      add(passage, wasInTrash || mark.kind === 'trash' ? 'changed' : 'deleted');
      isPublic = false;
    } else {
      if (wasInTrash) {
        add(passage, 'restored');
      }
      if (isRelease) {
        add(passage, 'released', wasInTrash ? ':released' : '');
        isPublic = true;
      } else if (
        isPublic &&
        passage.isStoredInRecord &&
        !isPublished(setting.hasDrafts, passage.status, setting.mark.locale)
      ) {
        add(passage, 'unreleased', wasInTrash ? ':unreleased' : '');
        isPublic = false;
      } else if (!wasInTrash) {
        add(passage, 'changed');
      }
    }
    content = contentOf(mark, passage);
  }
  return entries;
}

// Of a record in the trash, that it is in there is what was written.
function contentOf(mark: VersionMark, { content, deletedAt }: Passage): HistoryContent {
  if (mark.kind !== 'trash') {
    return content;
  }
  return deletedAt === null ? 'before' : 'same';
}

type Release = Pick<Passage, 'status' | 'publishedLocale'>;

function isReleaseOf(setting: EntrySetting, release: Release): boolean {
  const { publishedLocale } = release;
  const isOtherLocale =
    publishedLocale !== null && publishedLocale !== setting.mark.locale && setting.isLocalized;
  return !isOtherLocale && isPublished(setting.hasDrafts, release.status, setting.mark.locale);
}
