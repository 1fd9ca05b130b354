import type { WriteTarget } from '../target/write-target.js';

/** The fields of one record, as the content system names them. */
export type ContentData = Readonly<Record<string, unknown>>;

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
}

/** The reading half of the safe content handler. */
export interface ContentReader {
  /** The record, or null when there is none (or the actor may not see it). */
  read(target: WriteTarget): Promise<ContentRecord | null>;
  /** Records of one table whose fields equal the query's. */
  find(table: string, query?: ContentQuery): Promise<readonly ContentRecord[]>;
}

/**
 * The safe content handler as a writing tool sees it. Each write is read back before it is
 * answered, so the target that comes back names a record that is there (or, after a delete, is gone).
 *
 * All three reject with an SdkError: `WRITE_LOST` when the read-back contradicts the write,
 * `CONTENT_WRITE_FAILED` when the system failed during the writes (the outcome is then unknown).
 */
export interface ContentWriter extends ContentReader {
  create(table: string, data: ContentData): Promise<WriteTarget>;
  update(target: WriteTarget, data: ContentData): Promise<WriteTarget>;
  delete(target: WriteTarget): Promise<WriteTarget>;
}
