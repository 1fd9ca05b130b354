/** Stable codes of the errors that this package throws. A code never changes its meaning. */
export type CatalogueErrorCode = 'DATA_UNREADABLE' | 'DATA_INVALID' | 'BAD_ENTRY' | 'PARSER_UNAVAILABLE';

/** Base of every error that this package throws. Branch on `code`. */
export class CatalogueError extends Error {
  override readonly name: string = 'CatalogueError';
  readonly code: CatalogueErrorCode;

  constructor(code: CatalogueErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
