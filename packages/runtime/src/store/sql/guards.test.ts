import { createRecordingLogger, createTestClock } from '@toolwright/sdk/testing';
import { describe, expect, it } from 'vitest';
import type { RunRecord, Step } from '../../index.js';
import { FaultyUnits } from './fixtures/faulty-units.js';
import { clocked } from './fixtures/clocked-dialect.js';
import { describeOnDatabases, type TestDatabases } from './fixtures/test-databases.js';
import { SqlRunStore } from './sql-run-store.js';

const RUN: RunRecord = {
  runId: 'run-1',
  correlationId: 'run-1',
  actor: { id: 'anna' },
  createdAt: '2026-01-01T00:00:00.000Z',
};
const at = '2026-01-01T00:00:01.000Z';
const REQUEST: Step = { kind: 'request', messages: [], seq: 1, at };
const note = (seq: number): Step => ({ kind: 'note', callId: 'c1', text: 'n', isInAnswer: false, seq, at });
const FENCE = { callId: 'c1', tool: 't', effect: 'non_idempotent_write', until: new Date(at) } as const;
const FAILURE = {
  kind: 'failure',
  detail: 'cancelled',
  failureClass: null,
  isRetryable: false,
  message: 'x',
  at,
} as const;
const unknown = () => 'non_idempotent_write' as const;

async function queued(databases: TestDatabases) {
  const wall = createTestClock();
  const { units, dialect: plain } = await databases.take();
  /** A process whose own clock stands still. */
  const open = () => {
    const faults = new FaultyUnits(units);
    const time = createTestClock();
    const clock = { elapsedMs: () => time.now().getTime() };
    const logger = createRecordingLogger();
    const dialect = clocked(plain, wall);
    return {
      faults,
      store: new SqlRunStore({ runner: faults, dialect, encryption: 'none', time, clock, logger }),
    };
  };
  const { store, faults } = open();
  return {
    wall,
    store,
    faults,
    open,
    async taken() {
      await store.enqueue(RUN, [REQUEST], null);
      return (await store.claimQueued('run-1'))!;
    },
    /** The lease expires, a reaper puts the run back, and it becomes due. */
    async lapse() {
      wall.advance(60_000);
      await open().store.reap(10, unknown);
      wall.advance(60_000);
    },
  };
}

describeOnDatabases('a guard', (databases) => {
  describe('an owner whose run another one drives', () => {
    it.each(['record', 'stamp', 'boundary', 'end'])('is shut out at its next %s, and told', async (what) => {
      const world = await queued(databases);
      const old = await world.taken();
      await world.lapse();
      const next = (await world.open().store.claimQueued('run-1'))!;
      if (what === 'record') expect(await old.record([note(2)])).toBe(false);
      if (what === 'stamp') expect(await old.beforeWrite(FENCE)).toBeNull();
      if (what === 'boundary') await old.isCancelRequested();
      if (what === 'end') expect(await old.record([], 'completed')).toBe(false);
      expect(old.lost.aborted).toBe(true);
      expect(next.lost.aborted).toBe(false);
      expect(await next.beforeWrite(FENCE)).not.toBeNull();
      expect(await next.record([note(2)])).toBe(true);
      expect((await world.store.read('run-1'))?.steps).toEqual([REQUEST, note(2)]);
    });
  });

  describe('an owner whose lease has expired while nobody took the run', () => {
    it.each(['record', 'stamp'])('has lost it all the same at its next %s', async (what) => {
      const world = await queued(databases);
      const old = await world.taken();
      world.wall.advance(60_000);
      if (what === 'record') expect(await old.record([note(2)])).toBe(false);
      if (what === 'stamp') expect(await old.beforeWrite(FENCE)).toBeNull();
      expect(old.lost.aborted).toBe(true);
      expect((await world.store.read('run-1'))?.steps).toEqual([REQUEST]);
    });
  });

  describe('a fence', () => {
    it('is refused while an earlier step is not stored, and given once it is', async () => {
      const world = await queued(databases);
      const journal = await world.taken();
      world.faults.faultOf = (purpose) => (purpose === 'steps' ? 'failed' : 'none');
      expect(await journal.record([note(2)])).toBe(false);
      expect(await journal.beforeWrite(FENCE)).toBeNull();
      world.faults.faultOf = () => 'none';
      expect(await journal.record([note(2)])).toBe(true);
      expect((await journal.beforeWrite(FENCE))?.isHeld()).toBe(true);
    });

    it.each(['completed', 'paused', 'cancelled'] as const)('keeps a run from being %s', async (status) => {
      const world = await queued(databases);
      const journal = await world.taken();
      await journal.beforeWrite(FENCE);
      expect(await journal.record([note(2)], status)).toBe(false);
      expect((await world.store.read('run-1'))?.status).toBe('running');
    });

    it('stands for one call at a time', async () => {
      const journal = await (await queued(databases)).taken();
      await journal.beforeWrite(FENCE);
      expect(await journal.beforeWrite({ ...FENCE, callId: 'c2' })).toBeNull();
      expect(await journal.beforeWrite(FENCE)).not.toBeNull();
    });
  });

  describe('a reaper', () => {
    it('disposes of what it saw or of nothing: a new owner’s lease may have expired as well', async () => {
      const world = await queued(databases);
      await world.taken();
      world.wall.advance(60_000);
      const slow = world.open();
      const other = world.open();
      let isFirst = true;
      const lookOnce = slow.faults.read.bind(slow.faults);
      slow.faults.read = async (statement) => {
        const rows = await lookOnce(statement);
        if (isFirst) {
          isFirst = false;
          await world.lapse();
          await other.store.claimQueued('run-1');
          world.wall.advance(60_000);
        }
        return rows;
      };
      expect(await slow.store.reap(10, unknown)).toEqual([]);
      expect(await slow.store.reap(10, unknown)).toMatchObject([{ disposition: { waitMs: 2_000 } }]);
    });

    it('puts no run with an open write back whose end was asked for since it looked', async () => {
      const world = await queued(databases);
      await (await world.taken()).beforeWrite({ ...FENCE, effect: 'idempotent_write' });
      world.wall.advance(60_000);
      const slow = world.open();
      const lookOnce = slow.faults.read.bind(slow.faults);
      slow.faults.read = async (statement) => {
        const rows = await lookOnce(statement);
        await world.store.requestCancel('run-1', FAILURE);
        return rows;
      };
      const idempotent = () => 'idempotent_write' as const;
      expect(await slow.store.reap(10, idempotent)).toEqual([]);
      expect(await slow.store.reap(10, idempotent)).toMatchObject([
        { disposition: { kind: 'dead_letter', detail: 'write_interrupted' } },
      ]);
    });
  });

  describe('a queued run', () => {
    it('is not taken before it is due, and is not among the due ones', async () => {
      const world = await queued(databases);
      await world.store.enqueue(RUN, [REQUEST], new Date(world.wall.now().getTime() + 1_000));
      expect(await world.store.due(10)).toEqual([]);
      expect(await world.store.claimQueued('run-1')).toBeNull();
      world.wall.advance(1_000);
      expect(await world.store.due(10)).toEqual(['run-1']);
      expect(await world.store.claimQueued('run-1')).not.toBeNull();
    });

    it('is refused a second time under the same id', async () => {
      const world = await queued(databases);
      await world.store.enqueue(RUN, [REQUEST], null);
      await expect(world.store.enqueue(RUN, [REQUEST], null)).rejects.toMatchObject({
        code: 'RUN_ALREADY_EXISTS',
      });
    });
  });

  describe('a lease', () => {
    it.each([
      ['a heartbeat that is no third of it', { heartbeatMs: 20_000 }],
      ['a margin that leaves no time', { marginMs: 25_000 }],
      ['no length', { leaseMs: 0 }],
    ])('is refused with %s', async (_what, lease) => {
      const { units: runner, dialect } = await databases.take();
      const options = { runner, dialect, encryption: 'none', lease } as const;
      expect(() => new SqlRunStore(options)).toThrow(
        expect.objectContaining({ code: 'INVALID_CONFIGURATION' }),
      );
    });
  });
});
