import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import type { HeartbeatOrder } from './heartbeats.js';
import type { HeartbeatRequest } from './serve-heartbeats.js';
import { ThreadHeartbeats } from './thread-heartbeats.js';

const order = (runId: string): HeartbeatOrder => ({
  runId,
  everyMs: 1_000,
  renewal: { sql: 'update runs', parameters: [], rows: 1 },
});

describe('heartbeats in a thread', () => {
  const { port1, port2 } = new MessageChannel();
  const heartbeats = new ThreadHeartbeats(port1);
  afterEach(() => void messages());

  /** What has arrived at the thread since the last time, one text a message. */
  function messages(): readonly string[] {
    const arrived: string[] = [];
    for (let next = receiveMessageOnPort(port2); next; next = receiveMessageOnPort(port2)) {
      const requests = next.message as readonly HeartbeatRequest[];
      arrived.push(requests.map(({ kind, id }) => `${kind} ${String(id)}`).join(', '));
    }
    return arrived;
  }

  it('are started in one message, before anybody who waits for their runs goes on', async () => {
    const taken = [1, 2].map(async (run) => {
      await Promise.resolve();
      heartbeats.start(order(`run-${String(run)}`), () => undefined);
    });

    await taken[0];

    expect(messages()).toEqual(['start 1, start 2']);
  });

  it('are stopped at once when the lease shall lapse, and with the next message when the store has it no longer', async () => {
    const [first, second] = [1, 2].map(() => heartbeats.start(order('run'), () => undefined));
    await Promise.resolve();
    expect(messages()).toEqual(['start 3, start 4']);

    first?.over?.();
    first?.stop();
    expect(messages()).toEqual([]);
    second?.stop();
    expect(messages()).toEqual(['stop 3, stop 4']);
  });
});
