import { createRecordingLogger } from '@toolwright/sdk/testing';
import { describe, expect, it } from 'vitest';
import { createRuntime, scriptedModel, type Schedule, type WakeUps } from '../index.js';
import { queueWorld, type QueueProcess, type QueueWorld } from '../queue/fixtures/queue-world.js';
import { describeOnDatabases } from '../store/sql/fixtures/test-databases.js';

const MINUTE = 60_000;
const HOURLY: Schedule = {
  id: 'hourly',
  cron: '0 * * * *',
  request: { actor: { id: 'anna' }, prompt: 'Look around.' },
};

async function runIds(world: QueueWorld): Promise<readonly string[]> {
  const rows = await world.units.read({ sql: 'select id from runs order by id', parameters: [] });
  return rows.map(({ id }) => String(id));
}

/** The ids of the ticks that come so many hours after the next full one. */
function ids(world: QueueWorld, ...hours: readonly number[]): readonly string[] {
  const start = Math.ceil(world.wall.now().getTime() / (60 * MINUTE)) * 60 * MINUTE;
  return hours.map((hour) => `hourly@${new Date(start + hour * 60 * MINUTE).toISOString()}`);
}

/** A minute before the next full hour. */
async function beforeTheHour(world: QueueWorld): Promise<void> {
  const hour = 60 * MINUTE;
  const left = hour - (world.wall.now().getTime() % hour);
  await world.pass(left - MINUTE, hour);
}

function worker(
  world: QueueWorld,
  schedules: readonly Schedule[] = [HOURLY],
  wakeUps: WakeUps | null = null,
) {
  const logger = createRecordingLogger();
  const process = world.start({ schedules, logger, wakeUps });
  return { process, logger };
}

async function onceAll(...processes: readonly QueueProcess[]): Promise<void> {
  await Promise.all(processes.map((process) => process.drain()));
}

describeOnDatabases('a schedule', (databases) => {
  it('enqueues a run at each tick and drives it, while a worker works', async () => {
    const world = await queueWorld(databases, ['Done.']);
    await beforeTheHour(world);
    const [first, second] = ids(world, 0, 1);
    const { process } = worker(world);
    const stop = new AbortController();
    const working = process.runtime.work({ signal: stop.signal, pollMs: 24 * 60 * MINUTE });
    await world.settle();
    expect(await runIds(world)).toEqual([]);
    // It waits for the tick and not for its poll.
    await world.pass(MINUTE, MINUTE);
    expect(await runIds(world)).toEqual([first]);
    expect(await world.row(first)).toMatchObject({
      status: 'completed',
      actor_id: 'anna',
      correlation_id: first,
    });
    await world.pass(60 * MINUTE, 60 * MINUTE);
    expect(await runIds(world)).toEqual([first, second]);
    stop.abort();
    await working;
  });

  it('enqueues one run when several workers meet the same tick at once', async () => {
    const world = await queueWorld(databases, ['Done.']);
    await beforeTheHour(world);
    const expected = ids(world, 0);
    const workers = [worker(world), worker(world), worker(world)].map(({ process }) => process);
    await onceAll(...workers);
    await world.pass(MINUTE, MINUTE);
    await onceAll(...workers.slice(1));
    expect(await runIds(world)).toEqual(expected);
    expect(await world.row(expected[0])).toMatchObject({ status: 'completed', epoch: 1 });
    // Not even when the run is gone, for a worker that has slept over it.
    await world.units.run(
      ['steps', 'runs'].map((table) => ({
        sql: `delete from ${table}`,
        parameters: [],
        rows: 'any' as const,
      })),
    );
    await onceAll(...workers, worker(world).process);
    expect(await runIds(world)).toEqual([]);
  });

  it.each([
    ['once', 'one run for the newest of the ticks', [2], 'enqueued'],
    ['skip', 'none', [], 'skipped'],
  ] as const)(
    'with missed: %s has %s that passed while no worker was there',
    async (missed, _what, hours, became) => {
      const world = await queueWorld(databases, ['Done.']);
      await beforeTheHour(world);
      const expected = ids(world, ...hours);
      await worker(world, [{ ...HOURLY, missed }]).process.drain();
      await world.pass(4 * MINUTE + 120 * MINUTE, 60 * MINUTE);
      const { process, logger } = worker(world, [{ ...HOURLY, missed }]);
      await process.drain();
      expect(await runIds(world)).toEqual(expected);
      expect(logger.entries.filter(({ level }) => level === 'warn')).toMatchObject([
        { fields: { schedule: 'hourly', becameOfNewest: became } },
      ]);
      // What was missed is dealt with; the next tick comes as always.
      const next = ids(world, 0);
      await beforeTheHour(world);
      await world.pass(MINUTE, MINUTE);
      await process.drain();
      expect(await runIds(world)).toEqual([...expected, ...next]);
    },
  );

  it('has no run for ticks before it was there, or before its expression was changed', async () => {
    const world = await queueWorld(databases, ['Done.']);
    await worker(world).process.drain();
    expect(await runIds(world)).toEqual([]);
    await world.pass(30 * MINUTE, MINUTE * 30);
    const before = await runIds(world);
    await worker(world, [{ ...HOURLY, cron: '* * * * *' }]).process.drain();
    expect(await runIds(world)).toEqual(before);
  });

  it('is left alone by a worker when one that started later has another expression for it', async () => {
    const world = await queueWorld(databases, ['Done.']);
    await beforeTheHour(world);
    const older = worker(world);
    await older.process.drain();
    const newer = worker(world, [{ ...HOURLY, cron: '30 * * * *' }]);
    await newer.process.drain();
    await world.pass(2 * MINUTE, MINUTE);
    await onceAll(older.process, newer.process);
    expect(await runIds(world)).toEqual([]);
    expect(older.logger.entries).toMatchObject([{ level: 'warn', fields: { schedule: 'hourly' } }]);
  });

  it('waits for the clock of the store when that of the worker is ahead', async () => {
    const world = await queueWorld(databases, ['Done.']);
    await beforeTheHour(world);
    const expected = ids(world, 0);
    const { process } = worker(world);
    await process.drain();
    process.clock.advance(5 * MINUTE);
    await process.drain();
    expect(await runIds(world)).toEqual([]);
    await world.pass(MINUTE, MINUTE);
    await process.drain();
    expect(await runIds(world)).toEqual(expected);
  });

  it('has one run when the answer to its COMMIT is lost, and none is lost when the unit is', async () => {
    const world = await queueWorld(databases, ['Done.']);
    await beforeTheHour(world);
    const expected = ids(world, 0, 1);
    const { process } = worker(world);
    await process.drain();
    for (const fault of ['answer_lost', 'failed'] as const) {
      await world.pass(fault === 'failed' ? 60 * MINUTE : MINUTE, 60 * MINUTE);
      let isDone = false;
      process.faults.faultOf = () => {
        if (isDone) return 'none';
        isDone = true;
        return fault;
      };
      await process.drain();
      await process.drain();
    }
    expect(await runIds(world)).toEqual(expected);
    for (const id of expected) expect(await world.row(id)).toMatchObject({ status: 'completed' });
  });

  it('sends a wake-up for its run, which other processes get', async () => {
    const world = await queueWorld(databases, ['Done.']);
    await beforeTheHour(world);
    const expected = ids(world, 0);
    const sent: string[] = [];
    const wakeUps: WakeUps = {
      send: (runId) => Promise.resolve(void sent.push(runId)),
      receive: () => Promise.resolve(() => Promise.resolve()),
    };
    const { process } = worker(world, [HOURLY], wakeUps);
    await process.drain();
    await world.pass(MINUTE, MINUTE);
    await process.drain();
    expect(sent).toEqual(expected);
  });

  it('goes on with the next tick when a run of its id is there already', async () => {
    const world = await queueWorld(databases, ['Done.']);
    await beforeTheHour(world);
    const [first, second] = ids(world, 0, 1);
    const { process, logger } = worker(world);
    await process.drain();
    await process.runtime.enqueue({ actor: { id: 'b' }, prompt: 'mine', runId: first ?? '' });
    await world.pass(MINUTE, MINUTE);
    await process.drain();
    await world.pass(60 * MINUTE, 60 * MINUTE);
    await process.drain();
    expect(await runIds(world)).toEqual([first, second]);
    expect(await world.row(first)).toMatchObject({ actor_id: 'b' });
    expect(logger.entries).toMatchObject([{ level: 'warn', fields: { runId: first } }]);
  });
});

describe('a runtime with schedules', () => {
  it('is refused when its store has no queue', () => {
    expect(() => createRuntime({ model: scriptedModel([]), schedules: [HOURLY] })).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIGURATION' }) as Error,
    );
  });
});
