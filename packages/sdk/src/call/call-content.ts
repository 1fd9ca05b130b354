import type { ContentReader, ContentWriter } from '../content/content-access.js';
import type { ContentSession } from '../content/safe-content-handler.js';
import { SdkError, type SdkErrorCode } from '../errors.js';

/** Content access for one call, narrowed to its half, and whether a write of it failed on the way. */
export interface CallContent {
  readonly reader: ContentReader;
  readonly writer: ContentWriter;
  /** Whether a write was rejected so that it is not known whether that one was stored. */
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
      failed ||= !isSettled(error);
      throw error;
    }
  };
  return {
    reader: Object.freeze<ContentReader>({
      read: (...args) => reader.read(...args),
      find: (...args) => reader.find(...args),
    }),
    writer: Object.freeze<ContentWriter>({
      read: (...args) => writer.read(...args),
      find: (...args) => writer.find(...args),
      create: (...args) => watch(() => writer.create(...args)),
      update: (...args) => watch(() => writer.update(...args)),
      delete: (...args) => watch(() => writer.delete(...args)),
    }),
    hasFailedWrite: () => failed,
  };
}

/** Codes of a rejected write that either did not start, or is known to be stored and among the landed ones. */
const SETTLED: ReadonlySet<string> = new Set<SdkErrorCode>([
  'INVALID_CONTENT_OPERATION',
  'CONTENT_CALL_ENDED',
  'READ_BACK_FAILED',
]);

function isSettled(error: unknown): boolean {
  return error instanceof SdkError && SETTLED.has(error.code);
}
