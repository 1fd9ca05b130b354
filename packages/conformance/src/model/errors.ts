/** Stable codes of the reasons why a check could not do its work (exit code 2). */
export type ConformanceErrorCode =
  | 'BAD_ARGUMENTS'
  | 'NO_SUCH_PATH'
  | 'NO_SOURCE'
  | 'BAD_TSCONFIG'
  | 'BAD_CONFIG'
  | 'SYNTAX_ERROR'
  | 'NOTHING_TO_CHECK'
  | 'OUTPUT_FAILED'
  | 'INTERNAL';

/** Base of every error that this package throws. Branch on `code`. */
export class ConformanceError extends Error {
  override readonly name: string = 'ConformanceError';
  readonly code: ConformanceErrorCode;

  constructor(code: ConformanceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
