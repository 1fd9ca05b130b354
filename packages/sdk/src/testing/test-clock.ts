import type { Timer } from '../call/call-timer.js';
import type { Clock } from '../context/tool-context.js';

/** A clock that stands still until a test moves it. Deadlines pass when it does. */
export interface TestClock extends Clock, Timer {
  /** Moves time forward and runs what became due, in order. */
  advance(ms: number): void;
}

interface Delay {
  readonly at: number;
  readonly run: () => void;
}

/** @param start Where the clock stands at first; 2026-01-01T00:00:00.000Z without it. */
export function createTestClock(start: Date = new Date('2026-01-01T00:00:00.000Z')): TestClock {
  let now = start.getTime();
  const delays = new Set<Delay>();
  return {
    now: () => new Date(now),
    schedule(delayMs, run) {
      const delay = { at: now + delayMs, run };
      delays.add(delay);
      return () => {
        delays.delete(delay);
      };
    },
    advance(ms) {
      const end = now + ms;
      for (let due = nextDue(delays, end); due !== undefined; due = nextDue(delays, end)) {
        delays.delete(due);
        now = due.at;
        due.run();
      }
      now = end;
    },
  };
}

function nextDue(delays: ReadonlySet<Delay>, end: number): Delay | undefined {
  return [...delays].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
}
