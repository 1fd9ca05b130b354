import type { BaselineEntry } from '../model/baseline.js';
import type { ReportedDiagnostic, SuppressedDiagnostic } from '../model/report.js';

export interface BaselineScope {
  readonly rules: ReadonlySet<string>;
  /** Null when the whole project was checked, so that a file which is gone counts. */
  readonly files: ReadonlySet<string> | null;
}

export interface Baselined {
  readonly standing: readonly ReportedDiagnostic[];
  readonly known: readonly SuppressedDiagnostic[];
  /** Entries in scope that no finding has any more. */
  readonly stale: readonly BaselineEntry[];
}

/** Sets aside the findings that a baseline knows, by fingerprint. */
export function applyBaseline(
  diagnostics: readonly ReportedDiagnostic[],
  entries: readonly BaselineEntry[],
  scope: BaselineScope,
): Baselined {
  const byFingerprint = new Map(entries.map((entry) => [entry.fingerprint, entry]));
  const standing: ReportedDiagnostic[] = [];
  const known: SuppressedDiagnostic[] = [];
  const met = new Set<BaselineEntry>();
  for (const diagnostic of diagnostics) {
    const entry = byFingerprint.get(diagnostic.fingerprint);
    if (entry === undefined) {
      standing.push(diagnostic);
    } else {
      met.add(entry);
      known.push({ diagnostic, by: 'baseline', reason: 'It is in the baseline.' });
    }
  }
  const stale = entries.filter(
    (entry) =>
      !met.has(entry) && scope.rules.has(entry.rule) && (scope.files === null || scope.files.has(entry.file)),
  );
  return { standing, known, stale };
}
