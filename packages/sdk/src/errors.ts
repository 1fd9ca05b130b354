/** Stable codes of the errors that this package throws. A code never changes its meaning. */
export type SdkErrorCode =
  | 'INVALID_WRITE_TARGET'
  | 'INVALID_TOOL_RESULT'
  | 'INVALID_TOOL_DEFINITION'
  | 'INVALID_ARGUMENTS'
  | 'INVALID_OPTIONS'
  | 'CONTRACT_VIOLATION'
  | 'WRITE_LOST'
  | 'CONTENT_WRITE_FAILED'
  | 'READ_BACK_FAILED'
  | 'CONTENT_READ_FAILED'
  | 'INVALID_CONTENT_OPERATION'
  | 'CONTENT_REFUSED'
  | 'CONTENT_CALL_ENDED'
  | 'CONTENT_UNAVAILABLE';

/**
 * Base of every error that `@toolwright/sdk` throws.
 *
 * Branch on `code`, not on the message: messages are for people and may change. The error that led
 * to this one, where there is one, is in `cause`.
 */
export class SdkError extends Error {
  override readonly name: string = 'SdkError';
  readonly code: SdkErrorCode;

  constructor(code: SdkErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
