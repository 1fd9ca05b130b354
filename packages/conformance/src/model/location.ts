/** A place in the analysed source. */
export interface SourceLocation {
  /** Relative to the working directory, with forward slashes. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
}

/** One step of a witness path: a place, and what happens there. */
export interface WitnessStep extends SourceLocation {
  readonly message: string;
}
