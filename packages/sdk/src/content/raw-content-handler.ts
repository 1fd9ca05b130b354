import type { Actor } from '../context/tool-context.js';
import type { WriteTarget } from '../target/write-target.js';
import type { MaybePromise } from '../tool/tool.js';
import type { ContentData, ContentOptions, ContentQuery, ContentRecord } from './content-access.js';

/** One write, as the wrapper hands it to a raw handler. The kind says what must be true afterwards. */
export type ContentWrite =
  | {
      readonly kind: 'create';
      readonly table: string;
      readonly data: ContentData;
      readonly options: ContentOptions;
    }
  | {
      readonly kind: 'update';
      readonly target: WriteTarget;
      readonly data: ContentData;
      readonly options: ContentOptions;
    }
  | { readonly kind: 'delete'; readonly target: WriteTarget; readonly options: ContentOptions };

/** On whose behalf, and for which call, a raw handler is built. */
export interface ContentCall {
  readonly actor: Actor;
  readonly runId: string;
  readonly callId: string;
  readonly signal: AbortSignal;
}

/** Something the content system does after its writes: an index update, a cache flush, a registry reset. */
export interface FinishingStep {
  /** What a log calls it, for example `cache flush`. */
  readonly name: string;
  /** True for a step that began and did not come to its end: it is discarded, and not run again. */
  readonly hasStarted?: boolean;
  /** Runs the step. */
  run(): MaybePromise<void>;
  /** Empties the step's queue after it failed, so that the next run does not replay it. */
  discard?(): MaybePromise<void>;
}

/**
 * A host's binding to its content system, for ONE run of it. It tells the safe wrapper four things:
 * what landed, whether a transaction is open, which finishing steps remain, and how to read back.
 *
 * Implement this interface, and build the implementation only inside the factory that is handed to
 * `safeContentHandler`. Nothing else may construct or use it.
 */
export interface RawContentHandler {
  /**
   * Why the system will not do this write for the actor, in words for the tool's author, or null. Asked
   * before anything is started, so that such a write is known not to have happened. The words must not
   * tell a record that is missing from one that the actor may not see.
   */
  refuses?(operation: ContentWrite): MaybePromise<string | null>;
  /** Runs the write with everything the system does around it. Rejects as the system does. */
  write(operation: ContentWrite): Promise<WriteTarget>;
  /**
   * Records that this run itself is known to have stored so far, in order, the operation's own among
   * them. Not those that a hook wrote (see `ContentRun.depth`), and after a rollback none.
   */
  landed(): readonly WriteTarget[];
  /** Whether the writes so far could still be rolled back. */
  isTransactionOpen(): MaybePromise<boolean>;
  /** The finishing steps of this run that did not come to their end, in order. Asked once, after the write. */
  remainingSteps(): readonly FinishingStep[];
  /** The record as it is stored now, without running the system's own read hooks where that is possible. */
  read(target: WriteTarget, options: ContentOptions): Promise<ContentRecord | null>;
  /** At most `query.limit` records. */
  find(table: string, query: ContentQuery & { readonly limit: number }): Promise<readonly ContentRecord[]>;
  /**
   * Whether everything is stored that this operation stores. Only needed where one write has several
   * parts, for example a row and its version; without it, a landed record of the operation is enough.
   */
  isWritten?(): boolean;
  /**
   * Whether the stored state shows THIS write: the read-back, in the binding's own way. Only needed where
   * `read` cannot tell, since it asks what the actor may see, or since a write can get lost without a trace
   * (a refused COMMIT of an update). Without it, `read` must find the record, or nothing after a delete.
   */
  confirms?(operation: ContentWrite, target: WriteTarget): MaybePromise<boolean>;
  /** The code of the installation that a failure came from, for example `hook afterChange of pages`. */
  nameFailure?(error: unknown): string | null;
  /** Whether an error is the database's own, whose message may carry data. Common drivers are known. */
  isDatabaseError?(error: unknown): boolean;
}
