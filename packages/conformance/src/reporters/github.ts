import type { ReportedDiagnostic } from '../model/report.js';
import { escapeText } from './escape-text.js';
import { countLine } from './pretty.js';
import type { Reporter, ReporterOptions } from './reporter.js';

/** Workflow commands of GitHub Actions: an annotation for each finding. */
export const GITHUB_REPORTER: Reporter = {
  report(report, options) {
    const lines = report.diagnostics.map((diagnostic) => annotation(diagnostic, options));
    return `${[...lines, countLine(report)].join('\n')}\n`;
  },
  reportError(error) {
    return `::error title=toolwright-conformance::${data(error.message)}\n`;
  },
};

function annotation(diagnostic: ReportedDiagnostic, { pathPrefix }: ReporterOptions): string {
  const { severity, location, rule, tool, message, witness } = diagnostic;
  const properties = [
    `file=${property(`${pathPrefix}${location.file}`)}`,
    `line=${String(location.line)}`,
    `col=${String(location.column)}`,
    `title=${property(tool === null ? rule : `${rule}: ${escapeText(tool)}`)}`,
  ];
  const path = witness.map(
    (step, index) =>
      `${String(index + 1)}. ${step.file}:${String(step.line)}:${String(step.column)} ${escapeText(step.message)}`,
  );
  return `::${severity} ${properties.join(',')}::${data([escapeText(message), ...path].join('\n'))}`;
}

/** The runner ends a command's text at a line end, and decodes these. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
