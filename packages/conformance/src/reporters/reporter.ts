import type { ConformanceError } from '../model/errors.js';
import type { Report } from '../model/report.js';

export interface ReporterOptions {
  readonly isColored: boolean;
  /** Whether inconclusive findings fail the run. */
  readonly isStrict: boolean;
  /** The version of this package. */
  readonly version: string;
  /** Every rule that was there to be asked, in order. */
  readonly rules: readonly { readonly id: string; readonly summary: string }[];
  /** What leads from the repository's folder to the working directory: empty, or with a slash at its end. */
  readonly pathPrefix: string;
}

/** Turns a result into text. One file per format. */
export interface Reporter {
  report(report: Report, options: ReporterOptions): string;
  /** The document of a run that could not do its work; empty where the format has none. */
  reportError(error: ConformanceError, options: ReporterOptions): string;
}
