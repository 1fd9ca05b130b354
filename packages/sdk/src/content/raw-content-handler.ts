import type { Actor } from '../context/tool-context.js';
import type { WriteTarget } from '../target/write-target.js';
import type { ContentData, ContentQuery, ContentRecord } from './content-access.js';

/** One write, as the wrapper hands it to a raw handler. */
export type ContentWrite =
  | { readonly kind: 'create'; readonly table: string; readonly data: ContentData }
  | { readonly kind: 'update'; readonly target: WriteTarget; readonly data: ContentData }
  | { readonly kind: 'delete'; readonly target: WriteTarget };

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
  /** Runs the step, or what is left of it. */
  run(): Promise<void>;
  /** Empties the step's queue after it failed, so that the next run does not replay it. */
  discard?(): void;
}

/**
 * A host's binding to its content system, for ONE run of it. It tells the safe wrapper four things:
 * what landed, whether a transaction is open, which finishing steps remain, and how to read back.
 *
 * Implement this interface, and build the implementation only inside the factory that is handed to
 * `safeContentHandler`. Nothing else may construct or use it.
 */
export interface RawContentHandler {
  /** Runs the write with everything the system does around it. Rejects as the system does. */
  write(operation: ContentWrite): Promise<WriteTarget>;
  /** Records that this run is known to have stored so far, in order. */
  landed(): readonly WriteTarget[];
  /** Whether the writes so far could still be rolled back. */
  isTransactionOpen(): boolean;
  /** The finishing steps of this run that did not run yet, in order; the one that failed excluded. */
  remainingSteps(): readonly FinishingStep[];
  /** The record as it is stored now, without running the system's own read hooks where that is possible. */
  read(target: WriteTarget): Promise<ContentRecord | null>;
  find(table: string, query: ContentQuery): Promise<readonly ContentRecord[]>;
  /** The code of the installation that a failure came from, for example `hook afterChange of pages`. */
  nameFailure?(error: unknown): string | null;
  /** Whether an error is the database's own, whose message may carry data. */
  isDatabaseError?(error: unknown): boolean;
}
