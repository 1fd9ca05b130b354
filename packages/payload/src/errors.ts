/** Stable codes of the errors that this package throws. A code never changes its meaning. */
export type PayloadBindingErrorCode =
  | 'UNKNOWN_TABLE'
  | 'UNKNOWN_OPTION'
  | 'UNSUPPORTED_OPERATION'
  | 'UNSUPPORTED_PAYLOAD'
  | 'NO_RECORD_NAMED'
  | 'HISTORY_UNSETTLED';

/** Base of every error that `@toolwright/payload` throws. Branch on `code`, not on the message. */
export class PayloadBindingError extends Error {
  override readonly name = 'PayloadBindingError';
  readonly code: PayloadBindingErrorCode;

  constructor(code: PayloadBindingErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
