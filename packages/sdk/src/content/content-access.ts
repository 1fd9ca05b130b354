import type { WriteTarget } from '../target/write-target.js';

/** The fields of one record, as the content system names them. */
export type ContentData = Readonly<Record<string, unknown>>;

/**
 * What a content system wants to know beside the data, in the words of its binding: a locale, a draft
 * flag, a file to upload, the record to duplicate. A binding documents its options and refuses others.
 */
export type ContentOptions = Readonly<Record<string, unknown>>;

/** A record as it is stored: which one, and its fields. */
export interface ContentRecord {
  readonly target: WriteTarget;
  readonly data: ContentData;
}

export interface ContentQuery {
  /** Fields that must be equal. Without it every record matches. */
  readonly where?: ContentData;
  /** At most so many records, 1 to 1000; default 100. */
  readonly limit?: number;
  readonly options?: ContentOptions;
}

/** The reading half of the safe content handler. Rejects with an SdkError `CONTENT_READ_FAILED`. */
export interface ContentReader {
  /** The record, or null when there is none (or the actor may not see it). */
  read(target: WriteTarget, options?: ContentOptions): Promise<ContentRecord | null>;
  /** Records of one table whose fields equal the query's. */
  find(table: string, query?: ContentQuery): Promise<readonly ContentRecord[]>;
}

/**
 * The safe content handler as a writing tool sees it. Each write is read back before it is
 * answered, so the target that comes back names a record that is there (or, after a delete, is gone).
 *
 * All three reject with an SdkError:
 * - `CONTENT_WRITE_FAILED` (`ContentWriteError`): the system failed during the writes; what it stored is not known.
 * - `WRITE_LOST` (`WriteLostError`): the system answered, and the read-back contradicts it.
 * - `READ_BACK_FAILED` (`ReadBackError`): the record was written and could not be read back.
 * - `CONTENT_REFUSED`: the system will not do this write for the actor; it was not started. A tool answers
 *   `refused`, in words that do not tell a missing record from one that the actor may not see.
 * - `INVALID_CONTENT_OPERATION`, `CONTENT_CALL_ENDED` and `CONTENT_UNAVAILABLE`: the write was not started.
 */
export interface ContentWriter extends ContentReader {
  create(table: string, data: ContentData, options?: ContentOptions): Promise<WriteTarget>;
  update(target: WriteTarget, data: ContentData, options?: ContentOptions): Promise<WriteTarget>;
  delete(target: WriteTarget, options?: ContentOptions): Promise<WriteTarget>;
}
