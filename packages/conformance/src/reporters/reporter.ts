import type { ConformanceError } from '../model/errors.js';
import type { Report } from '../model/report.js';

export interface ReporterOptions {
  readonly isColored: boolean;
  /** Whether inconclusive findings fail the run. */
  readonly isStrict: boolean;
}

/** Turns a result into text. One file per format. */
export interface Reporter {
  report(report: Report, options: ReporterOptions): string;
  /** The document of a run that could not do its work; empty where the format has none. */
  reportError(error: ConformanceError): string;
}
