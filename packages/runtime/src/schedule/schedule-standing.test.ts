import { describe, expect, it } from 'vitest';
import { planSchedules } from './schedule.js';
import { scheduleStandings } from './schedule-standing.js';

const request = { actor: { id: 'anna' }, prompt: 'Look around.' };
const NOW = new Date('2026-03-01T12:00:00Z');
const doneUntilMs = Date.parse('2026-03-01T03:00:00Z');
const nightly = { id: 'nightly', cron: '0 3 * * *', request };

describe('the standing of a schedule', () => {
  it('has its next tick after the last one when the workers go by the same expression', () => {
    const planned = planSchedules([nightly]);
    expect(
      scheduleStandings(planned, [{ id: 'nightly', definition: 'UTC 0 3 * * *', doneUntilMs }], NOW),
    ).toEqual([
      {
        id: 'nightly',
        cron: '0 3 * * *',
        timeZone: 'UTC',
        state: 'begun',
        doneUntil: '2026-03-01T03:00:00.000Z',
        next: '2026-03-02T03:00:00.000Z',
      },
    ]);
  });

  it('has its next tick in the past when no worker has dealt with it', () => {
    const entry = { id: 'nightly', definition: 'UTC 0 3 * * *', doneUntilMs: doneUntilMs - 3 * 86_400_000 };
    expect(scheduleStandings(planSchedules([nightly]), [entry], NOW)).toMatchObject([
      { state: 'begun', next: '2026-02-27T03:00:00.000Z' },
    ]);
  });

  it('is that of the store when this runtime has another expression, or none of its name', () => {
    const entries = [
      { id: 'nightly', definition: 'Europe/Berlin 0 4 * * *', doneUntilMs },
      { id: 'gone', definition: 'UTC @hourly', doneUntilMs },
    ];
    expect(scheduleStandings(planSchedules([nightly]), entries, NOW)).toMatchObject([
      { id: 'gone', cron: '@hourly', state: 'not_here', next: '2026-03-01T04:00:00.000Z' },
      { id: 'nightly', cron: '0 4 * * *', timeZone: 'Europe/Berlin', state: 'changed' },
    ]);
  });

  it('is that of the plan when no worker has begun it', () => {
    expect(scheduleStandings(planSchedules([nightly]), [], NOW)).toMatchObject([
      { state: 'not_begun', doneUntil: null, next: '2026-03-02T03:00:00.000Z' },
    ]);
  });

  it('has no next tick when the store has an expression that this version does not read', () => {
    const entries = [{ id: 'later', definition: 'UTC every other full moon', doneUntilMs }];
    expect(scheduleStandings([], entries, NOW)).toMatchObject([
      { cron: 'every other full moon', next: null },
    ]);
  });
});
