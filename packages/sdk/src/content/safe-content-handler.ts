import type { WriteTarget } from '../target/write-target.js';
import type { ContentReader, ContentWriter } from './content-access.js';
import type { ContentCall } from './raw-content-handler.js';

/** A record that a call is known to have written, with the history mark taken then. */
export interface LandedWrite {
  readonly target: WriteTarget;
  /** See ContentHistory.mark; null without a history. */
  readonly mark: string | null;
}

/**
 * The content handler for one call: a reading half for readers and previews, a writing half for
 * writers, and what the loop asks afterwards.
 */
export interface ContentSession {
  readonly reader: ContentReader;
  readonly writer: ContentWriter;
  /** What is known to have landed, in order. */
  landed(): readonly LandedWrite[];
  /** One line per failure after the writes, oldest first, bounded and without secrets. */
  notes(): readonly string[];
}

/** What a host gives to the loop: opens one {@link ContentSession} per call. */
export interface SafeContentHandler {
  open(call: ContentCall): ContentSession;
}
