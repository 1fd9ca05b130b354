import { ToolResult, WriteTarget } from '@toolwright/sdk';
import { describe, expect, it, vi } from 'vitest';
import { alwaysPause } from '../index.js';
import {
  ACTOR,
  CREATE,
  creator,
  expectStatus,
  gate,
  harness,
  kindsOf,
  only,
  reader,
} from './fixtures/harness.js';

const wrote = () => ToolResult.wrote(WriteTarget.of('pages', 1), 'ok');

describe('cancel', () => {
  it('ends the run at the next step boundary; the call that runs is recorded first', async () => {
    const started = gate<AbortSignal>();
    const release = gate();
    const slow = creator(async (_, { signal }) => {
      started.open(signal);
      await release.opened;
      return wrote();
    });
    const h = harness([CREATE, 'never'], [slow]);
    const running = h.run();
    const signal = await started.opened;
    expect(await h.runtime.cancel('run-1')).toBe('requested');
    expect(signal.aborted).toBe(true);
    release.open();
    const result = expectStatus(await running, 'cancelled');
    expect(result.writes).toMatchObject([{ outcome: 'landed' }]);
    expect(kindsOf(await h.steps()).slice(-3)).toEqual(['tool', 'write_target', 'failure']);
    expect(only(await h.steps(), 'failure')[0]).toMatchObject({ detail: 'cancelled', isRetryable: false });
    expect((await h.store.read('run-1'))?.status).toBe('cancelled');
  });

  it('leaves the later calls of the turn alone', async () => {
    const create = vi.fn(wrote);
    const h = harness(
      [{ call: [{ tool: 'count_pages' }, { tool: 'create_page' }] }, 'never'],
      [
        reader(async () => {
          await h.runtime.cancel('run-1');
          return ToolResult.text('3');
        }),
        creator(create),
      ],
    );
    expectStatus(await h.run(), 'cancelled');
    expect(create).not.toHaveBeenCalled();
  });

  it('does not start a write when it comes while the fence is stamped, and says so in the trace', async () => {
    const create = vi.fn(wrote);
    const h = harness([CREATE, 'never'], [creator(create)]);
    const make = h.store.create.bind(h.store);
    h.store.create = async (...args) => {
      const journal = await make(...args);
      const stamp = journal.beforeWrite.bind(journal);
      journal.beforeWrite = async (request) => {
        await h.runtime.cancel('run-1');
        return stamp(request);
      };
      return journal;
    };
    expectStatus(await h.run(), 'cancelled');
    expect(create).not.toHaveBeenCalled();
    expect(only(await h.steps(), 'denied')[0]).toMatchObject({ callId: 'call_1', reason: 'cancelled' });
  });

  it('takes a signal of the caller’s own, also while the model is asked', async () => {
    const abort = new AbortController();
    const h = harness([], []);
    const asked = gate();
    const model = {
      respond: () => {
        asked.open();
        return new Promise<never>(() => undefined);
      },
    };
    const other = harness([], [], { model });
    const running = other.runtime.run({ actor: ACTOR, prompt: 'x' }, { signal: abort.signal });
    await asked.opened;
    abort.abort();
    expectStatus(await running, 'cancelled');
    expectStatus(await h.runtime.run({ actor: ACTOR, prompt: 'x' }, { signal: abort.signal }), 'cancelled');
    expect(h.model.requests).toEqual([]);
  });

  it('ends a paused run at once, and nothing of it runs any more', async () => {
    const create = vi.fn(wrote);
    const h = harness([CREATE], [creator(create)], { policy: alwaysPause });
    expectStatus(await h.run(), 'paused');
    expect(await h.runtime.cancel('run-1')).toBe('cancelled');
    expect((await h.store.read('run-1'))?.status).toBe('cancelled');
    expect(kindsOf(await h.steps()).at(-1)).toBe('failure');
    await expect(h.runtime.resume('run-1')).rejects.toMatchObject({ code: 'RUN_NOT_RESUMABLE' });
    expect(await h.runtime.cancel('run-1')).toBe('ended');
    await expect(h.runtime.cancel('nope')).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
  });
});
