import { createRecordingLogger } from '@toolwright/sdk/testing';
import { expect, it } from 'vitest';
import { systemTime } from '../time/time-source.js';
import type { QueuedRunStore } from './queued-run-store.js';
import { QueueWorker } from './queue-worker.js';

it('a worker claims as many due runs at once as it has room for', async () => {
  const stop = new AbortController();
  const asked: string[] = [];
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const store = {
    due: (limit: number) => Promise.resolve(['a', 'b', 'c', 'd'].slice(0, limit)),
    claimQueued: async (runId: string) => {
      asked.push(runId);
      if (asked.length === 3) {
        stop.abort();
        answer();
      }
      await answered;
      return null;
    },
  } as unknown as QueuedRunStore;
  const worker = new QueueWorker(
    {
      store,
      wakeUps: null,
      time: systemTime,
      logger: createRecordingLogger(),
      scheduler: null,
      reap: () => Promise.resolve(),
      drive: () => Promise.resolve(),
    },
    { concurrency: 3, pollMs: 60_000, reapMs: 60_000 },
  );

  await worker.work(stop.signal);

  expect(asked).toEqual(['a', 'b', 'c']);
});
