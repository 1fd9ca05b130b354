import type { ConformanceError } from '../model/errors.js';
import type { ReportedDiagnostic, ReportedTool, ReportSummary } from '../model/report.js';
import type { UnresolvedCall } from '../model/fact-base.js';
import type { RuleVerdict } from '../model/verdict.js';
import type { Reporter } from './reporter.js';

const SCHEMA_VERSION = 1;

const EMPTY_SUMMARY: ReportSummary = {
  files: 0,
  tools: 0,
  proven: 0,
  violated: 0,
  inconclusive: 0,
  notApplicable: 0,
  suppressed: 0,
  paths: 0,
  unresolved: 0,
  seconds: 0,
};

/** The document that `schema/report.schema.json` describes. */
export const JSON_REPORTER: Reporter = {
  report(report) {
    const names = new Map(report.tools.map(({ id, name }) => [id, name]));
    return print({
      schemaVersion: SCHEMA_VERSION,
      summary: summaryOf(report.summary),
      tools: report.tools.map(toolOf),
      verdicts: report.verdicts.map((verdict) => verdictOf(verdict, names)),
      diagnostics: report.diagnostics.map(diagnosticOf),
      unresolved: report.unresolved.map(unresolvedOf),
      assumptions: report.assumptions,
    });
  },
  reportError(error: ConformanceError) {
    return print({
      schemaVersion: SCHEMA_VERSION,
      error: { code: error.code, message: error.message },
      summary: summaryOf(EMPTY_SUMMARY),
      tools: [],
      verdicts: [],
      diagnostics: [],
      unresolved: [],
      assumptions: [],
    });
  },
};

function print(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function summaryOf(summary: ReportSummary): object {
  const { files, tools, proven, violated, inconclusive, notApplicable, suppressed, seconds } = summary;
  return {
    files,
    tools,
    proven,
    violated,
    inconclusive,
    notApplicable,
    suppressed,
    seconds: Math.round(seconds * 1000) / 1000,
  };
}

function toolOf({ id, name, effect, declared, framework, location }: ReportedTool): object {
  return { id, name, effect, declared, framework, file: location.file, line: location.line };
}

function verdictOf(given: RuleVerdict, names: ReadonlyMap<string, string | null>): object {
  const { toolId, rule, verdict, confidence, reason, location } = given;
  return {
    toolId,
    tool: toolId === null ? null : (names.get(toolId) ?? null),
    rule,
    verdict,
    confidence,
    reason,
    ...(location === null ? {} : { file: location.file, line: location.line }),
  };
}

function diagnosticOf(diagnostic: ReportedDiagnostic): object {
  const { rule, verdict, severity, message, toolId, tool, location, confidence, fingerprint } = diagnostic;
  return {
    rule,
    verdict,
    severity,
    message,
    toolId,
    tool,
    file: location.file,
    line: location.line,
    column: location.column,
    confidence,
    fingerprint,
    witness: diagnostic.witness.map((step) => ({
      file: step.file,
      line: step.line,
      column: step.column,
      message: step.message,
    })),
  };
}

function unresolvedOf({ location, callee, why, toolIds }: UnresolvedCall): object {
  return { file: location.file, line: location.line, column: location.column, callee, why, toolIds };
}
