import type { ContentReader, ContentWriter } from '../content/content-access.js';

/** On whose behalf a call runs. */
export interface Actor {
  readonly id: string;
}

/** Who looks at a preview. */
export interface Viewer {
  readonly id: string;
}

/** Where time comes from, so that a test can set it. */
export interface Clock {
  now(): Date;
}

/** Structured logging; secrets and personal data stay out of both arguments. */
export interface Logger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** What a read-only tool, and every preview, is given. It has no write method at all. */
export interface ReaderContext {
  readonly actor: Actor;
  readonly runId: string;
  /** The model's id of this call, unique within the run. */
  readonly callId: string;
  /** Aborts when the deadline passes or the run is cancelled. */
  readonly signal: AbortSignal;
  readonly deadline: Date;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly content: ContentReader;
}

/**
 * A reader's context that is known to offer no write. It keeps a class from declaring a reader's method
 * with a writer's context, which method parameters alone would let pass.
 */
export interface WriteFreeContext extends ReaderContext {
  readonly content: ContentReader & {
    readonly create?: never;
    readonly update?: never;
    readonly delete?: never;
  };
}

/** What a writing tool is given: the reader's context, with the writing half of the content handler. */
export interface WriterContext extends ReaderContext {
  readonly content: ContentWriter;
}
