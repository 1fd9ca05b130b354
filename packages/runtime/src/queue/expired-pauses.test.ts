import { expect, it } from 'vitest';
import { alwaysPause, type RuntimeOptions } from '../index.js';
import { kindsOf, only, stepsOf } from '../loop/fixtures/harness.js';
import { describeOnDatabases } from '../store/sql/fixtures/test-databases.js';
import { queueWorld } from './fixtures/queue-world.js';

const HOUR = 3_600_000;

function expiring(pauseExpiresMs: number | null): Partial<RuntimeOptions> {
  return {
    policy: alwaysPause,
    limits: { modelRetries: 0, callTimeoutMs: 20_000, callGraceMs: 1_000, pauseExpiresMs },
  };
}

describeOnDatabases('a paused run', (databases) => {
  it('is gone on with by a worker, its call unrun, when nobody decided in time', async () => {
    const world = await queueWorld(databases, [{ call: { tool: 'create' } }, 'Done.']);
    const process = world.start(expiring(HOUR));
    await process.enqueue();
    await process.drain();
    expect(await world.row()).toMatchObject({ status: 'paused' });
    await world.pass(HOUR - 1, HOUR);
    await process.drain();
    expect(await world.row()).toMatchObject({ status: 'paused' });
    await world.pass(1, HOUR);
    await Promise.all([process.drain(), world.start(expiring(HOUR)).drain()]);
    expect(await world.row()).toMatchObject({ status: 'completed' });
    expect(only(await stepsOf(process.store), 'denied')).toMatchObject([{ reason: 'approval_expired' }]);
    expect(world.effects).toEqual([]);
    const inbox = await world.units.read({ sql: 'select state from approvals', parameters: [] });
    expect(inbox).toEqual([{ state: 'void' }]);
  });

  it('is left to its people when another call of it may still be decided about', async () => {
    const world = await queueWorld(databases, [{ call: [{ tool: 'create' }, { tool: 'rename' }] }, 'Done.']);
    const process = world.start(expiring(HOUR));
    await process.enqueue();
    await process.drain();
    await world.units.run([
      { sql: "update approvals set expires_at = null where tool = 'rename'", parameters: [], rows: 1 },
    ]);
    await world.pass(2 * HOUR, HOUR);
    const before = kindsOf(await stepsOf(process.store));
    await process.drain();
    expect(await world.row()).toMatchObject({ status: 'paused', epoch: 1 });
    expect(kindsOf(await stepsOf(process.store))).toEqual(before);
  });

  it('waits for ever when its pauses do not expire', async () => {
    const world = await queueWorld(databases, [{ call: { tool: 'create' } }, 'Done.']);
    const process = world.start(expiring(null));
    await process.enqueue();
    await process.drain();
    await world.pass(1_000 * HOUR, 100 * HOUR);
    await process.drain();
    expect(await world.row()).toMatchObject({ status: 'paused', epoch: 1 });
  });
});
