import { SpanKind, SpanStatusCode, context, trace, type Tracer } from '@opentelemetry/api';
import type { PreparedCall } from '../audit/prepared-call.js';
import type { RunRecord } from '../audit/run-journal.js';
import type { CallReport } from '../loop/call-report.js';
import { redactOrWithhold, type Redactor } from '../secrets/redactor.js';
import type { TimeSource } from '../time/time-source.js';

/** The version of the semantic conventions that the attributes follow; GenAI conventions are still in development. */
export const SEMANTIC_CONVENTIONS = 'https://opentelemetry.io/schemas/1.41.0';

/** The tracer of the OpenTelemetry API. Without an SDK in the host it does nothing. */
export function toolTracer(): Tracer {
  return trace
    .getTracerProvider()
    .getTracer('@toolwright/runtime', undefined, { schemaUrl: SEMANTIC_CONVENTIONS });
}

interface SpanPorts {
  readonly tracer: Tracer;
  readonly redactor: Redactor;
  readonly time: TimeSource;
}

/**
 * Runs a call inside a span `execute_tool {tool}`. Arguments, results and messages of errors stay out of it: a span
 * goes where nobody asks who may see a preview.
 */
export async function withinToolSpan(
  { tracer, redactor, time }: SpanPorts,
  run: RunRecord,
  call: PreparedCall,
  execute: () => Promise<CallReport>,
): Promise<CallReport> {
  // The model chose the id of the call.
  const callId = await redactOrWithhold(redactor, call.callId);
  const span = tracer.startSpan(`execute_tool ${call.tool}`, {
    kind: SpanKind.INTERNAL,
    startTime: time.now(),
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.tool,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': callId,
      'toolwright.effect': call.effect,
      'toolwright.run.id': run.runId,
      'toolwright.correlation.id': run.correlationId,
    },
  });
  try {
    const report = await context.with(trace.setSpan(context.active(), span), execute);
    span.setAttribute('toolwright.ending', report.ending);
    span.setAttribute('toolwright.result', report.result.kind);
    if (report.outcome !== null) {
      span.setAttribute('toolwright.outcome', report.outcome);
    }
    const errorType = errorTypeOf(report);
    if (errorType !== null) {
      span.setAttribute('error.type', errorType);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    return report;
  } finally {
    span.end(time.now());
  }
}

/** The class of what was thrown, or how else the call failed. A refusal is an answer and no failure. */
function errorTypeOf({ ending, errorClass, result }: CallReport): string | null {
  if (ending === 'answered') {
    return result.kind === 'error' ? 'tool_error' : null;
  }
  return errorClass ?? ending;
}
