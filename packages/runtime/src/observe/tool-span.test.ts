import { SpanKind, SpanStatusCode, context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { ToolResult } from '@toolwright/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CREATE, creator, expectStatus, harness, reader } from '../loop/fixtures/harness.js';
import type { RuntimeOptions, ScriptedTurn } from '../index.js';
import type { Tool } from '@toolwright/sdk';

const READ: ScriptedTurn = { call: { tool: 'count_pages' } };

async function traced(
  script: readonly ScriptedTurn[],
  tools: readonly Tool[],
  options: Partial<RuntimeOptions> = {},
) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const h = harness(script, tools, { tracer: provider.getTracer('test'), ...options });
  await h.run();
  return { spans: exporter.getFinishedSpans(), provider };
}

describe('the span of a tool call', () => {
  const manager = new AsyncLocalStorageContextManager();
  beforeAll(() => context.setGlobalContextManager(manager.enable()));
  afterAll(() => {
    context.disable();
  });

  it('follows the conventions, with effect and outcome beside them', async () => {
    const { spans } = await traced([CREATE, 'Done.'], [creator()]);
    expect(spans).toHaveLength(1);
    const [span] = spans;
    expect(span).toMatchObject({
      name: 'execute_tool create_page',
      kind: SpanKind.INTERNAL,
      status: { code: SpanStatusCode.UNSET },
      ended: true,
    });
    expect(span?.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'create_page',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'call_1',
      'toolwright.effect': 'non_idempotent_write',
      'toolwright.run.id': 'run-1',
      'toolwright.correlation.id': 'run-1',
      'toolwright.ending': 'answered',
      'toolwright.result': 'wrote',
      'toolwright.outcome': 'landed',
    });
  });

  it.each<[string, () => unknown, Record<string, unknown>]>([
    ['throws', () => Promise.reject(new RangeError('AKIAIOSFODNN7ABCDEFG')), { 'error.type': 'RangeError' }],
    ['answers an error', () => ToolResult.error('no'), { 'error.type': 'tool_error' }],
    ['breaks its contract', () => 'nothing', { 'error.type': 'broke_contract' }],
  ])('names the kind of failure, and no message, when the tool %s', async (_what, execute, attributes) => {
    const { spans } = await traced([READ, 'Done.'], [reader(execute)]);
    expect(spans).toMatchObject([{ status: { code: SpanStatusCode.ERROR }, attributes }]);
    expect(spans[0]?.events).toEqual([]);
    expect(JSON.stringify([spans[0]?.attributes, spans[0]?.status])).not.toContain('AKIA');
  });

  it('says that a refusal is an answer, and that an interrupted write has no known outcome', async () => {
    const refused = await traced([CREATE, 'Done.'], [creator(() => ToolResult.refused('no'))]);
    expect(refused.spans).toMatchObject([
      { status: { code: SpanStatusCode.UNSET }, attributes: { 'toolwright.outcome': 'not_landed' } },
    ]);
    const thrown = await traced([CREATE, 'Done.'], [creator(() => Promise.reject(new Error('x')))]);
    expect(thrown.spans).toMatchObject([
      {
        attributes: { 'toolwright.outcome': 'unknown', 'toolwright.ending': 'threw', 'error.type': 'Error' },
      },
    ]);
  });

  it('is the parent of what the tool traces itself', async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const tracer = provider.getTracer('test');
    const tool = reader(async () => {
      await Promise.resolve();
      tracer.startSpan('inner').end();
      return ToolResult.text('x');
    });
    await harness([READ, 'Done.'], [tool], { tracer }).run();
    const [inner, outer] = exporter.getFinishedSpans();
    expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
  });

  it('is not there for a call that never ran', async () => {
    const { spans } = await traced([{ call: { tool: 'nope' } }, 'Done.'], []);
    expect(spans).toEqual([]);
  });

  it('costs nothing and breaks nothing when the host has no OpenTelemetry', async () => {
    expect(trace.getTracerProvider()).toBeDefined();
    expectStatus(await harness([READ, 'Done.'], [reader()]).run(), 'completed');
  });
});
