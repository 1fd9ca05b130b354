import type { ContentWrite } from './raw-content-handler.js';
import type { WriteTarget } from '../target/write-target.js';

/**
 * Who made a change. `run`: a tool's run, this one or another. `outside`: nobody's run, so a person or the installation
 * itself. `unknown`: the system no longer says, for example of a record that is gone with its history.
 */
export type HistoryAuthor =
  | { readonly kind: 'run'; readonly runId: string }
  | { readonly kind: 'outside' }
  | { readonly kind: 'unknown' };

/**
 * What the fields that the marked write set hold, in the locale that it wrote. Other fields and other locales are never
 * compared, nor is what the system sets by itself (status, times, its own ids).
 *
 * - `same`: what they held when the mark was taken. This comes first, where the write had changed nothing.
 * - `before`: what they held before the write. Only where there was a record before it, and the system still knows.
 * - `different`: anything else.
 * - `unknown`: the system kept the entry without its content.
 *
 * After a write of kind `delete`, `same` is a record that is gone, and `before` one that is there again as it was. When
 * somebody then deletes it for good, out of a trash, that is a release of the deletion: `released` with content `same`.
 */
export type HistoryContent = 'same' | 'before' | 'different' | 'unknown';

/** One change that the content system's own history recorded after a write. */
export interface HistoryEntry {
  /** The system's id of the entry, at most 255 characters; the same at each reading. */
  readonly id: string;
  /**
   * - `changed`: stored without a release. A change of other fields or another locale is one too, with content `same`.
   * - `released`: what readers see is this state from now on. A system without drafts releases with every save, a save of
   *   a released record that keeps it released is a release, and both may change the content at the same time.
   * - `unreleased`: readers see it no more; the record is there.
   * - `deleted`: gone, or in a trash. It stays an entry when the record is restored afterwards.
   * - `restored`: taken back out of a trash. An older version that is put in place again is `changed` or `released`.
   */
  readonly kind: 'changed' | 'released' | 'unreleased' | 'deleted' | 'restored';
  readonly at: Date;
  readonly author: HistoryAuthor;
  /** The state after this entry; of a deletion, the last one before it. */
  readonly content: HistoryContent;
}

/**
 * What a content system can still say about a record since a mark: every entry after the write, oldest first, as of one
 * moment. A later reading begins with the same entries; only the newest may still change, where the system rewrites it in
 * place (an autosave). A system that deletes the history together with the record answers with the `deleted` entry alone.
 * Where entries may be missing in any other way it is `unknown`:
 *
 * - `purged`: the history, or the part of it that has to be compared with the mark, was deleted or overwritten.
 * - `uid_reused`: the uid belongs to another record by now.
 * - `mark_unreadable`: the mark is not of this history, or of a form that it does not read any more.
 */
export type HistoryReading =
  | { readonly kind: 'entries'; readonly entries: readonly HistoryEntry[] }
  | { readonly kind: 'unknown'; readonly reason: 'purged' | 'uid_reused' | 'mark_unreadable' };

/**
 * The port through which outcomes are derived later. A content-system binding implements it from
 * its own history; a system without a history has none.
 */
export interface ContentHistory {
  /**
   * What was true of the record at the write, as an opaque string of at most 4,096 bytes; null where
   * the system has nothing to compare with later. The write says which fields it touched, and how.
   */
  mark(target: WriteTarget, write: ContentWrite): Promise<string | null>;
  /**
   * What happened to the record since the mark was taken. Rejects where the system cannot be asked at the moment: that
   * is no reading, and whoever derives outcomes asks again later.
   */
  since(target: WriteTarget, mark: string): Promise<HistoryReading>;
}
