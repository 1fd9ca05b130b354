import { randomBytes } from 'node:crypto';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { ToolResult, defineTool, type Tool } from '@toolwright/sdk';
import { InMemoryContent, createRecordingLogger } from '@toolwright/sdk/testing';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { anyone, createRuntime, type ModelRequest } from '../index.js';
import { transcriptModel } from '../queue/fixtures/queue-world.js';
import { describeOnDatabases } from '../store/sql/fixtures/test-databases.js';
import { SqlRunStore } from '../store/sql/sql-run-store.js';
import type { Encryption } from '../store/sql/step-codec.js';
import { PLANTED_SECRETS, type PlantedSecret } from './fixtures/planted-secrets.js';

const ANYTHING = z.object({ note: z.string().default('') });

/** Tools that let a secret slip wherever a tool can. */
function leakyTools(text: string): readonly Tool[] {
  const shared = { description: 'x', input: ANYTHING };
  return [
    defineTool({
      ...shared,
      name: 'answers',
      execute: (_input, { logger }) => {
        logger.info(`used ${text}`, { detail: { text }, list: [text] });
        return ToolResult.text(`It says: ${text}`, { artifacts: [{ type: 'dump', data: { line: text } }] });
      },
    }),
    defineTool({
      ...shared,
      name: 'throws',
      execute: (_input, { logger }) => {
        const error = new RangeError(`cannot reach ${text}`, { cause: new Error(text) });
        logger.error('failed', { error });
        throw error;
      },
    }),
    defineTool({ ...shared, name: 'refuses', execute: () => ToolResult.refused(`not with ${text}`) }),
    defineTool({
      ...shared,
      name: 'writes',
      effect: 'non_idempotent_write',
      preview: ({ note }) => [`write ${note}`, ...text.split('\n')],
      mayViewPreview: () => true,
      execute: async ({ note }, { content }) =>
        ToolResult.wrote(await content.create('pages', { title: 'x' }), `wrote ${note}`),
    }),
    defineTool({
      ...shared,
      name: 'breaks_its_word',
      execute: () => ToolResult.unchanged(`nothing but ${text}`) as never,
    }),
  ];
}

describeOnDatabases('a secret', (databases) => {
  async function leak({ text }: PlantedSecret, encryption: Encryption) {
    const { units, dialect } = await databases.take();
    const logger = createRecordingLogger();
    const exporter = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const requests: ModelRequest[] = [];
    const call = (tool: string, id?: string) => ({
      say: `I use ${text}`,
      call: { tool, arguments: { note: text, deep: { text } }, ...(id === undefined ? {} : { id }) },
    });
    const script = transcriptModel([
      call('answers'),
      call('throws'),
      call('refuses'),
      call('nowhere'),
      { call: { tool: 'answers', arguments: `{"note": "${text.replaceAll('"', '')}` } },
      call('writes'),
      call('writes'),
      `The end: ${text}`,
    ]);
    const store = new SqlRunStore({ runner: units, dialect, encryption, logger });
    const memory = new InMemoryContent({ records: {}, logger });
    const runtime = createRuntime({
      model: {
        respond: (request) => {
          requests.push(structuredClone({ ...request, signal: undefined }) as unknown as ModelRequest);
          return script.respond(request);
        },
      },
      tools: leakyTools(text),
      store,
      logger,
      tracer: provider.getTracer('test'),
      approvers: anyone,
      content: {
        // A hook of the content system that talks.
        open: (scope) => ({ ...sessionOf(memory, scope), notes: () => [`the index failed: ${text}`] }),
      },
    });
    let result = await runtime.run({
      actor: { id: 'anna' },
      system: `be careful with ${text}`,
      prompt: `use ${text}`,
      history: [
        {
          role: 'assistant',
          content: text,
          calls: [{ id: 'h', name: 'answers', arguments: JSON.stringify({ note: text }) }],
        },
        { role: 'tool', callId: 'h', content: text },
      ],
    });
    const cards: unknown[] = [];
    for (let decisions = 0; result.status === 'paused'; decisions += 1) {
      for (const pause of result.pauses) {
        const { preview } = await runtime.card(pause, { id: 'ben' });
        cards.push(preview);
        if (decisions === 0) await runtime.approve(pause, { id: 'ben' });
        else await runtime.decline(pause, { id: 'ben' }, `because of ${text}`);
      }
      result = await runtime.resume(result.runId);
    }
    expect(result.status).toBe('completed');
    const rows = await units.read({ sql: 'select * from steps', parameters: [] });
    return {
      result,
      requests,
      cards,
      logs: logger.entries,
      spans: exporter
        .getFinishedSpans()
        .map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
      rows,
      steps: (await store.read(result.runId))?.steps ?? [],
      trace: await runtime.trace(result.runId, { id: 'ben' }),
      inbox: await units.read({ sql: 'select * from approvals', parameters: [] }),
    };
  }

  it.each(PLANTED_SECRETS)('of the kind "$kind" gets out nowhere', async (planted) => {
    const left = await leak(planted, { keys: [{ id: 'k', secret: randomBytes(32) }] });
    expect(left.requests).toHaveLength(8);
    expect(left.cards).toHaveLength(2);
    expect(left.spans).toHaveLength(4);
    expect(left.logs.length).toBe(2);
    const { steps, result, ...places } = left;
    for (const part of [planted.secret].flat()) {
      for (const [place, value] of Object.entries(places)) {
        expect(JSON.stringify(value).includes(part), `${part} in ${place}`).toBe(false);
      }
      // What was stored says it nowhere but in the exact arguments, which are sealed.
      const exact = steps.flatMap((step) => (step.kind === 'model' ? step.calls : []));
      expect(exact.some(({ arguments: input }) => input?.includes(part))).toBe(true);
      const rest = JSON.stringify(steps, (name, value: unknown) => (name === 'arguments' ? null : value));
      expect(rest.includes(part), `${part} in the steps`).toBe(false);
      expect(JSON.stringify(result).includes(part)).toBe(false);
    }
  });

  it('stays out of what is kept of an answer that broke its contract', async () => {
    const [{ text }] = PLANTED_SECRETS as readonly [PlantedSecret];
    const tools = leakyTools(text);
    const model = transcriptModel([{ call: { tool: 'breaks_its_word' } }]);
    const runtime = createRuntime({ model, tools, logger: createRecordingLogger() });
    const result = await runtime.run({ actor: { id: 'anna' }, prompt: 'x' });
    expect(result.status).toBe('failed');
    const trace = JSON.stringify(await runtime.trace(result.runId));
    expect(trace).toContain('nothing but [redacted]');
    expect(trace).not.toContain(text);
  });

  it('stands in the clear only in exact arguments when nothing is encrypted', async () => {
    const [planted] = PLANTED_SECRETS;
    const { rows } = await leak(planted!, 'none');
    const holding = rows.filter((row) => JSON.stringify(row).includes(String(planted!.secret)));
    expect(holding.length).toBeGreaterThan(0);
    expect(
      holding.filter(
        ({ kind, trace }) => kind !== 'model' || String(trace).includes(String(planted!.secret)),
      ),
    ).toEqual([]);
  });
});

function sessionOf(memory: InMemoryContent, scope: Parameters<InMemoryContent['open']>[0]) {
  const session = memory.open(scope);
  return {
    reader: session.reader,
    writer: session.writer,
    landed: () => session.landed(),
    failedWrite: () => session.failedWrite(),
    pendingWrites: () => session.pendingWrites(),
  };
}
