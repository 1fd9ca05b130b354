import type { ContentReader, ContentWriter } from '../content/content-access.js';
import type { ContentSession } from '../content/safe-content-handler.js';

/** Content access for one call, narrowed to its half, and whether a write of it failed on the way. */
export interface CallContent {
  readonly reader: ContentReader;
  readonly writer: ContentWriter;
  /** Whether a write was rejected: then it is not known whether that one was stored. */
  hasFailedWrite(): boolean;
}

/**
 * Wraps a session's two halves. The reading half has no write method at all, even where the session
 * hands out one object for both; a rejected write is remembered, so that a tool that wraps or
 * replaces the error cannot hide it from the outcome.
 */
export function openCallContent(session: ContentSession): CallContent {
  const { reader, writer } = session;
  let failed = false;
  const watch = async <T>(write: () => Promise<T>): Promise<T> => {
    try {
      return await write();
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  return {
    reader: Object.freeze<ContentReader>({
      read: (target) => reader.read(target),
      find: (table, query) => (query === undefined ? reader.find(table) : reader.find(table, query)),
    }),
    writer: Object.freeze<ContentWriter>({
      read: (target) => writer.read(target),
      find: (table, query) => (query === undefined ? writer.find(table) : writer.find(table, query)),
      create: (table, data) => watch(() => writer.create(table, data)),
      update: (target, data) => watch(() => writer.update(target, data)),
      delete: (target) => watch(() => writer.delete(target)),
    }),
    hasFailedWrite: () => failed,
  };
}
