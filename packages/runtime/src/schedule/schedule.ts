import { Cron } from 'croner';
import { RuntimeError } from '../errors.js';
import { toMessages, toRunRecord, type RunRequest } from '../run/run-request.js';

/** A run that is enqueued again and again, by the clock. */
export interface Schedule {
  /**
   * Names it for good: letters, digits, `.`, `_` and `-`, 100 at most. Where it stands is kept in the store under this name, so
   * that another name is another schedule.
   */
  readonly id: string;
  /**
   * Minute, hour, day of the month, month and weekday, as `cron` has them (`0 3 * * MON-FRI`), or `@hourly`, `@daily`,
   * `@weekly`, `@monthly`, `@yearly`.
   */
  readonly cron: string;
  /** In whose time the expression is meant: a name of the IANA database such as `Europe/Berlin`. Default: `UTC`. */
  readonly timeZone?: string;
  /** What each run is asked, and for whom. The run's id names schedule and tick: `nightly@2026-03-29T01:00:00.000Z`. */
  readonly request: Omit<RunRequest, 'runId' | 'correlationId'>;
  /**
   * What becomes of ticks that passed while no worker was there. `once`, the default: one run, for the newest of them.
   * `skip`: none, where the newest is more than a minute old.
   */
  readonly missed?: 'once' | 'skip';
}

const ID = /^[A-Za-z0-9._-]{1,100}$/;
const NICKNAME = /^@(hourly|daily|midnight|weekly|monthly|yearly|annually)$/i;
/** A schedule that has no tick in so long never has one: nothing in cron is rarer than the 29th of February on a weekday. */
const SEARCHED_FROM = new Date('2000-01-01T00:00:00Z');

/** A schedule that was checked, and when it is due. */
export class PlannedSchedule {
  readonly id: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly request: Schedule['request'];
  readonly missed: 'once' | 'skip';
  readonly #pattern: Cron;

  /** @throws RuntimeError with code `INVALID_SCHEDULE`. */
  constructor(schedule: Schedule) {
    const { id, cron, timeZone = 'UTC', request } = schedule;
    const missed: unknown = schedule.missed ?? 'once';
    if (typeof id !== 'string' || !ID.test(id)) {
      throw invalid(id, 'id', 'letters, digits, ".", "_" and "-", 100 at most', shown(id));
    }
    if (missed !== 'once' && missed !== 'skip') {
      throw invalid(id, 'missed', '"once" or "skip"', shown(missed));
    }
    assertTimeZone(id, timeZone);
    assertRequest(id, request);
    this.id = id;
    this.cron = cron;
    this.timeZone = timeZone;
    this.request = request;
    this.missed = missed;
    this.#pattern = parse(id, cron, timeZone);
  }

  /** What the ticks depend on, as one text: under another one, the schedule starts anew. */
  get definition(): string {
    return `${this.timeZone} ${this.cron.trim()}`;
  }

  /** The first tick after this moment, in milliseconds since 1970; null when there is none any more. */
  next(afterMs: number): number | null {
    return this.#pattern.nextRun(new Date(afterMs))?.getTime() ?? null;
  }

  /** The last tick after one moment and up to the other, or null. */
  newest(afterMs: number, upToMs: number): number | null {
    // The library's own way back in time repeats ticks where a clock goes forward, so the way forward is searched.
    const nextUpTo = (ms: number): number | null => {
      const tick = this.next(ms);
      return tick !== null && tick <= upToMs ? tick : null;
    };
    let newest = nextUpTo(afterMs);
    if (newest === null) {
      return null;
    }
    let later = upToMs;
    while (later - newest > 1) {
      const middle = Math.floor((newest + later) / 2);
      const tick = nextUpTo(middle);
      if (tick === null) {
        later = middle;
      } else {
        newest = tick;
      }
    }
    return newest;
  }
}

/** @throws RuntimeError with code `INVALID_SCHEDULE`. */
export function planSchedules(schedules: readonly Schedule[]): readonly PlannedSchedule[] {
  const given: unknown = schedules;
  if (!Array.isArray(given)) {
    throw new RuntimeError(
      'INVALID_SCHEDULE',
      `Cannot make a runtime: expected schedules to be a list, found ${typeof given}.`,
    );
  }
  const planned = schedules.map((schedule) => new PlannedSchedule(schedule));
  const twice = planned.find(({ id }, index) => planned.some((other, n) => n < index && other.id === id));
  if (twice !== undefined) {
    throw invalid(twice.id, 'id', 'one of its own', 'a second schedule under it');
  }
  return planned;
}

function parse(id: string, cron: unknown, timeZone: string): Cron {
  const expected =
    'five fields (minute, hour, day of the month, month, weekday) such as "0 3 * * MON-FRI", or "@daily"';
  // The library takes a text with a colon for one moment in time.
  if (typeof cron !== 'string' || cron.includes(':') || (cron.includes('@') && !NICKNAME.test(cron.trim()))) {
    throw invalid(id, 'cron', expected, shown(cron));
  }
  let pattern: Cron;
  try {
    pattern = new Cron(cron, { paused: true, mode: '5-part', timezone: timeZone });
  } catch (error) {
    throw invalid(id, 'cron', expected, `${shown(cron)} (${reasonOf(error)})`, error);
  }
  if (!hasTick(pattern)) {
    throw invalid(id, 'cron', 'an expression that some moment matches', `${shown(cron)}, which none does`);
  }
  return pattern;
}

function hasTick(pattern: Cron): boolean {
  try {
    return pattern.nextRun(SEARCHED_FROM) !== null;
  } catch {
    // The library breaks off where it finds none in the years that it looks at.
    return false;
  }
}

function assertTimeZone(id: string, timeZone: unknown): void {
  // An empty one would be that of the machine.
  if (typeof timeZone !== 'string' || timeZone === '') {
    throw invalid(id, 'timeZone', 'a name of the IANA database such as "Europe/Berlin"', shown(timeZone));
  }
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch (error) {
    throw invalid(
      id,
      'timeZone',
      'a name of the IANA database such as "Europe/Berlin"',
      shown(timeZone),
      error,
    );
  }
}

function assertRequest(id: string, request: unknown): void {
  if (typeof request !== 'object' || request === null) {
    throw invalid(id, 'request', 'an object with actor and prompt', shown(request));
  }
  try {
    toMessages(request as RunRequest);
    toRunRecord(request as RunRequest, () => id, SEARCHED_FROM.toISOString());
  } catch (error) {
    const found = error instanceof Error ? error.message : 'something else';
    throw invalid(id, 'request', 'one that starts a run', `one that does not: ${found}`, error);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^CronPattern: /u, '') : 'not a cron expression';
}

function shown(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value.slice(0, 120))
    : value === null
      ? 'null'
      : typeof value;
}

function invalid(id: unknown, field: string, expected: string, found: string, cause?: unknown): RuntimeError {
  return new RuntimeError(
    'INVALID_SCHEDULE',
    `Cannot plan the schedule ${shown(id)}: expected ${field} to be ${expected}, found ${found}.`,
    cause === undefined ? undefined : { cause },
  );
}
