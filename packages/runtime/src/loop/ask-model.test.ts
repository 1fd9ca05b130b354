import { ToolResult } from '@toolwright/sdk';
import { describe, expect, it } from 'vitest';
import { ModelError, type FailureClass, type ScriptedTurn } from '../index.js';
import { CREATE, creator, expectStatus, harness, kindsOf, only, reader } from './fixtures/harness.js';

const fail = (failureClass: FailureClass, retryAfterMs?: number): ScriptedTurn => ({
  fail: new ModelError(
    failureClass,
    `it was ${failureClass}`,
    retryAfterMs === undefined ? {} : { retryAfterMs },
  ),
});

describe('a model that fails', () => {
  it.each(['connection', 'rate_limit', 'server_error'] as const)(
    'is asked anew after %s, waiting twice as long each time',
    async (failureClass) => {
      const h = harness([fail(failureClass), fail(failureClass), 'Done.'], [], {
        limits: { modelBackoffMs: 100 },
      });
      const running = h.run();
      await h.pass(99);
      expect(h.model.requests).toHaveLength(1);
      await h.pass(1);
      expect(h.model.requests).toHaveLength(2);
      await h.pass(199);
      expect(h.model.requests).toHaveLength(2);
      await h.pass(1);
      expectStatus(await running, 'completed');
      expect(kindsOf(await h.steps())).toEqual(['request', 'model']);
    },
  );

  it('is asked anew when the server said it may', async () => {
    const h = harness([fail('rate_limit', 5000), 'Done.'], []);
    const running = h.run();
    await h.pass(4999);
    expect(h.model.requests).toHaveLength(1);
    await h.pass(1);
    expectStatus(await running, 'completed');
  });

  it('fails the run after its last attempt, and the class says whether the run may be retried', async () => {
    const h = harness([fail('server_error'), fail('server_error')], [], { limits: { modelRetries: 1 } });
    const running = h.run();
    await h.pass(1000);
    const { failure } = expectStatus(await running, 'failed');
    expect(failure).toMatchObject({
      detail: 'model_failed',
      failureClass: 'server_error',
      isRetryable: true,
    });
    expect(only(await h.steps(), 'failure')[0]).toMatchObject({ detail: 'model_failed', callId: null });
  });

  it.each(['auth', 'configuration', 'client_error', 'unknown'] as const)(
    'is not asked anew after %s',
    async (c) => {
      const h = harness([fail(c), 'never'], []);
      const { failure } = expectStatus(await h.run(), 'failed');
      expect(failure).toMatchObject({ failureClass: c, isRetryable: false });
      expect(h.model.requests).toHaveLength(1);
    },
  );

  it('is told by class alone when its adapter throws what is no ModelError', async () => {
    const h = harness([{ fail: new TypeError('Authorization: Bearer sk-1') }], []);
    const { failure } = expectStatus(await h.run(), 'failed');
    expect(failure).toMatchObject({ failureClass: 'unknown' });
    expect(failure.message).not.toContain('sk-1');
    expect(failure.message).toContain('TypeError');
  });

  it('is given up when it does not answer in time', async () => {
    const model = { respond: () => new Promise<never>(() => undefined) };
    const h = harness([], [], { model, limits: { modelTimeoutMs: 50, modelRetries: 0 } });
    const running = h.run();
    await h.pass(50);
    expect(expectStatus(await running, 'failed').failure).toMatchObject({ failureClass: 'connection' });
  });

  it('never makes a tool run twice', async () => {
    let creates = 0;
    const tool = creator(() => {
      creates += 1;
      return ToolResult.refused('no');
    });
    const h = harness([CREATE, fail('connection'), 'Done.'], [tool], { limits: { modelBackoffMs: 1 } });
    const running = h.run();
    await h.pass(1);
    expectStatus(await running, 'completed');
    expect(creates).toBe(1);
  });
});

describe('the rounds of a run', () => {
  it('end with a failure when the model never stops calling', async () => {
    const h = harness(
      Array.from({ length: 9 }, () => ({ call: { tool: 'count_pages' } })),
      [reader()],
      {
        limits: { maxRounds: 3 },
      },
    );
    const { failure, error } = expectStatus(await h.run(), 'failed');
    expect(failure).toMatchObject({ detail: 'rounds_exhausted', isRetryable: false });
    expect(error.code).toBe('ROUNDS_EXHAUSTED');
    expect(h.model.requests).toHaveLength(3);
    expect(only(await h.steps(), 'tool')).toHaveLength(3);
  });

  it('hand on text as it comes, and survive a listener that throws', async () => {
    const model = {
      respond: ({ onText }: { onText?: (delta: string) => void }) => {
        onText?.('Do');
        onText?.('ne.');
        return Promise.resolve({ content: 'Done.', calls: [], finish: 'stop' as const });
      },
    };
    const heard: string[] = [];
    const h = harness([], [], { model });
    const onText = (delta: string) => {
      heard.push(delta);
      throw new Error('listener');
    };
    const result = await h.runtime.run({ actor: { id: 'a' }, prompt: 'x' }, { onText });
    expect(expectStatus(result, 'completed').answer).toBe('Done.');
    expect(heard).toEqual(['Do', 'ne.']);
  });
});
