import { RuntimeError } from '../errors.js';
import type { RunOperations } from '../operator/run-operations.js';
import type { QueuedRunStore } from '../queue/queued-run-store.js';
import type { WakeUps } from '../queue/wake-ups.js';
import type { RunStore } from '../audit/run-journal.js';
import type { ScheduleBook } from '../schedule/schedule-book.js';

/*
 * What a store has beside the runs. A store in memory has none of it.
 */

export function operationsIn(store: RunStore): RunOperations | null {
  return 'operations' in store ? (store as { readonly operations: RunOperations }).operations : null;
}

export function wakeUpsOf(store: RunStore): WakeUps | null {
  return (store as Partial<QueuedRunStore>).wakeUps ?? null;
}

/** @throws RuntimeError with code `INVALID_CONFIGURATION` when it has none. */
export function bookOf(store: RunStore, action: string): ScheduleBook {
  const { schedules } = queueOf(store, action);
  if (schedules !== undefined) {
    return schedules;
  }
  throw new RuntimeError(
    'INVALID_CONFIGURATION',
    `Cannot ${action}: expected a store that knows where schedules stand, found one without \`schedules\`. ` +
      'Pass what openRunStore gives as `store` to createRuntime.',
  );
}

/** @throws RuntimeError with code `INVALID_CONFIGURATION` when it has none. */
export function queueOf(store: RunStore, action: string): QueuedRunStore {
  if ('enqueue' in store && 'claimQueued' in store && 'due' in store && 'reap' in store) {
    return store as QueuedRunStore;
  }
  throw new RuntimeError(
    'INVALID_CONFIGURATION',
    `Cannot ${action}: expected a store with a queue, found one without. ` +
      'Pass a store on SQLite or PostgreSQL as `store` to createRuntime; one in memory has no queue.',
  );
}
