export { analyze, type AnalysisProgress, type AnalyzeRequest } from './analyze.js';
export { SourceFileCache } from './load/source-file-cache.js';
export type { CheckConfig } from './model/check-config.js';
export { ConformanceError, type ConformanceErrorCode } from './model/errors.js';
export type { Effect, Framework, UnresolvedCall } from './model/fact-base.js';
export type { SourceLocation, WitnessStep } from './model/location.js';
export type {
  CodeFrame,
  Report,
  ReportedDiagnostic,
  ReportedTool,
  ReportSummary,
  SuppressedDiagnostic,
} from './model/report.js';
export type { ConfiguredSuppression } from './model/suppression.js';
export type { Confidence, Diagnostic, RuleId, RuleVerdict, Verdict } from './model/verdict.js';
