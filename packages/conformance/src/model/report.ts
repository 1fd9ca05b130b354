import type { Framework, Effect, UnresolvedCall } from './fact-base.js';
import type { BaselineEntry } from './baseline.js';
import type { SourceLocation } from './location.js';
import type { Diagnostic, RuleVerdict } from './verdict.js';

/** What a check found, as every reporter reads it. Plain data. */
export interface Report {
  readonly summary: ReportSummary;
  readonly tools: readonly ReportedTool[];
  readonly verdicts: readonly RuleVerdict[];
  /** What stands: suppressed findings are left out. */
  readonly diagnostics: readonly ReportedDiagnostic[];
  readonly suppressed: readonly SuppressedDiagnostic[];
  readonly unresolved: readonly UnresolvedCall[];
  readonly assumptions: readonly string[];
  /** Baseline entries that no finding has any more; each fails the run. */
  readonly staleBaseline: readonly BaselineEntry[];
  /** Manifests to write, where the run was asked to update them. */
  readonly manifests: readonly ManifestText[];
  /** What a reader should know about the run itself: skipped references, unparsed files that no tool reaches. */
  readonly notes: readonly string[];
}

export interface ReportSummary {
  readonly files: number;
  readonly tools: number;
  /** Verdicts by kind; a violated verdict whose findings are all suppressed counts as suppressed only. */
  readonly proven: number;
  readonly violated: number;
  readonly inconclusive: number;
  readonly notApplicable: number;
  readonly suppressed: number;
  /** Paths through tools that were followed to their end. */
  readonly paths: number;
  readonly unresolved: number;
  readonly seconds: number;
}

export interface ReportedTool {
  readonly id: string;
  readonly name: string | null;
  /** Null where the effect is not a literal of the code, or none is declared and the framework has no default. */
  readonly effect: Effect | null;
  readonly declared: boolean;
  readonly framework: Framework;
  readonly location: SourceLocation;
}

export interface ReportedDiagnostic extends Diagnostic {
  readonly severity: 'error' | 'warning';
  /** The tool's name, where it has one. */
  readonly tool: string | null;
  /** Stays the same when lines move. */
  readonly fingerprint: string;
  readonly frame: CodeFrame | null;
}

export interface SuppressedDiagnostic {
  readonly diagnostic: ReportedDiagnostic;
  readonly by: 'comment' | 'configuration' | 'baseline';
  readonly reason: string;
}

/** A few lines of source around a finding, as they are: a reporter escapes them. */
export interface CodeFrame {
  /** 1-based number of the first line. */
  readonly firstLine: number;
  readonly lines: readonly string[];
}

/** An effects manifest as it should be, and where it belongs. */
export interface ManifestText {
  /** Relative to the working directory. */
  readonly file: string;
  readonly text: string;
}
