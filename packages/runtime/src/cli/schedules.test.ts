import { expect, it } from 'vitest';
import { createRuntime, scriptedModel, type Schedule } from '../index.js';
import { describeOnDatabases } from '../store/sql/fixtures/test-databases.js';
import { operatorWorld } from './fixtures/operator-world.js';

const DAY = 86_400_000;
const NIGHTLY: Schedule = {
  id: 'nightly',
  cron: '0 3 * * *',
  timeZone: 'Europe/Berlin',
  request: { actor: { id: 'anna' }, prompt: 'Review the new pages.' },
};

describeOnDatabases('toolwright-runtime schedules', (databases) => {
  it('lists what is planned and what workers have begun, and changes nothing', async () => {
    const { command, host, clock, units } = await operatorWorld(databases);
    const planned = host({ schedules: [NIGHTLY] });
    const before = await command(['schedules'], planned.runtime);
    expect(before).toMatchObject({ code: 0, stderr: '' });
    expect(before.stdout).toMatch(/^SCHEDULE +CRON +TIME ZONE +DONE UNTIL +NEXT +MORE\n/u);
    expect(before.stdout).toMatch(
      /nightly +0 3 \* \* \* +Europe\/Berlin +\d{4}-.*Z +no worker has begun it/u,
    );
    expect(await units.read({ sql: 'select id from schedules', parameters: [] })).toEqual([]);

    const stop = new AbortController();
    const working = planned.runtime.work({ signal: stop.signal });
    stop.abort();
    await working;
    await planned.store.schedules.begin('nightly', 'Europe/Berlin 0 3 * * *');
    const begun = await command(['schedules', '--json'], planned.runtime);
    expect(JSON.parse(begun.stdout)).toMatchObject({
      schedules: [
        { id: 'nightly', timeZone: 'Europe/Berlin', state: 'begun', doneUntil: clock.now().toISOString() },
      ],
    });

    clock.advance(2 * DAY);
    expect((await command(['schedules'], planned.runtime)).stdout).toContain('overdue: no worker has met it');
    const other = host({ schedules: [{ ...NIGHTLY, cron: '@hourly' }] });
    expect((await command(['schedules'], other.runtime)).stdout).toMatch(
      /0 3 .* this host has another expression/u,
    );
    expect((await command(['schedules'])).stdout).toContain('not a schedule of this host');
  });

  it('says what to do when there is none, and when the store keeps none', async () => {
    const { command } = await operatorWorld(databases);
    expect((await command(['schedules'])).stdout).toBe(
      'No schedule. Give createRuntime some as `schedules`, and let a worker run.\n',
    );
    const inMemory = createRuntime({ model: scriptedModel(['Done.']) });
    const refused = await command(['schedules'], inMemory);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/Cannot list schedules: .* Pass .* as `store` to createRuntime/u);
  });
});
