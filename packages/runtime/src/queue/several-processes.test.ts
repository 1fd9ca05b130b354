import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases } from '../store/sql/fixtures/test-databases.js';
import { buildWorker, type BuiltWorker } from './fixtures/build-worker.js';
import { workerWorld, type WorkerWorld } from './fixtures/worker-world.js';

const CREATE = [{ call: { tool: 'create' } }, 'Done.'];

describeOnDatabases('workers in processes of their own', (databases) => {
  let worker: BuiltWorker;
  let world: WorkerWorld;
  beforeAll(async () => {
    worker = await buildWorker();
  });
  afterEach(() => world.end());
  afterAll(() => worker.remove());

  const enqueue = (runId: string, notBefore?: Date) =>
    world
      .here({ more: { newId: () => runId } })
      .runtime.enqueue(
        { actor: { id: 'anna' }, prompt: 'do it' },
        notBefore === undefined ? {} : { notBefore },
      );
  // SQLite has nobody to wake a process in another one; on PostgreSQL nobody looks unless he is woken.
  const settings = databases.name === 'sqlite' ? { pollMs: 20 } : { isWokenByStore: true };

  it('share the runs: what one has no room for, the other one takes', async () => {
    world = await workerWorld(databases, worker, CREATE);
    const busy = world.start({ ...settings, stopAt: ['tool running'] });
    busy.begin('work');
    await enqueue('run-1');
    await busy.at('tool running');
    const other = world.start(settings);
    other.begin('work');
    await enqueue('run-2');
    await enqueue('run-3');
    await world.until('run-2', 'completed');
    await world.until('run-3', 'completed');
    expect(await world.row('run-1')).toMatchObject({ status: 'running' });
    busy.goOn();
    await world.until('run-1', 'completed');
    expect(await world.effects()).toHaveLength(3);
    [busy, other].forEach((one) => one.signal('SIGTERM'));
    expect(await Promise.all([busy, other].map((one) => one.done('work')))).toEqual([null, null]);
  });

  it('start a run when its time has come', async () => {
    world = await workerWorld(databases, worker, CREATE);
    const one = world.start(settings);
    one.begin('work');
    await enqueue('run-1', new Date(Date.now() + 1_500));
    await enqueue('run-2');
    await world.until('run-2', 'completed');
    await world.until('run-1', 'completed');
    const row = await world.row();
    expect(Number(row?.['updated_at'])).toBeGreaterThanOrEqual(Number(row?.['due_at']));
    expect(await world.effects()).toHaveLength(2);
  });

  if (databases.name === 'postgres') {
    it('find a run whose message was lost, and take messages for runs that are gone for nothing', async () => {
      world = await workerWorld(databases, worker, CREATE);
      const { location } = world.database;
      const messages = `${'schema' in location ? location.schema : ''}_wake_ups._private_jobs`;
      await enqueue('run-1');
      // A message that a killed worker of an earlier test held stands there without its key.
      expect((await world.read(`select key from ${messages}`)).map(({ key }) => key)).toContain('run-1');
      await world.run(`delete from ${messages}`);
      await world.here().drain();
      expect(await world.row()).toMatchObject({ status: 'completed', epoch: 1 });

      await world.database.units.wakeUps?.send('run-1', null);
      await world.database.units.wakeUps?.send('nobody', null);
      const one = world.start(settings);
      one.begin('work');
      await enqueue('run-2');
      await world.until('run-2', 'completed');
      expect(await world.effects()).toHaveLength(2);
    });
  }
});
