import { ToolResult } from '@toolwright/sdk';
import { createRecordingLogger, createTestClock } from '@toolwright/sdk/testing';
import { describe, expect, it } from 'vitest';
import { CREATE, creator, expectStatus, harness } from '../loop/fixtures/harness.js';
import { clocked } from '../store/sql/fixtures/clocked-dialect.js';
import { describeOnDatabases } from '../store/sql/fixtures/test-databases.js';
import { SqlRunStore } from '../store/sql/sql-run-store.js';
import type { DeadLetterNotice, PauseNotice, RunHooks } from './run-hooks.js';

function recording() {
  const pauses: PauseNotice[] = [];
  const letters: DeadLetterNotice[] = [];
  const hooks: RunHooks = {
    onPause: (notice) => void pauses.push(notice),
    onDeadLetter: (notice) => void letters.push(notice),
  };
  return { hooks, pauses, letters };
}

describe('onPause', () => {
  const pausing = { policy: { decide: () => 'pause' as const } };

  it('is told of the calls that wait, before the run is answered', async () => {
    const { hooks, pauses, letters } = recording();
    const h = harness([CREATE, 'Done.'], [creator()], { ...pausing, hooks });
    const result = expectStatus(await h.run(), 'paused');
    expect(pauses).toEqual([
      { runId: 'run-1', correlationId: 'run-1', actor: { id: 'anna' }, pauses: result.pauses },
    ]);
    await h.runtime.approve(result.pauses[0]!, { id: 'ben' });
    expectStatus(await h.runtime.resume('run-1'), 'completed');
    expect([pauses.length, letters.length]).toEqual([1, 0]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new TypeError('mail server away');
      },
    ],
    ['rejects', () => Promise.reject(new TypeError('mail server away'))],
  ])('fails no run when it %s, and is logged', async (_what, onPause) => {
    const h = harness([CREATE, 'Done.'], [creator()], { ...pausing, hooks: { onPause } });
    expectStatus(await h.run(), 'paused');
    expect(h.logger.entries).toMatchObject([
      { level: 'error', fields: { hook: 'onPause', runId: 'run-1', error: 'TypeError' } },
    ]);
  });
});

describeOnDatabases('onDeadLetter', (databases) => {
  async function world(hooks: RunHooks) {
    const { units, dialect } = await databases.take();
    const clock = createTestClock();
    const logger = createRecordingLogger();
    const store = new SqlRunStore({
      runner: units,
      dialect: clocked(dialect, clock),
      encryption: 'none',
      time: clock,
      clock: { elapsedMs: () => clock.now().getTime() },
      logger,
    });
    return { store, clock, logger, options: { store, time: clock, logger, hooks, wakeUps: null } };
  }

  it('is told of a run that failed for good, with why', async () => {
    const { hooks, letters } = recording();
    const { options } = await world(hooks);
    const stop = new AbortController();
    const h = harness(
      [CREATE],
      [
        creator(() => {
          stop.abort();
          return ToolResult.text('x') as never;
        }),
      ],
      options,
    );
    await h.runtime.enqueue({ actor: { id: 'anna' }, prompt: 'do it' });
    await h.runtime.work({ signal: stop.signal });
    expect(letters).toEqual([
      {
        runId: 'run-1',
        correlationId: 'run-1',
        actor: { id: 'anna' },
        reason: 'not_retryable',
        detail: 'contract_violation',
        openWrite: null,
      },
    ]);
  });

  it('is told by the reaper of a write whose owner vanished', async () => {
    const { hooks, letters } = recording();
    const { store, clock, options } = await world(hooks);
    const h = harness([], [creator()], options);
    await h.runtime.enqueue({ actor: { id: 'anna' }, prompt: 'do it' });
    const gone = (await store.claimQueued('run-1'))!;
    const until = new Date(clock.now().getTime() + 1_000);
    await gone.beforeWrite({ callId: 'call_1', tool: 'create_page', effect: 'non_idempotent_write', until });
    gone.close?.();
    clock.advance(120_000);
    expect(await h.runtime.reap()).toMatchObject([{ runId: 'run-1' }]);
    expect(letters).toMatchObject([
      { detail: 'write_interrupted', openWrite: { callId: 'call_1', tool: 'create_page' } },
    ]);
    expect(await h.runtime.reap()).toEqual([]);
    expect(letters).toHaveLength(1);
  });

  it('fails nothing when it throws, and is logged', async () => {
    const onDeadLetter = () => Promise.reject(new TypeError('x'));
    const { store, clock, logger, options } = await world({ onDeadLetter });
    const h = harness([], [creator()], options);
    await h.runtime.enqueue({ actor: { id: 'anna' }, prompt: 'do it' });
    const gone = (await store.claimQueued('run-1'))!;
    const until = new Date(clock.now().getTime() + 1_000);
    await gone.beforeWrite({ callId: 'call_1', tool: 'create_page', effect: 'non_idempotent_write', until });
    gone.close?.();
    clock.advance(120_000);
    expect(await h.runtime.reap()).toHaveLength(1);
    expect(logger.entries.at(-1)).toMatchObject({ level: 'error', fields: { hook: 'onDeadLetter' } });
  });
});
