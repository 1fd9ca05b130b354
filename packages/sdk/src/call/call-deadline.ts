import type { Timer } from './call-timer.js';

/** How a piece of foreign code ended that was given a deadline. */
export type Settled<T> =
  | { readonly kind: 'returned'; readonly value: T }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'unsettled'; readonly why: 'deadline' | 'cancelled' };

export interface DeadlineOptions {
  readonly deadlineMs: number;
  readonly timer: Timer;
  /** Cancels from outside. */
  readonly cancel: AbortSignal;
  /** Aborted when the deadline passes or the caller cancels. */
  readonly controller: AbortController;
  /** How long the code may still settle after the abort. */
  readonly grace: () => Promise<void>;
}

/**
 * Runs foreign code within a deadline. Past it, or when the caller cancels, the controller aborts; code
 * that then settles within the grace time still counts with what it answered, other code is left behind.
 */
export async function withinDeadline<T>(
  options: DeadlineOptions,
  run: () => T | Promise<T>,
): Promise<Settled<T>> {
  const { deadlineMs, timer, cancel, controller, grace } = options;
  let forgetDeadline = (): void => undefined;
  let forgetCancel = (): void => undefined;
  const stopped = new Promise<'deadline' | 'cancelled'>((resolve) => {
    forgetDeadline = timer.schedule(deadlineMs, () => {
      controller.abort(new DOMException('The deadline of the call has passed.', 'TimeoutError'));
      resolve('deadline');
    });
    forgetCancel = onAbort(cancel, () => {
      controller.abort(cancel.reason);
      resolve('cancelled');
    });
  });
  const running = settle(run);
  try {
    const first = await Promise.race([running, stopped]);
    if (typeof first !== 'string') {
      return first;
    }
    const late = await Promise.race([running, grace()]);
    return late ?? { kind: 'unsettled', why: first };
  } finally {
    forgetDeadline();
    forgetCancel();
  }
}

/** Calls back when the signal aborts, or at once when it has; answers a function that forgets it. */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  if (signal.aborted) {
    run();
    return () => undefined;
  }
  signal.addEventListener('abort', run, { once: true });
  return () => {
    signal.removeEventListener('abort', run);
  };
}

async function settle<T>(run: () => T | Promise<T>): Promise<Settled<T>> {
  try {
    return { kind: 'returned', value: await run() };
  } catch (error) {
    return { kind: 'threw', error };
  }
}
