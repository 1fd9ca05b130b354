import type { Logger } from '../context/tool-context.js';
import type { ContentHistory } from './content-history.js';
import type { RedactMessage } from './failure-note.js';

/** What a host may bring to `safeContentHandler`. */
export interface SafeContentOptions {
  /** All failures go here, with their traces. Default: standard error. */
  readonly logger?: Logger;
  /**
   * Takes secrets out of the message of a foreign error before it is noted or logged. Default: no
   * message at all, only the error's class, because this package knows no secret shapes.
   */
  readonly redact?: RedactMessage;
  /** Marks each landed write, so that its outcome can be derived later. */
  readonly history?: ContentHistory;
}

/** The options with their defaults. */
export interface ContentPorts {
  readonly logger: Logger;
  readonly redact: RedactMessage;
  readonly history: ContentHistory | null;
}
