import { errorClass, type Logger } from '@toolwright/sdk';
import type { RunRecord } from '../audit/run-journal.js';
import type { Step } from '../audit/step.js';
import { RuntimeError } from '../errors.js';
import type { RunRequest } from '../run/run-request.js';
import type { TimeSource } from '../time/time-source.js';
import type { PlannedSchedule } from './schedule.js';
import type { ScheduleBook, ScheduleEntry } from './schedule-book.js';

/** How late a tick may be dealt with and still count as met, in milliseconds. */
const MET_MS = 60_000;

export interface SchedulerPorts {
  readonly book: ScheduleBook;
  readonly time: TimeSource;
  readonly logger: Logger;
  /** What a run under this request is stored as. */
  readonly prepare: (
    request: RunRequest,
  ) => Promise<{ readonly run: RunRecord; readonly steps: readonly Step[] }>;
  /** Told of a run that was enqueued. */
  readonly announce: (runId: string) => Promise<void>;
}

/**
 * Enqueues the runs of schedules as their ticks come. Any number of workers do so at once: where a schedule stands is
 * one row, and moves on together with the run that is stored, so that a tick has one run whoever comes first.
 */
export class Scheduler {
  readonly #schedules: readonly PlannedSchedule[];
  readonly #ports: SchedulerPorts;
  /** Where the schedules stand as far as is known here; empty before the first look. */
  readonly #known = new Map<string, ScheduleEntry>();
  /** Those that another worker began with another definition. */
  readonly #foreign = new Set<string>();

  constructor(schedules: readonly PlannedSchedule[], ports: SchedulerPorts) {
    this.#schedules = schedules;
    this.#ports = ports;
  }

  /** Deals with the ticks that have come. Never rejects: what could not be done is logged, and done at the next look. */
  async tick(): Promise<void> {
    for (const schedule of this.#schedules) {
      if (this.#foreign.has(schedule.id)) {
        continue;
      }
      try {
        await this.#tick(schedule);
      } catch (error) {
        this.#ports.logger.error('A schedule could not be looked after.', {
          schedule: schedule.id,
          error: error instanceof RuntimeError ? error.code : errorClass(error),
        });
      }
    }
  }

  /** How long nothing is due, in milliseconds; infinity where nothing ever is. */
  quietMs(): number {
    const now = this.#ports.time.now().getTime();
    const waits = this.#schedules
      .filter(({ id }) => !this.#foreign.has(id))
      .map(
        (schedule) =>
          (schedule.next(Math.max(now, this.#known.get(schedule.id)?.doneUntilMs ?? now)) ?? Infinity) - now,
      );
    return Math.min(Infinity, ...waits);
  }

  async #tick(schedule: PlannedSchedule): Promise<void> {
    const { book, time } = this.#ports;
    const { id, definition } = schedule;
    const entry = this.#known.get(id) ?? (await book.begin(id, definition));
    this.#known.set(id, entry);
    const now = time.now().getTime();
    const tickMs = schedule.newest(entry.doneUntilMs, now);
    if (tickMs === null) {
      return;
    }
    const tick = { id, definition, doneUntilMs: entry.doneUntilMs, tickMs };
    const isMet = now - tickMs <= MET_MS;
    const answer =
      isMet || schedule.missed === 'once' ? await this.#enqueue(schedule, tick) : await book.skip(tick);
    if (answer === 'moved') {
      await this.#lookAgain(schedule);
      return;
    }
    this.#known.set(id, { ...entry, doneUntilMs: tickMs });
    if (answer !== 'exists') {
      this.#tellOfMissed(schedule, entry, tickMs, answer);
    }
  }

  async #enqueue(
    schedule: PlannedSchedule,
    tick: Parameters<ScheduleBook['enqueue']>[0],
  ): Promise<'enqueued' | 'exists' | 'moved'> {
    const { book, logger, prepare, announce } = this.#ports;
    const runId = runIdOf(schedule.id, tick.tickMs);
    const { run, steps } = await prepare({ ...schedule.request, runId });
    const answer = await book.enqueue(tick, run, steps);
    if (answer === 'exists') {
      logger.warn('A run of this id is stored already, so the tick of the schedule has none.', {
        schedule: schedule.id,
        runId,
      });
      return (await book.skip(tick)) === 'moved' ? 'moved' : 'exists';
    }
    if (answer === 'enqueued') {
      await announce(runId);
    }
    return answer;
  }

  /** Another worker was first, or it is not time yet by the clock of the store, or the schedule is another one now. */
  async #lookAgain({ id, definition }: PlannedSchedule): Promise<void> {
    const entry = (await this.#ports.book.read()).find((one) => one.id === id);
    if (entry === undefined || entry.definition === definition) {
      if (entry === undefined) this.#known.delete(id);
      else this.#known.set(id, entry);
      return;
    }
    this.#foreign.add(id);
    this.#ports.logger.warn(
      'A worker that started later has another cron expression or time zone for a schedule; this one leaves it alone.',
      { schedule: id },
    );
  }

  #tellOfMissed(
    schedule: PlannedSchedule,
    entry: ScheduleEntry,
    tickMs: number,
    answer: 'enqueued' | 'skipped',
  ): void {
    const first = schedule.next(entry.doneUntilMs);
    if (first !== null && (first < tickMs || answer === 'skipped')) {
      this.#ports.logger.warn('A schedule missed ticks while no worker was there.', {
        schedule: schedule.id,
        firstMissed: new Date(first).toISOString(),
        newest: new Date(tickMs).toISOString(),
        becameOfNewest: answer,
      });
    }
  }
}

/** One tick, one id: whoever enqueues it. */
export function runIdOf(scheduleId: string, tickMs: number): string {
  return `${scheduleId}@${new Date(tickMs).toISOString()}`;
}
