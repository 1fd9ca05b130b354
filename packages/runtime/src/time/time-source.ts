import type { Clock } from '@toolwright/sdk';
import type { Timer } from '@toolwright/sdk/call';

/** Where time and waiting come from, so that a test can set both. */
export interface TimeSource extends Clock, Timer {}

/** The machine's clock. A pending delay keeps the process alive: a run that waits is not over. */
export const systemTime: TimeSource = {
  now: () => new Date(),
  schedule(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Waits so long, or until the signal aborts. Never rejects. */
export function waitFor(time: TimeSource, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const done = (): void => {
      forget();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const forget = time.schedule(delayMs, done);
    signal?.addEventListener('abort', done, { once: true });
  });
}
