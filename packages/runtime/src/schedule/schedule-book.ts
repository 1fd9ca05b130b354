import type { RunRecord } from '../audit/run-journal.js';
import type { Step } from '../audit/step.js';

/** Where a schedule stands, as all workers share it. */
export interface ScheduleEntry {
  readonly id: string;
  readonly definition: string;
  /** Up to when its ticks are dealt with, in milliseconds since 1970: the last tick, or when it was first seen. */
  readonly doneUntilMs: number;
}

/** What becomes of one tick. */
export interface Tick {
  readonly id: string;
  readonly definition: string;
  /** Where the entry stood when the tick was worked out. */
  readonly doneUntilMs: number;
  readonly tickMs: number;
}

/** What several workers agree on about schedules: a store keeps it beside its runs. */
export interface ScheduleBook {
  read(): Promise<readonly ScheduleEntry[]>;
  /**
   * Begins a schedule that is not there, or one with another definition, with the ticks from now on. Answers where
   * it stands then.
   */
  begin(id: string, definition: string): Promise<ScheduleEntry>;
  /**
   * Enqueues the run of a tick and takes note of the tick, both or neither, if the entry stands as it was seen and
   * the tick has come by the clock of the store.
   *
   * @returns `moved` when the entry stands elsewhere or the tick has not come, `exists` when the run does: then
   *   nothing was stored.
   */
  enqueue(tick: Tick, run: RunRecord, firstSteps: readonly Step[]): Promise<'enqueued' | 'moved' | 'exists'>;
  /** Takes note of a tick without a run, under the same conditions. */
  skip(tick: Tick): Promise<'skipped' | 'moved'>;
}
