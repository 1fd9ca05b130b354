import type { Logger } from '../context/tool-context.js';
import { errorClass, traceOf } from '../failure/thrown-value.js';
import type { ContentCall } from './raw-content-handler.js';

/** Log lines of one call. A logger that throws must not fail a write, so nothing here does. */
export class ContentLog {
  readonly #logger: Logger;
  readonly #call: ContentCall;

  constructor(logger: Logger, call: ContentCall) {
    this.#logger = logger;
    this.#call = call;
  }

  /** A failure with its trace: classes and stack frames, and a message only where it was redacted. */
  failure(what: string, thrown: unknown, fields: Readonly<Record<string, unknown>> = {}): void {
    this.#write('error', what, { error: errorClass(thrown), trace: traceOf(thrown), ...fields });
  }

  warning(what: string, fields: Readonly<Record<string, unknown>>): void {
    this.#write('warn', what, fields);
  }

  #write(level: 'error' | 'warn', what: string, fields: Readonly<Record<string, unknown>>): void {
    try {
      this.#logger[level](what, { runId: this.#call.runId, callId: this.#call.callId, ...fields });
    } catch {
      // There is no other place to say it.
    }
  }
}

/** Where failures go when the host names no logger: standard error, which no protocol uses. */
export const standardErrorLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (message, fields) => console.error(message, fields ?? {}),
  error: (message, fields) => console.error(message, fields ?? {}),
};
