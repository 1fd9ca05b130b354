import type { ToolEffect } from '@toolwright/sdk';

/** Why the loop itself answered a call instead of running it, and what the model is told. */
export interface CallRefusal {
  readonly reason:
    | 'not_offered'
    | 'malformed_call'
    | 'duplicate_call_id'
    | 'too_many_calls'
    | 'arguments_not_json'
    | 'arguments_too_large'
    | 'arguments_refused'
    | 'arguments_not_storable'
    | 'schema_failed';
  readonly answer: string;
}

/**
 * A call of the model after its arguments were parsed, which happens once. What stands here is what is
 * previewed, approved and executed. Plain JSON.
 */
export interface PreparedCall {
  /** Unique within the run. Differs from the model's id only where that one was missing or used before. */
  readonly callId: string;
  readonly tool: string;
  /** For a name that is not registered the strictest one. */
  readonly effect: ToolEffect;
  /** The plugin's version and a digest of the input schema that parsed the arguments. */
  readonly toolVersion: string;
  /**
   * The arguments as the model wrote them, with secrets taken out, cut to 2,000 characters where they were refused.
   * What the transcript says of the call.
   */
  readonly rawArguments: string;
  /** The parsed arguments as canonical JSON; null when the call was refused. */
  readonly arguments: string | null;
  /** SHA-256 of `arguments`, or of nothing. */
  readonly argumentsDigest: string;
  readonly refusal: CallRefusal | null;
}
