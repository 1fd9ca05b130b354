import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { kindsOf } from '../loop/fixtures/harness.js';
import { describeOnDatabases } from '../store/sql/fixtures/test-databases.js';
import type { ScriptedTurn } from '../index.js';
import { buildWorker, type BuiltWorker } from './fixtures/build-worker.js';
import type { Boundary } from './fixtures/worker-process.js';
import { LEASE_OVER_MS, workerWorld, type WorkerWorld } from './fixtures/worker-world.js';

const CREATE = [{ call: { tool: 'create' } }, 'Done.'];
const RENAME = [{ call: { tool: 'rename' } }, 'Done.'];
const INTERRUPTED = {
  status: 'failed',
  dead_letter_reason: 'not_retryable',
  failure_detail: 'write_interrupted',
};

describeOnDatabases('real processes', (databases) => {
  let worker: BuiltWorker;
  const worlds: WorkerWorld[] = [];
  beforeAll(async () => {
    worker = await buildWorker();
  });
  afterEach(() => Promise.all(worlds.splice(0).map((world) => world.end())));
  afterAll(() => worker.remove());
  const inWorld = async (script: readonly ScriptedTurn[]): Promise<WorkerWorld> => {
    const world = await workerWorld(databases, worker, script);
    worlds.push(world);
    return world;
  };
  /** A process that has driven the run as far as the boundary, and stands there. */
  const drivenTo = async (world: WorkerWorld, boundary: Boundary) => {
    await world.enqueue();
    const process = world.start({ stopAt: [boundary] });
    process.begin('drain');
    await process.at(boundary);
    return process;
  };

  describe('killed with SIGKILL', () => {
    it.each<[Boundary, number, object, number]>([
      ['claim:before', 1, { status: 'completed', requeues: 0 }, 0],
      ['claim:after', 1, { status: 'completed', requeues: 1 }, 0],
      ['stamp:before', 1, { status: 'completed', requeues: 1 }, 0],
      ['stamp:after', 0, INTERRUPTED, 1],
      ['tool running', 1, INTERRUPTED, 1],
      ['audit:before', 1, INTERRUPTED, 1],
      ['audit:after', 1, { status: 'completed', requeues: 1 }, 0],
      ['settle:before', 1, { status: 'completed', requeues: 1 }, 0],
      ['settle:after', 1, { status: 'completed', requeues: 0 }, 0],
    ])(
      'at "%s" leave %i effect of a non-idempotent write, and the run says so',
      async (at, effects, end, fences) => {
        const world = await inWorld(CREATE);
        const process = await drivenTo(world, at);
        await process.kill();
        await world.takeOver();
        expect(await world.effects()).toEqual(Array(effects).fill('create call_1_1'));
        expect(await world.row()).toMatchObject(end);
        expect(await world.fences()).toEqual(Array(fences).fill({ call_id: 'call_1_1', tool: 'create' }));
        const kinds = kindsOf(await world.steps());
        expect(kinds.filter((kind) => kind === 'write_target')).toHaveLength(fences === 0 ? 1 : 0);
      },
    );

    it.each<[Boundary, number]>([
      ['stamp:after', 1],
      ['tool running', 2],
      ['audit:after', 1],
    ])('at "%s" leave an idempotent write to the next worker, with %i effects', async (at, effects) => {
      const world = await inWorld(RENAME);
      await (await drivenTo(world, at)).kill();
      await world.takeOver();
      expect(await world.effects()).toEqual(Array(effects).fill('rename call_1_1'));
      expect(await world.row()).toMatchObject({ status: 'completed', requeues: 1 });
    });

    it('while an idempotent write runs leave it open for a person when the run is cancelled then', async () => {
      const world = await inWorld(RENAME);
      await (await drivenTo(world, 'tool running')).kill();
      expect(await world.here().runtime.cancel('run-1')).toBe('requested');
      await world.takeOver();
      expect(await world.effects()).toEqual(['rename call_1_1']);
      expect(await world.row()).toMatchObject(INTERRUPTED);
      expect(await world.fences()).toEqual([{ call_id: 'call_1_1', tool: 'rename' }]);
    });

    it('each time that a poison run is taken are four, and the run is buried with a reason', async () => {
      const world = await inWorld([{ call: { tool: 'look' } }, 'Done.']);
      await world.enqueue();
      for (let death = 0; death < 4; death += 1) {
        const process = world.start({ isPoison: true });
        process.begin('drain');
        expect(await process.exited).toBe('SIGKILL');
        await world.advance(LEASE_OVER_MS);
        await world.here().store.reap(10, () => 'read_only');
        await world.advance(LEASE_OVER_MS);
      }
      expect(await world.row()).toMatchObject({
        status: 'failed',
        requeues: 3,
        dead_letter_reason: 'retries_exhausted',
        failure_detail: 'lease_lost',
      });
    });
  });

  describe('stopped with SIGSTOP past the lease', () => {
    /** Stopped for so long, and continued once another worker has done what is to be done. */
    const stoppedAt = async (at: Boundary, doesLocalClockKnow: boolean) => {
      const world = await inWorld(CREATE);
      const process = await drivenTo(world, at);
      process.signal('SIGSTOP');
      await world.takeOver();
      process.signal('SIGCONT');
      process.goOn(doesLocalClockKnow ? LEASE_OVER_MS : 0);
      expect(await process.done('drain')).toBeNull();
      return world;
    };

    it.each([true, false])('before the fence stamp none (local clock knows: %s)', async (doesKnow) => {
      const world = await stoppedAt('stamp:before', doesKnow);
      expect(await world.effects()).toEqual(['create call_1_1']);
      expect(await world.row()).toMatchObject({ status: 'completed', requeues: 1 });
      expect(await world.late()).toEqual([]);
    });

    it('after the fence do not call: the run is buried, and nothing was written', async () => {
      const world = await stoppedAt('stamp:after', true);
      expect(await world.effects()).toEqual([]);
      expect(await world.row()).toMatchObject(INTERRUPTED);
    });

    it('after the fence, with a clock that stood still, write once and keep the evidence', async () => {
      const world = await stoppedAt('stamp:after', false);
      expect(await world.effects()).toEqual(['create call_1_1']);
      expect(await world.row()).toMatchObject(INTERRUPTED);
      expect(await world.late()).toMatchObject([{ callId: 'call_1_1', cause: 'run_lost' }]);
    });

    it.each<Boundary>(['tool running', 'audit:before'])(
      'at "%s" write once and keep the evidence',
      async (at) => {
        const world = await stoppedAt(at, true);
        expect(await world.effects()).toEqual(['create call_1_1']);
        expect(await world.row()).toMatchObject(INTERRUPTED);
        expect(kindsOf(await world.steps())).toEqual(['request', 'model', 'approval:waived', 'failure']);
        expect(await world.late()).toMatchObject([{ callId: 'call_1_1', cause: 'run_lost' }]);
      },
    );
  });
});
