import { defineTool, ToolResult, WriteTarget, type ContentHistory, type Tool } from '@toolwright/sdk';
import { createRecordingLogger, createTestClock, InMemoryContent } from '@toolwright/sdk/testing';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  createRuntime,
  MemoryRunStore,
  neverPause,
  type Model,
  type RuntimeError,
  type RunStore,
  type RuntimeOptions,
  type ScriptedCall,
} from '../index.js';
import { creator, CREATE as CREATE_TURN, gate, harness, reader, renamer } from '../loop/fixtures/harness.js';
import { scriptedModel } from '../model/scripted-model.js';
import { describeOnDatabases } from '../store/sql/fixtures/test-databases.js';
import { SqlRunStore } from '../store/sql/sql-run-store.js';

const page = WriteTarget.of('pages', 12);
const rename = (title: string, uid = 12): ScriptedCall => ({
  tool: 'rename_page',
  arguments: { uid, title },
});
const create = (title: string): ScriptedCall => ({ tool: 'create_page', arguments: { title } });
const CREATE = create('News');

const releaser = defineTool({
  name: 'touch_page',
  description: 'Writes a field that no other tool writes.',
  effect: 'idempotent_write',
  input: z.object({ uid: z.number() }),
  execute: async ({ uid }, { content }) =>
    ToolResult.wrote(await content.update(WriteTarget.of('pages', uid), { seen: 1 }), 'Touched.'),
}) as Tool;

/** The same model, saying its name. */
const named = (model: Model): Model => ({
  respond: async (request) => ({ ...(await model.respond(request)), model: 'm-1' }),
});

/** A host on one store, whose runs are run-1, run-2, … */
function world(store: RunStore, options: Partial<RuntimeOptions> = {}, contentOptions: object = {}) {
  const clock = createTestClock();
  const logger = createRecordingLogger();
  const content = new InMemoryContent({
    records: { pages: { 12: { title: 'Old', slug: 'old' } } },
    logger,
    clock,
    ...contentOptions,
  });
  let runs = 0;
  /** Runs a model that asks for these calls in one answer. */
  const run = (...calls: readonly ScriptedCall[]) => {
    const runtime = hostWith(named(scriptedModel([{ call: calls }, 'Done.'])));
    runs += 1;
    return runtime.run({ actor: { id: 'anna' }, prompt: 'do it', runId: `run-${String(runs)}` });
  };
  const hostWith = (model: RuntimeOptions['model']) =>
    createRuntime({
      model,
      tools: [creator(), renamer(), reader(), releaser],
      content,
      store,
      logger,
      time: clock,
      policy: neverPause,
      ...options,
    });
  const host = hostWith(scriptedModel([]));
  return {
    content,
    clock,
    logger,
    run,
    host,
    outcomes: host.outcomes,
    observed: async (callId = 'call_1', runId = 'run-1') =>
      (await host.outcomes.ofCall({ runId, callId })).map(({ observed }) => observed),
    values: async (callId = 'call_1', runId = 'run-1') =>
      (await host.outcomes.ofCall({ runId, callId })).map(({ observed }) => observed?.value ?? null),
  };
}

function describeOutcomes(makeStore: () => Promise<RunStore>): void {
  it('are derived from what people did to the record, when a tool wrote it through the loop', async () => {
    const { content, clock, outcomes, observed, run } = world(await makeStore());
    await run(CREATE);
    const [created] = await outcomes.ofCall({ runId: 'run-1', callId: 'call_1' });
    expect(created).toMatchObject({ tool: 'create_page', model: 'm-1', observed: null, rating: null });
    const target = WriteTarget.of('pages', created?.target.uid ?? 0);
    expect(await outcomes.derive()).toMatchObject({ lookedAt: 1, undecided: 1, edited: 0 });
    content.edit(target, { title: 'Better news' });
    expect(await outcomes.derive()).toMatchObject({ lookedAt: 1, undecided: 1, edited: 0 });
    content.release(target);
    clock.advance(1_000);
    expect(await outcomes.derive()).toMatchObject({ lookedAt: 1, undecided: 0, edited: 1 });
    const decided = await observed();
    expect(decided).toEqual([
      {
        value: 'edited',
        reason: 'released_changed',
        entries: [expect.any(String), expect.any(String)],
        derivedAt: clock.now().toISOString(),
      },
    ]);
    content.remove(target);
    clock.advance(1_000);
    expect(await outcomes.derive()).toMatchObject({ lookedAt: 0 });
    expect(await observed()).toEqual(decided);
  });

  it('tell two records of one run apart, and leave an edit of fields that no tool wrote alone', async () => {
    const { content, outcomes, values, run } = world(await makeStore());
    await run(CREATE, rename('New'));
    const [created] = await outcomes.ofCall({ runId: 'run-1', callId: 'call_1' });
    content.edit(page, { slug: 'new' });
    content.release(page);
    content.remove(WriteTarget.of('pages', created?.target.uid ?? 0));
    expect(await outcomes.derive()).toMatchObject({ lookedAt: 2, accepted_unchanged: 1, discarded: 1 });
    expect([await values('call_1'), await values('call_2')]).toEqual([['discarded'], ['accepted_unchanged']]);
  });

  it('judge only the last write when a run, or another one, wrote the record twice', async () => {
    const { content, outcomes, values, run } = world(await makeStore());
    await run(rename('One'), rename('Two'));
    await run(rename('Three'));
    await run({ tool: 'touch_page', arguments: { uid: 12 } });
    content.release(page);
    expect(await outcomes.derive()).toMatchObject({ lookedAt: 4, accepted_unchanged: 2, undecided: 2 });
    expect([await values('call_1'), await values('call_2')]).toEqual([[null], [null]]);
    expect(await values('call_1', 'run-2')).toEqual(['accepted_unchanged']);
    expect(await values('call_1', 'run-3')).toEqual(['accepted_unchanged']);
  });

  it('are unknown when the history was purged, and stay so', async () => {
    const { content, outcomes, observed, run } = world(await makeStore());
    await run(rename('New'));
    content.release(page);
    content.purgeHistory(page);
    expect(await outcomes.derive()).toMatchObject({ lookedAt: 1, unknown: 1, accepted_unchanged: 0 });
    expect(await observed()).toMatchObject([{ value: 'unknown', reason: 'purged', entries: [] }]);
    expect(await outcomes.derive()).toMatchObject({ lookedAt: 0 });
  });

  it('are unknown when the uid belongs to another record, even one with the same content', async () => {
    const { content, outcomes, observed, run } = world(await makeStore());
    await run(rename('New'));
    content.remove(page);
    content.put('pages', { title: 'New' }, 12);
    content.release(page);
    await outcomes.derive();
    expect(await observed()).toMatchObject([{ value: 'unknown', reason: 'uid_reused' }]);
  });

  it('are unknown without a mark, and without a history for the table until there is one', async () => {
    const store = await makeStore();
    const { content, clock, run, outcomes, observed } = world(store, { history: () => null });
    await run(rename('New'));
    content.release(page);
    expect(await outcomes.derive()).toMatchObject({ lookedAt: 1, unknown: 1 });
    const first = await observed();
    expect(first).toMatchObject([{ value: 'unknown', reason: 'no_history' }]);
    clock.advance(1_000);
    expect(await outcomes.derive()).toMatchObject({ lookedAt: 1, unknown: 1 });
    expect(await observed()).toEqual(first);
    const asked: string[] = [];
    const history = (table: string): ContentHistory => {
      asked.push(table);
      return content.history;
    };
    const later = createRuntime({
      model: scriptedModel([]),
      store,
      history,
      logger: createRecordingLogger(),
    });
    expect(await later.outcomes.derive()).toMatchObject({ lookedAt: 1, accepted_unchanged: 1 });
    expect(asked).toEqual(['pages']);

    const mute: ContentHistory = {
      mark: () => Promise.resolve(null),
      since: () => Promise.resolve({ kind: 'entries', entries: [] }),
    };
    const other = world(await makeStore(), {}, { history: mute });
    await other.run(rename('New'));
    await other.outcomes.derive();
    expect(await other.observed()).toMatchObject([{ value: 'unknown', reason: 'no_mark' }]);
  });

  it('stay open when a history cannot be asked, or answers nonsense, and are told apart in the log', async () => {
    const { content, logger, outcomes, observed, run } = world(await makeStore());
    await run(rename('New'), CREATE);
    content.release(page);
    const since = content.history.since.bind(content.history);
    const nonsense: unknown[] = [
      null,
      { kind: 'entries' },
      { kind: 'unknown', reason: 'forgotten' },
      { kind: 'entries', entries: [{ id: 'x', kind: 'released', at: new Date(0), runId: null }] },
    ];
    for (const answer of nonsense) {
      content.history.since = (target, mark) =>
        target.equals(page) ? Promise.resolve(answer as never) : since(target, mark);
      // Nothing is not a table without a history.
      expect(await outcomes.derive(), JSON.stringify(answer)).toMatchObject({
        lookedAt: 2,
        failed: 1,
        undecided: 1,
      });
    }
    content.history.since = () => Promise.reject(new Error('a secret of the system'));
    expect(await outcomes.derive()).toMatchObject({ lookedAt: 2, failed: 2, unknown: 0 });
    await new Promise(setImmediate);
    expect(JSON.stringify(logger.entries)).toContain('The history of a record could not be read.');
    expect(JSON.stringify(logger.entries)).not.toContain('a secret');
    expect(await observed()).toEqual([null]);
    content.history.since = since;
    expect(await outcomes.derive()).toMatchObject({ lookedAt: 2, failed: 0, accepted_unchanged: 1 });
  });

  it('are not logged one by one when the content system is down', async () => {
    const { content, logger, outcomes, run } = world(await makeStore());
    await run(...Array.from({ length: 9 }, (_, index) => create(String(index))));
    content.history.since = () => Promise.reject(new Error('down'));
    expect(await outcomes.derive()).toMatchObject({ lookedAt: 9, failed: 9 });
    await new Promise(setImmediate);
    const said = logger.entries.filter(({ message }) => message.includes('could not be read'));
    expect(said).toHaveLength(6);
    expect(said.at(-1)?.fields).toMatchObject({ failed: 9, lookedAt: 9 });
  });

  it('are the same rows when they are derived twice, at once, and while somebody edits', async () => {
    const { content, outcomes, observed, values, run } = world(await makeStore());
    await run(rename('New'), CREATE);
    content.release(page);
    const since = content.history.since.bind(content.history);
    let edits = 0;
    content.history.since = async (target, mark) => {
      const reading = await since(target, mark);
      // Between the reading and the row that is kept of it.
      content.edit(page, { title: `edit ${String((edits += 1))}` });
      content.release(page);
      return reading;
    };
    await Promise.all([outcomes.derive({ pageSize: 1 }), outcomes.derive({ atOnce: 1 }), outcomes.derive()]);
    expect(edits).toBeGreaterThan(2);
    const rows = await observed();
    expect(rows).toMatchObject([{ value: 'accepted_unchanged' }]);
    await outcomes.derive();
    expect(await observed()).toEqual(rows);
    expect(await values('call_2')).toEqual([null]);
  });

  it('are derived only for the tool and time that are asked for, and no further once somebody stops it', async () => {
    const { clock, outcomes, run } = world(await makeStore());
    await run(rename('New'));
    clock.advance(60_000);
    const between = clock.now();
    clock.advance(60_000);
    await run(create('One'), create('Two'), create('Three'));
    expect(await outcomes.derive({ tool: 'rename_page' })).toMatchObject({ lookedAt: 1 });
    expect(await outcomes.derive({ from: between })).toMatchObject({ lookedAt: 3 });
    expect(await outcomes.derive({ to: between })).toMatchObject({ lookedAt: 1 });
    expect(await outcomes.derive({ signal: AbortSignal.abort() })).toMatchObject({ lookedAt: 0 });
    const stop = new AbortController();
    const stopping = outcomes.derive({ pageSize: 2, signal: stop.signal });
    stop.abort();
    expect(await stopping).toMatchObject({ lookedAt: 2 });
    for (const options of [{ pageSize: 0 }, { pageSize: 1_001 }, { atOnce: 0.5 }]) {
      await expect(outcomes.derive(options)).rejects.toMatchObject({ code: 'INVALID_CONFIGURATION' });
    }
  });

  it('take a rating of a call, by its run or by its correlation id, and the latest one counts', async () => {
    const { outcomes, run } = world(await makeStore());
    await run(rename('New'));
    const rated = async () =>
      (await outcomes.ofCall({ runId: 'run-1', callId: 'call_1' })).map(({ rating }) => rating);
    await outcomes.rate({ runId: 'run-1', callId: 'call_1' }, 'helpful');
    expect(await rated()).toEqual(['helpful']);
    await outcomes.rate({ correlationId: 'run-1', callId: 'call_1' }, 'not_helpful');
    expect(await rated()).toEqual(['not_helpful']);
    const { observed, explicit } = await outcomes.report();
    expect(explicit).toMatchObject([{ calls: 1, rated: 1, rates: { helpful: 0, not_helpful: 1 } }]);
    expect(observed).toMatchObject([{ landed: 1, undecided: 1, decided: 0, rates: null }]);
  });

  it('refuse a rating of what is not there, what has not run, and what has written nothing', async () => {
    const store = await makeStore();
    const { outcomes, host, run } = world(store);
    await run(rename('New'), { tool: 'count_pages', arguments: {} }, { tool: 'no_such_tool', arguments: {} });
    const code = (call: Parameters<typeof outcomes.rate>[0], rating: unknown = 'helpful') =>
      outcomes.rate(call, rating as 'helpful').then(
        () => 'rated',
        (error: unknown) => (error as RuntimeError).code,
      );
    expect(await code({ runId: 'run-9', callId: 'call_1' })).toBe('RUN_NOT_FOUND');
    expect(await code({ correlationId: 'run-9', callId: 'call_1' })).toBe('RUN_NOT_FOUND');
    expect(await code({ runId: 'run-1', callId: 'call_9' })).toBe('CALL_NOT_FOUND');
    expect(await code({ runId: 'run-1', callId: 'call_3' })).toBe('CALL_NOT_FOUND');
    expect(await code({ runId: 'run-1', callId: 'call_2' })).toBe('CALL_NOT_RATEABLE');
    expect(await code({ runId: 'run-1', callId: 'call_1' }, 'great')).toBe('INVALID_CONFIGURATION');
    const shared = createRuntime({
      model: scriptedModel([{ call: rename('Again') }, 'Done.']),
      tools: [renamer()],
      content: new InMemoryContent({ records: { pages: { 12: {} } }, logger: createRecordingLogger() }),
      store,
      policy: neverPause,
      logger: createRecordingLogger(),
    });
    await shared.run({ actor: { id: 'ben' }, prompt: 'x', runId: 'run-2', correlationId: 'run-1' });
    expect(await code({ correlationId: 'run-1', callId: 'call_1' })).toBe('CALL_NOT_RATEABLE');
    expect(await code({ runId: 'run-2', callId: 'call_1' })).toBe('rated');
    expect(await host.outcomes.ofCall({ runId: 'run-1', callId: 'call_1' })).toMatchObject([
      { rating: null },
    ]);
  });

  it('say nothing of who ran, rated, edited or released', async () => {
    const { content, outcomes, run } = world(await makeStore());
    await run(rename('New'));
    content.edit(page, { title: 'Mine' });
    content.release(page);
    await outcomes.derive();
    await outcomes.rate({ runId: 'run-1', callId: 'call_1' }, 'helpful');
    const [row] = await outcomes.ofCall({ runId: 'run-1', callId: 'call_1' });
    expect(Object.keys(row ?? {}).sort()).toEqual(
      [
        'id',
        'runId',
        'correlationId',
        'callId',
        'tool',
        'model',
        'target',
        'landedAt',
        'observed',
        'rating',
      ].sort(),
    );
    expect(Object.keys(row?.observed ?? {}).sort()).toEqual(['derivedAt', 'entries', 'reason', 'value']);
    expect(JSON.stringify([row, await outcomes.report()])).not.toMatch(/anna|actor/u);
  });
}

describe('outcomes in memory', () => {
  describeOutcomes(() => Promise.resolve(new MemoryRunStore({ time: createTestClock() })));

  it('are derived of a write that landed after its run had gone on without it', async () => {
    const h = harness([CREATE_TURN, 'Done.'], [creator()], { limits: { callTimeoutMs: 5, callGraceMs: 5 } });
    const [started, late] = [gate(), gate()];
    h.content.hooks.beforeWrite.push(() => {
      started.open();
      return late.opened;
    });
    const running = h.run();
    await started.opened;
    await h.pass(10);
    await h.pass(5);
    await running;
    const call = { runId: 'run-1', callId: 'call_1' };
    expect(await h.runtime.outcomes.ofCall(call)).toEqual([]);
    await expect(h.runtime.outcomes.rate(call, 'helpful')).rejects.toMatchObject({
      code: 'CALL_NOT_RATEABLE',
    });
    late.open();
    await new Promise(setImmediate);
    expect(h.store.lateEvidence('run-1')).toMatchObject([
      { target: expect.anything(), landed: [{ mark: expect.any(String) }] },
    ]);
    const [landed] = await h.runtime.outcomes.ofCall(call);
    h.content.release(WriteTarget.of('pages', landed?.target.uid ?? 0));
    expect(await h.runtime.outcomes.derive()).toMatchObject({ lookedAt: 1, accepted_unchanged: 1 });
    await h.runtime.outcomes.rate(call, 'helpful');
    expect(await h.runtime.outcomes.ofCall(call)).toMatchObject([
      { rating: 'helpful', observed: { value: 'accepted_unchanged' } },
    ]);
  });

  it('are refused when the store keeps none', () => {
    const { create, read, claim, appendToPaused, requestCancel } = new MemoryRunStore();
    const store = { create, read, claim, appendToPaused, requestCancel };
    const { host } = world(new MemoryRunStore());
    expect(host.outcomes).toBeDefined();
    expect(() => createRuntime({ model: scriptedModel([]), store }).outcomes).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIGURATION' }),
    );
  });

  it('need a history that is one', () => {
    expect(() => createRuntime({ model: scriptedModel([]), history: {} as never })).toThrow(
      'expected history to be an object with a method mark',
    );
  });
});

describeOnDatabases('outcomes of a host', (databases) => {
  const makeStore = async (): Promise<SqlRunStore> => {
    const { units, dialect } = await databases.take();
    return new SqlRunStore({ runner: units, dialect, encryption: 'none', logger: createRecordingLogger() });
  };
  describeOutcomes(makeStore);

  it('have a target, without a mark, once a person has said that a write landed', async () => {
    const store = await makeStore();
    const failing = creator(() => {
      throw new Error('lost');
    });
    const { host, outcomes, run, observed } = world(store, { tools: [failing] });
    await run(CREATE);
    expect(await outcomes.ofCall({ runId: 'run-1', callId: 'call_1' })).toEqual([]);
    const outcome = { kind: 'landed', target: { table: 'pages', uid: 44 } } as const;
    await host.resolve('run-1', { callId: 'call_1', outcome, by: 'ben', reason: null });
    expect(await outcomes.derive()).toMatchObject({ lookedAt: 1, unknown: 1 });
    expect(await observed()).toMatchObject([{ value: 'unknown', reason: 'no_mark' }]);
    await outcomes.rate({ runId: 'run-1', callId: 'call_1' }, 'not_helpful');
    expect(await outcomes.ofCall({ runId: 'run-1', callId: 'call_1' })).toMatchObject([
      { model: 'm-1', target: { table: 'pages', uid: 44 }, rating: 'not_helpful' },
    ]);
  });

  it('outlive their run, and may still be rated and derived after it was purged', async () => {
    const store = await makeStore();
    const { content, outcomes, run, values } = world(store);
    await run(rename('New'), CREATE);
    expect(await store.operations.purge(new Date(Date.now() + 60_000))).toBe(1);
    expect(await store.read('run-1')).toBeNull();
    content.release(page);
    await outcomes.derive();
    await outcomes.rate({ runId: 'run-1', callId: 'call_1' }, 'helpful');
    expect(await values()).toEqual(['accepted_unchanged']);
    expect((await outcomes.report({ by: 'tool' })).observed).toMatchObject([
      { tool: 'create_page', landed: 1, undecided: 1 },
      { tool: 'rename_page', landed: 1, counts: { accepted_unchanged: 1 } },
    ]);
  });
});
