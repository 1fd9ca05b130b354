import type { SdkError } from '../errors.js';
import type { ContentReader, ContentWriter } from './content-access.js';
import type { ContentHistory } from './content-history.js';
import { ContentLedger, type LandedWrite } from './content-ledger.js';
import { ContentLog, standardErrorLogger } from './content-log.js';
import { openReader } from './content-reading.js';
import { openWriter } from './content-writing.js';
import type { ContentCall } from './raw-content-handler.js';
import type { ContentPorts, SafeContentOptions } from './safe-content-options.js';
import type { RawContentHandlerFactory } from './write-run.js';

export type { LandedWrite };

/** Most notes that the answer of one call carries; the log has all of them. */
export const MAX_NOTES_IN_ANSWER = 3;

/**
 * The content handler for one call: a reading half for readers and previews, a writing half for
 * writers, and what the loop asks afterwards.
 */
export interface ContentSession {
  /** Has no write method at all. */
  readonly reader: ContentReader;
  readonly writer: ContentWriter;
  /** What is known to have landed, in order. A failed write is not among it; see `failedWrite`. */
  landed(): readonly LandedWrite[];
  /**
   * One line per failure after the writes, oldest first, at most 300 characters each, printable, in a
   * fixed frame. The answer carries the first three.
   */
  notes(): readonly string[];
  /**
   * The last write whose outcome is not known, or null: a `ContentWriteError`, which names the records
   * that are stored all the same, or a `WriteLostError`. A tool may have caught it and answered otherwise.
   */
  failedWrite(): SdkError | null;
  /** Writes that have not settled. A tool that answers while there are some did not wait for them. */
  pendingWrites(): number;
}

/** What a host gives to the loop: opens one {@link ContentSession} per call. */
export interface SafeContentHandler {
  open(call: ContentCall): ContentSession;
  /** The history that marks the writes, where there is one: what became of them is asked of it. */
  readonly history?: ContentHistory;
}

/**
 * Wraps a binding to a content system so that a hook that fails does not fail the write it ran after,
 * and a write that did not land is not answered as one.
 *
 * @param factory builds the raw handler of one run; called once for each write, find and read. Nothing
 *   else may build or hold one.
 */
export function safeContentHandler(
  factory: RawContentHandlerFactory,
  options: SafeContentOptions = {},
): SafeContentHandler {
  const ports: ContentPorts = {
    logger: options.logger ?? standardErrorLogger,
    redact: options.redact ?? (() => null),
    history: options.history ?? null,
  };
  return Object.freeze({
    open: (call: ContentCall) => openSession(call, factory, ports),
    ...(ports.history === null ? {} : { history: ports.history }),
  });
}

function openSession(
  call: ContentCall,
  factory: RawContentHandlerFactory,
  ports: ContentPorts,
): ContentSession {
  const ledger = new ContentLedger();
  const log = new ContentLog(ports.logger, call);
  const reader = openReader(call, factory, log);
  const writer = openWriter(call, factory, { signal: call.signal, ports, ledger, log });
  return Object.freeze({
    reader: Object.freeze(reader),
    writer: Object.freeze({ ...reader, ...writer }),
    landed: () => ledger.landed(),
    notes: () => ledger.notes(),
    failedWrite: () => ledger.failedWrite(),
    pendingWrites: () => ledger.pendingWrites(),
  });
}
