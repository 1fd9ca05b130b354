/** Stable codes of the errors that this package throws. */
export type LintErrorCode = 'TYPES_MISSING' | 'BAD_SETTINGS' | 'BAD_PACKAGE';

/** Base of every error that this package throws. Branch on `code`, not on the message. */
export class LintError extends Error {
  override readonly name: string = 'LintError';
  readonly code: LintErrorCode;

  constructor(code: LintErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
