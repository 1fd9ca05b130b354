import { describe, expect, it } from 'vitest';
import { kindsOf, only, stepsOf } from '../loop/fixtures/harness.js';
import { ModelError, alwaysPause, type WakeUps } from '../index.js';
import { describeOnDatabases } from '../store/sql/fixtures/test-databases.js';
import { queueWorld, type Effect, type QueueWorld } from './fixtures/queue-world.js';

const CREATE = [{ call: { tool: 'create' } }, 'Done.'];
const RENAME = [{ call: { tool: 'rename' } }, 'Done.'];
const LEASE_OVER = 60_000;

/** A second process finds the first one's lease expired and does what is to be done. */
async function takeOver(world: QueueWorld): Promise<void> {
  const other = world.start();
  world.wall.advance(LEASE_OVER);
  other.clock.advance(LEASE_OVER);
  await other.drain();
  world.wall.advance(5_000);
  other.clock.advance(5_000);
  await other.drain();
}

describeOnDatabases('the queue', (databases) => {
  describe('a run in the queue', () => {
    it('goes the same way as a direct one, and outlives the process that stored it', async () => {
      const script = [
        { call: [{ tool: 'look' }, { tool: 'create' }] },
        { call: { tool: 'rename' } },
        'Done.',
      ];
      const queued = await queueWorld(databases, script);
      await queued.start().enqueue();
      await queued.start().drain();
      const direct = await queueWorld(databases, script);
      const process = direct.start();
      expect(await process.run()).toMatchObject({ status: 'completed', answer: 'Done.' });
      expect(queued.effects).toEqual(direct.effects);
      expect(await stepsOf(queued.start().store)).toEqual(await stepsOf(process.store));
      expect(await queued.row()).toMatchObject({ status: 'completed', owner: null, requeues: 0, epoch: 1 });
    });

    it('does not start before its time', async () => {
      const world = await queueWorld(databases, CREATE);
      const process = world.start();
      const notBefore = new Date(world.wall.now().getTime() + 5_000);
      await process.runtime.enqueue({ actor: { id: 'a' }, prompt: 'x' }, { notBefore });
      await process.drain();
      expect(await world.row()).toMatchObject({ status: 'queued' });
      await world.pass(5_000);
      await process.drain();
      expect(await world.row()).toMatchObject({ status: 'completed' });
    });

    it('is driven once when the same wake-up comes three times, to two workers', async () => {
      const world = await queueWorld(databases, CREATE);
      const handlers: ((runId: string) => Promise<void>)[] = [];
      const wakeUps: WakeUps = {
        send: () => Promise.reject(new Error('the transport is away')),
        receive: (handler) => {
          handlers.push(handler);
          return Promise.resolve(() => Promise.resolve());
        },
      };
      const one = world.start({ wakeUps });
      const other = world.start({ wakeUps });
      const stop = new AbortController();
      const working = [one, other].map(({ runtime }) => runtime.work({ signal: stop.signal }));
      await world.settle();
      await world.start().enqueue();
      await Promise.all(handlers.flatMap((wake) => [wake('run-1'), wake('run-1'), wake('nope')]));
      await world.settle();
      stop.abort();
      await Promise.all(working);
      expect(world.effects).toHaveLength(1);
      expect(await world.row()).toMatchObject({ status: 'completed', epoch: 1 });
    });

    it('is stored when its wake-up cannot be sent', async () => {
      const world = await queueWorld(databases, CREATE);
      const receive = () => Promise.resolve(() => Promise.resolve());
      const process = world.start({ wakeUps: { send: () => Promise.reject(new Error('away')), receive } });
      expect(await process.enqueue()).toBe('run-1');
      await process.drain();
      expect(await world.row()).toMatchObject({ status: 'completed' });
    });

    it('is worked on as it comes, and a worker that drains brings to rest what it drives', async () => {
      const world = await queueWorld(databases, CREATE);
      const process = world.start();
      const stop = new AbortController();
      const working = process.runtime.work({ signal: stop.signal, pollMs: 1_000 });
      await world.settle();
      world.during.effect = () => {
        stop.abort();
        return world.settle();
      };
      await process.enqueue();
      await working;
      expect(await world.row()).toMatchObject({ status: 'completed' });
    });

    it('is cancelled at once while it waits, and at its next step boundary from another process', async () => {
      const waiting = await queueWorld(databases, CREATE);
      const process = waiting.start();
      await process.enqueue();
      expect(await process.runtime.cancel('run-1')).toBe('cancelled');
      await process.drain();
      expect(waiting.effects).toEqual([]);
      expect(await waiting.row()).toMatchObject({ status: 'cancelled' });

      const driven = await queueWorld(databases, [
        { call: [{ tool: 'create' }, { tool: 'rename' }] },
        'Done.',
      ]);
      driven.during.effect = async () => {
        expect(await driven.start().runtime.cancel('run-1')).toBe('requested');
      };
      expect(await driven.start().run()).toMatchObject({ status: 'cancelled' });
      expect(driven.effects).toHaveLength(1);
      expect(await driven.row()).toMatchObject({ status: 'cancelled', owner: null });
    });

    it('is put back after a failure that may pass, later each time, and buried after three times', async () => {
      const world = await queueWorld(databases, [{ fail: new ModelError('connection', 'away') }]);
      const process = world.start();
      await process.enqueue();
      const waits: number[] = [];
      for (let round = 0; round < 4; round += 1) {
        await process.drain();
        const row = await world.row();
        waits.push(Number(row?.['due_at']) - world.wall.now().getTime());
        await world.pass(10_000);
      }
      expect(waits.slice(0, 3)).toEqual([1_000, 2_000, 4_000]);
      expect(await world.row()).toMatchObject({
        status: 'failed',
        requeues: 3,
        dead_letter_reason: 'retries_exhausted',
        failure_detail: 'model_failed',
        failure_class: 'connection',
      });
    });

    it('is buried at once after a failure that does not pass; a direct one is its caller’s', async () => {
      const script = [{ fail: new ModelError('auth', 'no') }];
      const queued = await queueWorld(databases, script);
      await queued.start().enqueue();
      await queued.start().drain();
      expect(await queued.row()).toMatchObject({ status: 'failed', dead_letter_reason: 'not_retryable' });
      const direct = await queueWorld(databases, script);
      expect(await direct.start().run()).toMatchObject({ status: 'failed' });
      expect(await direct.row()).toMatchObject({ dead_letter_reason: null, failure_detail: 'model_failed' });
    });

    it('that kills each of its workers is buried with a reason', async () => {
      const world = await queueWorld(databases, CREATE);
      const process = world.start();
      await process.enqueue();
      for (let death = 0; death < 4; death += 1) {
        const journal = await process.store.claimQueued('run-1');
        journal?.close?.();
        await world.pass(LEASE_OVER);
        await process.store.reap(10, () => 'non_idempotent_write');
        await world.pass(10_000);
      }
      expect(await world.row()).toMatchObject({
        status: 'failed',
        requeues: 3,
        epoch: 5,
        dead_letter_reason: 'retries_exhausted',
        failure_detail: 'lease_lost',
      });
      expect(only(await stepsOf(process.store), 'failure').at(-1)).toMatchObject({ detail: 'lease_lost' });
    });
  });

  describe('a worker that is stopped past its lease', () => {
    it.each([
      ['create', CREATE],
      ['rename', RENAME],
    ])('before the fence of %s stamps none, and the effect is the other worker’s', async (_name, script) => {
      const world = await queueWorld(databases, script);
      const first = world.start();
      await first.enqueue();
      first.isStopped = true;
      first.faults.beforeUnit = async (purpose) => {
        if (purpose === 'stamp') await takeOver(world);
      };
      await first.drain();
      expect(first.faults.seen).toContain('stamp');
      expect(world.effects).toHaveLength(1);
      expect(await world.row()).toMatchObject({ status: 'completed', epoch: 2, requeues: 1 });
    });

    it('between the fence and the call does not call: the run is buried, and nothing was written', async () => {
      const world = await queueWorld(databases, CREATE);
      const first = world.start();
      await first.enqueue();
      first.faults.afterUnit = async (purpose) => {
        if (purpose !== 'stamp') return;
        await takeOver(world);
        first.clock.advance(LEASE_OVER);
      };
      await first.drain();
      expect(world.effects).toEqual([]);
      expect(await world.row()).toMatchObject({
        status: 'failed',
        dead_letter_reason: 'not_retryable',
        failure_detail: 'write_interrupted',
      });
      expect(await world.fences()).toMatchObject([{ call_id: 'call_1_1', tool: 'create' }]);
    });

    it('between the fence and the call of an idempotent write leaves it to the next one', async () => {
      const world = await queueWorld(databases, RENAME);
      const first = world.start();
      await first.enqueue();
      first.faults.afterUnit = async (purpose) => {
        if (purpose !== 'stamp') return;
        first.faults.afterUnit = () => Promise.resolve();
        await takeOver(world);
        first.clock.advance(LEASE_OVER);
      };
      await first.drain();
      expect(world.effects).toHaveLength(1);
      expect(await world.row()).toMatchObject({ status: 'completed', requeues: 1 });
      expect(await world.fences()).toEqual([]);
    });

    it('after the effect keeps what it knows beside the dead letter, and settles nothing', async () => {
      const world = await queueWorld(databases, CREATE);
      const first = world.start();
      await first.enqueue();
      world.during.effect = () => takeOver(world);
      await first.drain();
      expect(world.effects).toHaveLength(1);
      expect(await world.row()).toMatchObject({ status: 'failed', failure_detail: 'write_interrupted' });
      expect(kindsOf(await stepsOf(first.store))).toEqual(['request', 'model', 'approval:waived', 'failure']);
      expect(await first.store.lateEvidence('run-1')).toMatchObject([
        { callId: 'call_1_1', tool: 'create', cause: 'run_lost', target: { table: 'pages', uid: 1 } },
      ]);
    });

    it('is not given up while its heart beats, whatever two reapers do', async () => {
      const world = await queueWorld(databases, [{ call: { tool: 'look' } }, 'Done.']);
      const first = world.start({ limits: { callTimeoutMs: 200_000 } });
      const reapers = [world.start(), world.start()];
      await first.enqueue();
      const reaped: unknown[] = [];
      world.during.read = async () => {
        for (let second = 0; second < 100; second += 1) {
          await world.pass(1_000);
          const both = reapers.map(({ store }) => store.reap(10, () => 'non_idempotent_write'));
          reaped.push(...(await Promise.all(both)).flat());
        }
      };
      await first.drain();
      expect(reaped).toEqual([]);
      expect(first.faults.seen.filter((purpose) => purpose === 'renew').length).toBeGreaterThan(8);
      expect(await world.row()).toMatchObject({ status: 'completed', epoch: 1 });
    });

    it('stops by its own clock when no renewal gets through, before anybody else may take the run', async () => {
      const world = await queueWorld(databases, [{ call: [{ tool: 'look' }, { tool: 'create' }] }, 'Done.']);
      const first = world.start({ limits: { callTimeoutMs: 200_000 } });
      await first.enqueue();
      world.during.read = async () => {
        first.faults.isDown = true;
        await world.pass(LEASE_OVER);
        first.faults.isDown = false;
      };
      await first.drain();
      expect(world.effects).toEqual([]);
      expect(kindsOf(await stepsOf(first.store))).toEqual(['request', 'model', 'approval:waived']);
      expect(await world.row()).toMatchObject({ status: 'running', epoch: 1 });
    });

    it('is disposed of by one of two reapers', async () => {
      const world = await queueWorld(databases, CREATE);
      const process = world.start();
      await process.enqueue();
      (await process.store.claimQueued('run-1'))?.close?.();
      await world.pass(LEASE_OVER);
      const both = [world.start(), world.start()].map(({ store }) => store.reap(10, () => 'read_only'));
      expect((await Promise.all(both)).flat()).toHaveLength(1);
      expect(await world.row()).toMatchObject({ status: 'queued', requeues: 1 });
    });

    it('keeps its run when the reaper’s own look is older than its update', async () => {
      const world = await queueWorld(databases, CREATE);
      const process = world.start();
      await process.enqueue();
      (await process.store.claimQueued('run-1'))?.close?.();
      await world.pass(LEASE_OVER);
      const reaper = world.start();
      reaper.faults.afterRead = () => {
        // The clock of the machine is set back, so that the lease is one that has not expired.
        world.wall.advance(-LEASE_OVER);
      };
      expect(await reaper.store.reap(10, () => 'read_only')).toEqual([]);
      expect(await world.row()).toMatchObject({ status: 'running', requeues: 0 });
    });

    it('is buried over the fence of a tool that the reaper does not know', async () => {
      const world = await queueWorld(databases, RENAME);
      const first = world.start();
      await first.enqueue();
      world.during.effect = async () => {
        world.wall.advance(LEASE_OVER);
        await world.start({ tools: [] }).drain();
      };
      await first.drain();
      expect(world.effects).toHaveLength(1);
      expect(await world.row()).toMatchObject({ status: 'failed', failure_detail: 'write_interrupted' });
    });
  });

  describe('an answer of the database that is lost', () => {
    it.each(
      (['create', 'claim', 'stamp', 'steps', 'settle'] as const).flatMap((purpose) =>
        (['answer_lost', 'unit_lost'] as const).map((fault) => [fault, purpose] as const),
      ),
    )('(%s) at %s changes nothing: one effect, one trace, completed', async (fault, purpose) => {
      const script = [{ call: { tool: 'create' } }, { call: { tool: 'rename' } }, 'Done.'];
      const whole = await queueWorld(databases, script);
      await whole.start().enqueue();
      await whole.start().drain();
      const world = await queueWorld(databases, script);
      const process = world.start();
      let faults = 0;
      process.faults.faultOf = (found) => (found === purpose && (faults += 1) === 1 ? fault : 'none');
      await process.enqueue();
      await process.drain();
      expect(faults).toBeGreaterThan(0);
      expect(world.effects).toEqual(whole.effects);
      expect(await world.row()).toMatchObject({ status: 'completed', epoch: 1, requeues: 0 });
      expect(kindsOf(await stepsOf(process.store))).toEqual(kindsOf(await stepsOf(whole.start().store)));
      expect(await world.fences()).toEqual([]);
    });

    it('for good stops the write before it runs, and the run goes on later', async () => {
      const world = await queueWorld(databases, CREATE);
      const process = world.start();
      process.faults.faultOf = (purpose) => (purpose === 'stamp' ? 'answer_lost' : 'none');
      await process.enqueue();
      await process.drain();
      expect(world.effects).toEqual([]);
      expect(await world.row()).toMatchObject({ status: 'queued', requeues: 1 });
      expect(await world.fences()).toEqual([]);
      process.faults.faultOf = () => 'none';
      await world.pass(1_000);
      await process.drain();
      expect(world.effects).toHaveLength(1);
      expect(await world.row()).toMatchObject({ status: 'completed' });
    });
  });

  describe('an audit that cannot be stored', () => {
    it.each([
      ['create', CREATE, 'write_interrupted'],
      ['rename', RENAME, 'lease_lost'],
    ])('while the database is away leaves the fence of %s to decide', async (name, script, detail) => {
      const world = await queueWorld(databases, script);
      const first = world.start();
      await first.enqueue();
      world.during.effect = () => {
        first.faults.isDown = true;
        return Promise.resolve();
      };
      await first.drain();
      expect(await world.row()).toMatchObject({ status: 'running' });
      expect(await world.fences()).toHaveLength(1);
      world.during.effect = () => Promise.resolve();
      await takeOver(world);
      expect(world.effects).toHaveLength(name === 'create' ? 1 : 2);
      expect(await world.row()).toMatchObject(
        name === 'create'
          ? { status: 'failed', dead_letter_reason: 'not_retryable', failure_detail: detail }
          : { status: 'completed', requeues: 1 },
      );
    });

    it('is kept as evidence where that can be stored, and an idempotent write is then not run again', async () => {
      const world = await queueWorld(databases, RENAME);
      const first = world.start();
      await first.enqueue();
      world.during.effect = () => {
        first.faults.faultOf = (purpose) => (purpose === 'other' ? 'none' : 'failed');
        return Promise.resolve();
      };
      await first.drain();
      await takeOver(world);
      expect(world.effects).toHaveLength(1);
      expect(await world.row()).toMatchObject({ status: 'failed', failure_detail: 'audit_lost' });
      expect(await first.store.lateEvidence('run-1')).toMatchObject([
        { cause: 'audit_lost', tool: 'rename' },
      ]);
    });

    it('for a moment fails the run with its audit, and buries it', async () => {
      const world = await queueWorld(databases, CREATE);
      const first = world.start();
      await first.enqueue();
      let refusals = 0;
      world.during.effect = () => {
        first.faults.faultOf = () => ((refusals += 1) === 1 ? 'failed' : 'none');
        return Promise.resolve();
      };
      await first.drain();
      expect(await world.row()).toMatchObject({
        status: 'failed',
        dead_letter_reason: 'not_retryable',
        failure_detail: 'audit_lost',
      });
      expect(kindsOf(await stepsOf(first.store)).slice(-3)).toEqual(['tool', 'write_target', 'failure']);
      expect(await world.fences()).toEqual([]);
    });
  });

  describe('a pause', () => {
    it('is decided once by two people at once, and resumed once', async () => {
      const world = await queueWorld(databases, CREATE);
      const worker = world.start({ policy: alwaysPause });
      await worker.enqueue();
      await worker.drain();
      const desk = world.start({ policy: alwaysPause });
      const [pause] = await desk.runtime.pauses('run-1');
      const decided = await Promise.allSettled([
        desk.runtime.approve(pause!, { id: 'ben' }),
        worker.runtime.approve(pause!, { id: 'eva' }),
      ]);
      expect(decided.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const resumed = await Promise.allSettled([
        desk.runtime.resume('run-1'),
        worker.runtime.resume('run-1'),
      ]);
      expect(resumed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(world.effects).toEqual<Effect[]>([{ tool: 'create', callId: 'call_1_1' }]);
      const inbox = await world.units.read({
        sql: 'select state, decided_by from approvals',
        parameters: [],
      });
      expect(inbox).toMatchObject([{ state: 'approved' }]);
    });
  });
});
