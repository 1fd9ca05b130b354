import type { Clock } from '../context/tool-context.js';
import { SdkError } from '../errors.js';

/** Where delays come from, so that a test can make them pass. */
export interface Timer {
  /** Calls `run` once after so many milliseconds, and answers a function that forgets it. */
  schedule(delayMs: number, run: () => void): () => void;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };

/** Real time. Where timers are handles (Node), a pending one does not keep the process alive. */
export const systemTimer: Timer = {
  schedule(delayMs, run) {
    const handle: unknown = setTimeout(run, delayMs);
    if (typeof handle === 'object' && handle !== null && 'unref' in handle) {
      (handle as NodeJS.Timeout).unref();
    }
    return () => {
      clearTimeout(handle as NodeJS.Timeout);
    };
  },
};

// setTimeout takes 32 bits; a longer delay fires at once, which would end every call.
const MAX_DELAY_MS = 2_147_483_647;

/**
 * @throws SdkError with code `INVALID_OPTIONS` when the value is no whole number of milliseconds
 *   between 1 and 2,147,483,647 (almost 25 days).
 */
export function assertDelayMs(option: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1 || value > MAX_DELAY_MS) {
    throw new SdkError(
      'INVALID_OPTIONS',
      `Cannot use ${option}: expected a whole number of milliseconds from 1 to ${String(MAX_DELAY_MS)}, found ${String(value)}.`,
    );
  }
}
