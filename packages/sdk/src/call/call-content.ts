import type { ContentReader, ContentWriter } from '../content/content-access.js';
import type { ContentSession } from '../content/safe-content-handler.js';

/** Content access for one call, narrowed to its half, and what the session knows of its writes. */
export interface CallContent {
  readonly reader: ContentReader;
  readonly writer: ContentWriter;
  /** Whether it is not known what one of the writes stored, even where the tool swallowed the error. */
  hasFailedWrite(): boolean;
  /** Writes that have not settled. */
  pendingWrites(): number;
}

/**
 * The two halves of a session as a context offers them. The reading half has no write method at all,
 * even where a host's own session hands out one object for both.
 */
export function openCallContent(session: ContentSession): CallContent {
  const { reader, writer } = session;
  return {
    reader: Object.freeze<ContentReader>({
      read: (...args) => reader.read(...args),
      find: (...args) => reader.find(...args),
    }),
    writer,
    hasFailedWrite: () => session.failedWrite() !== null,
    pendingWrites: () => session.pendingWrites(),
  };
}
