import { randomBytes } from 'node:crypto';
import { ToolResult } from '@toolwright/sdk';
import { createRecordingLogger, createTestClock } from '@toolwright/sdk/testing';
import { expect, it } from 'vitest';
import { creator, expectStatus, harness, only } from '../../loop/fixtures/harness.js';
import { transcriptModel } from '../../queue/fixtures/queue-world.js';
import { clocked } from './fixtures/clocked-dialect.js';
import { FaultyUnits } from './fixtures/faulty-units.js';
import { describeOnDatabases } from './fixtures/test-databases.js';
import { SqlRunStore } from './sql-run-store.js';
import type { Encryption } from './step-codec.js';

const CREATE = { call: { tool: 'create_page', arguments: { title: 'News' } } };
const KEY = { id: 'old', secret: randomBytes(32) };
const NEXT = { id: 'new', secret: randomBytes(32) };

describeOnDatabases('operations', (databases) => {
  async function world(encryption: Encryption = 'none') {
    const { units, dialect } = await databases.take();
    const clock = createTestClock();
    const faults = new FaultyUnits(units);
    const effects: string[] = [];
    const tool = creator(({ title }) => {
      effects.push(title);
      return ToolResult.refused('not in this test');
    });
    const open = (keys: Encryption) => {
      const store = new SqlRunStore({
        runner: faults,
        dialect: clocked(dialect, clock),
        encryption: keys,
        time: clock,
        clock: { elapsedMs: () => clock.now().getTime() },
        logger: createRecordingLogger(),
      });
      const h = harness([], [tool], {
        store,
        time: clock,
        wakeUps: null,
        model: transcriptModel([CREATE, 'Done.']),
      });
      return { ...h, store, operations: h.runtime.operations };
    };
    const host = open(encryption);
    return {
      ...host,
      clock,
      units,
      faults,
      open,
      effects,
      /** The write of the run stands open: its owner vanished between the fence and the step. */
      async interrupted(): Promise<void> {
        await host.runtime.enqueue({ actor: { id: 'anna' }, prompt: 'do it' });
        const gone = (await host.store.claimQueued('run-1'))!;
        const model = await transcriptModel([CREATE]).respond({
          messages: [],
          tools: [],
          correlationId: 'x',
          signal: new AbortController().signal,
        });
        const [call] = model.calls;
        await gone.record([
          {
            kind: 'model',
            round: 1,
            content: '',
            calls: [
              {
                callId: call!.id,
                tool: 'create_page',
                effect: 'non_idempotent_write',
                toolVersion: host.runtime.tools.get('create_page')!.version,
                rawArguments: call!.arguments,
                arguments: call!.arguments,
                argumentsDigest: 'd',
                refusal: null,
              },
            ],
            finish: 'tool_calls',
            model: null,
            usage: null,
            seq: 2,
            at: clock.now().toISOString(),
          },
        ]);
        const until = new Date(clock.now().getTime() + 1_000);
        const write = {
          callId: call!.id,
          tool: 'create_page',
          effect: 'non_idempotent_write',
          until,
        } as const;
        await gone.beforeWrite(write);
        gone.close?.();
        clock.advance(120_000);
        await host.runtime.reap();
      },
      async drain(): Promise<void> {
        const stop = new AbortController();
        const working = host.runtime.work({ signal: stop.signal });
        while ((await host.operations.find('run-1'))?.status !== 'completed') {
          await new Promise(setImmediate);
        }
        stop.abort();
        await working;
      },
    };
  }

  it('tell what a row says, the newest change first', async () => {
    const { operations, runtime, interrupted, clock } = await world();
    await interrupted();
    clock.advance(1_000);
    await runtime.enqueue({ actor: { id: 'ben' }, prompt: 'x', runId: 'run-2', correlationId: 'c-2' });
    const all = await operations.list({ limit: 10 });
    expect(all.map(({ runId }) => runId)).toEqual(['run-2', 'run-1']);
    expect(all[0]).toMatchObject({
      status: 'queued',
      actor: { id: 'ben' },
      correlationId: 'c-2',
      deadLetter: null,
    });
    expect(all[0]?.dueAt).toBe(clock.now().toISOString());
    expect(await operations.list({ limit: 10, isDeadLetter: true })).toEqual([
      expect.objectContaining({
        runId: 'run-1',
        status: 'failed',
        steps: 3,
        deadLetter: { reason: 'not_retryable', detail: 'write_interrupted' },
        openWrite: { callId: 'call_1_1', tool: 'create_page', effect: 'non_idempotent_write' },
      }),
    ]);
    expect(await operations.list({ limit: 10, status: 'paused' })).toEqual([]);
    expect(await operations.find('nope')).toBeNull();
    await expect(operations.list({ limit: 0 })).rejects.toMatchObject({ code: 'INVALID_CONFIGURATION' });
  });

  it('resolve an open write as landed, put the run back, and never run the call again', async () => {
    const { operations, runtime, store, effects, interrupted, drain } = await world();
    await interrupted();
    await expect(operations.requeue('run-1')).rejects.toMatchObject({ code: 'WRITE_UNRESOLVED' });
    const landed = { kind: 'landed', target: { table: 'pages', uid: 77 } } as const;
    expect(await runtime.resolve('run-1', { outcome: landed, by: 'ben', reason: 'seen' })).toEqual({
      callId: 'call_1_1',
    });
    expect(await operations.find('run-1')).toMatchObject({ status: 'failed', openWrite: null, steps: 5 });
    const steps = (await store.read('run-1'))?.steps ?? [];
    expect(only(steps, 'resolution')).toMatchObject([{ by: 'ben', outcome: 'landed', reason: 'seen' }]);
    expect(only(steps, 'write_target')).toMatchObject([
      { table: 'pages', uid: 77, tool: 'create_page', mark: null },
    ]);

    await operations.requeue('run-1');
    await drain();
    expect(effects).toEqual([]);
    const result = (await store.read('run-1'))!;
    expect(only(result.steps, 'tool')).toEqual([]);
    expect(await operations.find('run-1')).toMatchObject({
      status: 'completed',
      deadLetter: null,
      requeues: 0,
    });
  });

  it('resolve an open write as not landed, and tell the model', async () => {
    const { operations, runtime, interrupted, store } = await world();
    await interrupted();
    await runtime.resolve('run-1', { outcome: { kind: 'not_landed' }, by: 'ben', reason: null });
    await operations.requeue('run-1');
    const asked: unknown[] = [];
    const stop = new AbortController();
    const next = harness([], [creator()], {
      wakeUps: null,
      store,
      model: {
        respond: (request) => {
          asked.push(...request.messages);
          stop.abort();
          return Promise.resolve({ content: 'Done.', calls: [], finish: 'stop' });
        },
      },
    });
    await next.runtime.work({ signal: stop.signal });
    expect(asked.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('nothing was written'),
    });
  });

  it('resolve a write that ended without a known outcome', async () => {
    const { runtime, store, operations } = await world();
    const h = harness([], [creator(() => Promise.reject(new Error('x')))], {
      store,
      model: transcriptModel([CREATE, 'Done.']),
    });
    expectStatus(await h.run(), 'completed');
    const outcome = { kind: 'landed', target: { table: 'pages', uid: 5 } } as const;
    await runtime.resolve('run-1', { outcome, by: 'ben', reason: null });
    expect(await operations.find('run-1')).toMatchObject({ status: 'completed', steps: 7 });
    await expect(
      runtime.resolve('run-1', { outcome: { kind: 'not_landed' }, by: 'ben', reason: null }),
    ).rejects.toMatchObject({ code: 'RUN_NOT_RESOLVABLE', message: expect.stringContaining('none') });
  });

  it.each([
    ['the run is queued', 'run-1', {}],
    ['there is no such run', 'nope', {}],
  ])('resolve nothing when %s', async (_what, runId) => {
    const { runtime } = await world();
    await runtime.enqueue({ actor: { id: 'anna' }, prompt: 'x' });
    const resolving = runtime.resolve(runId, { outcome: { kind: 'not_landed' }, by: 'ben', reason: null });
    await expect(resolving).rejects.toMatchObject({
      code: runId === 'nope' ? 'RUN_NOT_FOUND' : 'RUN_NOT_RESOLVABLE',
    });
  });

  it('resolve nothing when the record is none, or another call is named', async () => {
    const { runtime, operations, interrupted } = await world();
    await interrupted();
    const before = await operations.find('run-1');
    for (const wrong of [
      { outcome: { kind: 'landed', target: { table: '', uid: 1 } } as const },
      { outcome: { kind: 'landed', target: { table: 'pages', uid: -1 } } as const },
      { outcome: { kind: 'not_landed' } as const, callId: 'call_9' },
    ]) {
      await expect(runtime.resolve('run-1', { ...wrong, by: 'ben', reason: null })).rejects.toMatchObject({
        code: 'RUN_NOT_RESOLVABLE',
      });
    }
    expect(await operations.find('run-1')).toEqual(before);
  });

  it('put back only what failed', async () => {
    const { runtime, operations } = await world();
    await runtime.enqueue({ actor: { id: 'anna' }, prompt: 'x' });
    await expect(operations.requeue('run-1')).rejects.toMatchObject({ code: 'RUN_NOT_REQUEUABLE' });
    await expect(operations.requeue('nope')).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
  });

  it('put a run with late evidence back only when somebody has read it', async () => {
    const { store, operations, clock, runtime } = await world();
    await runtime.enqueue({ actor: { id: 'anna' }, prompt: 'x' });
    const journal = (await store.claimQueued('run-1'))!;
    const target = { table: 'pages', uid: 3 };
    const evidence = {
      callId: 'c',
      tool: 't',
      cause: 'run_lost',
      ending: 'answered',
      target,
      landed: [],
    } as const;
    await journal.keepLateEvidence(evidence);
    journal.close?.();
    clock.advance(120_000);
    await runtime.reap();
    expect(await operations.find('run-1')).toMatchObject({
      hasLateEvidence: true,
      deadLetter: { detail: 'audit_lost' },
    });
    expect(await operations.lateEvidence('run-1')).toEqual([evidence]);
    await expect(operations.requeue('run-1')).rejects.toMatchObject({ code: 'EVIDENCE_UNREAD' });
    await operations.requeue('run-1', { isEvidenceRead: true });
    expect(await operations.find('run-1')).toMatchObject({ status: 'queued', hasLateEvidence: false });
  });

  it('do once what they are asked, though the answer to a COMMIT is lost', async () => {
    const { operations, runtime, store, faults, interrupted } = await world();
    await interrupted();
    let isLost = false;
    faults.faultOf = () => {
      isLost = !isLost;
      return isLost ? 'answer_lost' : 'none';
    };
    const outcome = { kind: 'not_landed' } as const;
    await runtime.resolve('run-1', { callId: 'call_1_1', outcome, by: 'ben', reason: null });
    await operations.requeue('run-1');
    faults.faultOf = () => 'none';
    expect(only((await store.read('run-1'))?.steps ?? [], 'resolution')).toHaveLength(1);
    expect((await operations.find('run-1'))?.status).toBe('queued');
  });

  it('purge what ended before a time, and nothing with an open write', async () => {
    const { operations, runtime, interrupted, clock, units } = await world();
    await interrupted();
    for (const runId of ['a', 'b', 'c']) {
      await runtime.enqueue({ actor: { id: 'anna' }, prompt: 'x', runId });
      await runtime.cancel(runId);
    }
    await runtime.enqueue({ actor: { id: 'anna' }, prompt: 'x', runId: 'waiting' });
    const before = new Date(clock.now().getTime() + 1);
    clock.advance(60_000);
    await runtime.enqueue({ actor: { id: 'anna' }, prompt: 'x', runId: 'young' });
    await runtime.cancel('young');
    expect(await operations.purge(before)).toBe(3);
    expect((await operations.list({ limit: 10 })).map(({ runId }) => runId).sort()).toEqual([
      'run-1',
      'waiting',
      'young',
    ]);
    const rows = await units.read({ sql: 'select distinct run_id from steps order by 1', parameters: [] });
    expect(rows.map((row) => row['run_id'])).toEqual(['run-1', 'waiting', 'young']);
    expect(await operations.purge(before)).toBe(0);
  });

  it('seal anew with the first key what an older one sealed, and once', async () => {
    const { open, runtime, units } = await world({ keys: [KEY] });
    await runtime.enqueue({ actor: { id: 'anna' }, prompt: 'x' });
    const both = open({ keys: [NEXT, KEY] });
    await both.runtime.enqueue({ actor: { id: 'anna' }, prompt: 'x', runId: 'run-2' });
    expect(await both.operations.rotateKeys()).toBe(1);
    expect(await both.operations.rotateKeys()).toBe(0);
    const next = open({ keys: [NEXT] });
    expect((await next.store.read('run-1'))?.steps).toMatchObject([{ kind: 'request' }]);
    expect(await units.read({ sql: 'select count(*) as n from steps', parameters: [] })).toEqual([{ n: 2 }]);
    await expect(open({ keys: [KEY] }).operations.rotateKeys()).rejects.toMatchObject({ code: 'WRONG_KEY' });
  });

  it('seal what stood in the clear when the store gets its first key', async () => {
    const { open, runtime, units } = await world('none');
    await runtime.enqueue({ actor: { id: 'anna' }, prompt: 'about Elbphilharmonie' });
    await expect(open('none').operations.rotateKeys()).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringContaining('has no key') as string,
    });
    const sealed = open({ keys: [KEY] });
    await expect(sealed.store.read('run-1')).rejects.toMatchObject({ code: 'WRONG_KEY' });
    expect(await sealed.operations.rotateKeys()).toBe(1);
    expect(JSON.stringify((await sealed.store.read('run-1'))?.steps)).toContain('Elbphilharmonie');
    expect(JSON.stringify(await units.read({ sql: 'select * from steps', parameters: [] }))).not.toContain(
      'Elb',
    );
  });
});
