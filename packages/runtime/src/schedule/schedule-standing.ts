import { RuntimeError } from '../errors.js';
import { PlannedSchedule } from './schedule.js';
import type { ScheduleEntry } from './schedule-book.js';

/** A schedule as an operator sees it. Times are ISO 8601 in UTC. */
export interface ScheduleStanding {
  readonly id: string;
  readonly cron: string;
  readonly timeZone: string;
  /**
   * - `begun`: the workers enqueue its runs.
   * - `not_begun`: no worker has looked at it yet.
   * - `changed`: the store has it with the expression or time zone that is given here, this runtime with another one.
   * - `not_here`: the store has it, this runtime has none of its name.
   */
  readonly state: 'begun' | 'not_begun' | 'changed' | 'not_here';
  /** Up to when its ticks are dealt with; null before it was begun. */
  readonly doneUntil: string | null;
  /** Its first tick after that, in the past where no worker has dealt with it yet; null when there is none, or none is known. */
  readonly next: string | null;
}

/** What is planned here and what the store knows, by id. */
export function scheduleStandings(
  planned: readonly PlannedSchedule[],
  entries: readonly ScheduleEntry[],
  now: Date,
): readonly ScheduleStanding[] {
  const stored = new Map(entries.map((entry) => [entry.id, entry]));
  const here = planned
    .filter(({ id }) => !stored.has(id))
    .map((schedule) => ({
      id: schedule.id,
      cron: schedule.cron,
      timeZone: schedule.timeZone,
      state: 'not_begun' as const,
      doneUntil: null,
      next: toIso(schedule.next(now.getTime())),
    }));
  const begun = entries.map((entry) => {
    const own = planned.find(({ id }) => id === entry.id);
    const state = own === undefined ? 'not_here' : own.definition === entry.definition ? 'begun' : 'changed';
    return { ...asStored(entry), state } as const;
  });
  return [...here, ...begun].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function asStored({ id, definition, doneUntilMs }: ScheduleEntry): Omit<ScheduleStanding, 'state'> {
  const [, timeZone = '', cron = ''] = /^(\S+) (.*)$/u.exec(definition) ?? [];
  const doneUntil = toIso(doneUntilMs);
  return { id, cron, timeZone, doneUntil, next: toIso(nextTick(id, cron, timeZone, doneUntilMs)) };
}

/** What a later version has stored may be no expression for this one. */
function nextTick(id: string, cron: string, timeZone: string, afterMs: number): number | null {
  try {
    const request = { actor: { id }, prompt: id };
    return new PlannedSchedule({ id, cron, timeZone, request }).next(afterMs);
  } catch (error) {
    if (error instanceof RuntimeError) return null;
    throw error;
  }
}

function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
