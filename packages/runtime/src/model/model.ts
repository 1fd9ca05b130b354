import type { InputJsonSchema } from '@toolwright/sdk';
import { RuntimeError } from '../errors.js';
import type { FailureClass } from '../failure/failure-class.js';

/** One message of the transcript, in the terms that every chat model shares. Plain JSON. */
export type ModelMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly calls: readonly ModelToolCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly content: string };

/** A tool call as the model made it. Untrusted in every field. */
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as JSON text, not yet parsed. */
  readonly arguments: string;
}

/** What the model is told about a tool. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputJsonSchema;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly OfferedTool[];
  readonly correlationId: string;
  /** Aborts when the run is cancelled or the model's time is up. */
  readonly signal: AbortSignal;
  /** Where a streaming adapter hands on text as it comes. A turn that is asked for anew starts over. */
  readonly onText?: (delta: string) => void;
}

/** Why the model stopped. */
export type ModelFinish = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'other';

/** One answer of the model: text, tool calls or both. No calls ends the run. */
export interface ModelTurn {
  readonly content: string;
  readonly calls: readonly ModelToolCall[];
  readonly finish: ModelFinish;
  /** The model's own name for itself, where it says one. */
  readonly model?: string;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
}

/** The port to a language model. Rejects with a {@link ModelError}; anything else classifies by its fields. */
export interface Model {
  respond(request: ModelRequest): Promise<ModelTurn>;
}

/** A model did not answer. The class decides whether it is asked again. */
export class ModelError extends RuntimeError {
  override readonly name = 'ModelError';
  readonly failureClass: FailureClass;
  /** How long the server asked to wait, where it did. */
  readonly retryAfterMs: number | null;

  constructor(
    failureClass: FailureClass,
    message: string,
    options: ErrorOptions & { readonly retryAfterMs?: number | null } = {},
  ) {
    super('MODEL_FAILED', message, options);
    this.failureClass = failureClass;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
