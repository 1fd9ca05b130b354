import type { ConformanceError } from '../model/errors.js';
import type { SourceLocation, WitnessStep } from '../model/location.js';
import type { ReportedDiagnostic, SuppressedDiagnostic } from '../model/report.js';
import { escapeText } from './escape-text.js';
import type { Reporter, ReporterOptions } from './reporter.js';

const FINGERPRINT = 'toolwright/v1';

/** SARIF 2.1.0, with witness paths as code flows. */
export const SARIF_REPORTER: Reporter = {
  report(report, options) {
    return print(
      runOf(options, {
        results: [
          ...report.diagnostics.map((diagnostic) => resultOf(diagnostic, null, options)),
          ...report.suppressed.map((one) => resultOf(one.diagnostic, one, options)),
        ],
        invocations: [{ executionSuccessful: true }],
      }),
    );
  },
  reportError(error, options) {
    return print(runOf(options, { results: [], invocations: [failedInvocation(error)] }));
  },
};

function print(run: object): string {
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function runOf({ version, rules }: ReporterOptions, rest: object): object {
  return {
    tool: {
      driver: {
        name: 'toolwright-conformance',
        version,
        rules: rules.map(({ id, summary }) => ({
          id,
          shortDescription: { text: summary },
          defaultConfiguration: { level: 'error' },
        })),
      },
    },
    columnKind: 'utf16CodeUnits',
    ...rest,
  };
}

function resultOf(
  diagnostic: ReportedDiagnostic,
  suppressed: SuppressedDiagnostic | null,
  options: ReporterOptions,
): object {
  const { rule, severity, message, location, witness, fingerprint, verdict, confidence, tool } = diagnostic;
  return {
    ruleId: rule,
    ruleIndex: options.rules.findIndex(({ id }) => id === rule),
    level: severity,
    message: { text: escapeText(message) },
    locations: [{ physicalLocation: physicalLocation(location, options) }],
    partialFingerprints: { [FINGERPRINT]: fingerprint },
    ...(witness.length === 0 ? {} : { codeFlows: [codeFlow(witness, options)] }),
    ...(suppressed === null ? {} : suppressionOf(suppressed)),
    properties: { verdict, confidence, ...(tool === null ? {} : { tool }) },
  };
}

function suppressionOf({ by, reason }: SuppressedDiagnostic): object {
  return {
    suppressions: [{ kind: by === 'comment' ? 'inSource' : 'external', justification: escapeText(reason) }],
    ...(by === 'baseline' ? { baselineState: 'unchanged' } : {}),
  };
}

function codeFlow(witness: readonly WitnessStep[], options: ReporterOptions): object {
  return {
    threadFlows: [
      {
        locations: witness.map((step) => ({
          location: {
            physicalLocation: physicalLocation(step, options),
            message: { text: escapeText(step.message) },
          },
        })),
      },
    ],
  };
}

function physicalLocation({ file, line, column }: SourceLocation, { pathPrefix }: ReporterOptions): object {
  const uri = `${pathPrefix}${file}`.split('/').map(encodeURIComponent).join('/');
  return { artifactLocation: { uri }, region: { startLine: line, startColumn: column } };
}

function failedInvocation({ code, message }: ConformanceError): object {
  return {
    executionSuccessful: false,
    exitCode: 2,
    toolExecutionNotifications: [
      { level: 'error', descriptor: { id: code }, message: { text: escapeText(message) } },
    ],
  };
}
