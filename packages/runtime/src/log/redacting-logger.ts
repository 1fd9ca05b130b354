import { errorClass, isDatabaseError, type Logger } from '@toolwright/sdk';
import { boundedJson } from '../json/bounded-json.js';
import { redactJson } from '../secrets/redact-json.js';
import { redactOrWithhold, type Redactor } from '../secrets/redactor.js';

type Level = 'debug' | 'info' | 'warn' | 'error';
type Fields = Readonly<Record<string, unknown>>;

/** Most of one entry's fields, as bytes of JSON and levels. */
const FIELD_LIMITS = { maxBytes: 32 * 1024, maxDepth: 16 };

/**
 * Strips secrets from what is logged, the entries of tools included, before the logger behind it sees any of
 * it. Entries keep their order. Redacting takes a moment, so they arrive a little later; {@link flush} waits.
 */
export class RedactingLogger implements Logger {
  readonly #inner: Logger;
  readonly #redactor: Redactor;
  #last: Promise<void> = Promise.resolve();

  constructor(inner: Logger, redactor: Redactor) {
    this.#inner = inner;
    this.#redactor = redactor;
  }

  debug(message: string, fields?: Fields): void {
    this.#log('debug', message, fields);
  }

  info(message: string, fields?: Fields): void {
    this.#log('info', message, fields);
  }

  warn(message: string, fields?: Fields): void {
    this.#log('warn', message, fields);
  }

  error(message: string, fields?: Fields): void {
    this.#log('error', message, fields);
  }

  /** Waits for the entries so far. Never rejects. */
  flush(): Promise<void> {
    return this.#last;
  }

  #log(level: Level, message: string, fields: Fields = {}): void {
    // Taken now: what the caller does with its object afterwards is not what it logged.
    const copy = boundedJson(told(fields), FIELD_LIMITS);
    const entry = this.#redacted(message, copy.ok ? copy.value : { dropped: copy.reason });
    const write = async (): Promise<void> => {
      const [line, safe] = await entry;
      this.#inner[level](line, safe);
    };
    // A logger that throws must not take the entries after it along, nor the run.
    this.#last = this.#last.then(write).catch(() => undefined);
  }

  async #redacted(message: string, fields: unknown): Promise<readonly [string, Fields]> {
    return [
      await redactOrWithhold(this.#redactor, message),
      (await redactJson(this.#redactor, fields)) as Fields,
    ];
  }
}

/** Errors as one line: JSON has nothing of them. A database's is named by its class alone. */
function told(fields: Fields): unknown {
  try {
    return Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? lineOf(value) : value]),
    );
  } catch {
    return undefined;
  }
}

function lineOf(error: Error): string {
  return isDatabaseError(error) ? errorClass(error) : `${errorClass(error)}: ${error.message}`;
}
