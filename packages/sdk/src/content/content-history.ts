import type { ContentWrite } from './raw-content-handler.js';
import type { WriteTarget } from '../target/write-target.js';

/** One change that the content system's own history recorded after a write. */
export interface HistoryEntry {
  /** The system's id of the entry. */
  readonly id: string;
  readonly kind: 'changed' | 'released' | 'unreleased' | 'deleted' | 'restored';
  readonly at: Date;
  /** The run that made the change, or null when no tool did. */
  readonly runId: string | null;
}

/** What a content system can still say about a record since a mark, oldest entry first. */
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
  /** What happened to the record since the mark was taken. */
  since(target: WriteTarget, mark: string): Promise<HistoryReading>;
}
