/** A finding that was there when the baseline was made. */
export interface BaselineEntry {
  readonly fingerprint: string;
  readonly rule: string;
  readonly file: string;
  readonly tool: string | null;
  /** For the reader of the file; not compared. */
  readonly message: string;
}
