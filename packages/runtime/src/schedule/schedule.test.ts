import { describe, expect, it } from 'vitest';
import { RuntimeError } from '../errors.js';
import { PlannedSchedule, planSchedules, type Schedule } from './schedule.js';

const REQUEST = { actor: { id: 'anna' }, prompt: 'Review the new pages.' };
const NIGHTLY: Schedule = { id: 'nightly', cron: '0 3 * * *', request: REQUEST };

const at = (iso: string): number => Date.parse(iso);
const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function ticks(schedule: Partial<Schedule>, from: string, count: number): readonly (string | null)[] {
  const planned = new PlannedSchedule({ ...NIGHTLY, ...schedule });
  const found: (string | null)[] = [];
  for (let after = at(from); found.length < count;) {
    const next = planned.next(after);
    found.push(iso(next));
    after = next ?? Infinity;
  }
  return found;
}

describe('a schedule', () => {
  it('is due at its time in UTC when it names no time zone', () => {
    expect(ticks({}, '2026-03-01T02:59:59.999Z', 2)).toEqual([
      '2026-03-01T03:00:00.000Z',
      '2026-03-02T03:00:00.000Z',
    ]);
  });

  it('is due once a day when the clocks of its time zone change', () => {
    const half = { cron: '30 2 * * *', timeZone: 'Europe/Berlin' };
    // At 02:00 it is 03:00 there.
    expect(ticks(half, '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    // 02:30 comes twice there.
    expect(ticks(half, '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  it('finds the newest of the ticks that passed, whatever lies between', () => {
    const newest = (schedule: Partial<Schedule>, after: string, upTo: string): string | null =>
      iso(new PlannedSchedule({ ...NIGHTLY, ...schedule }).newest(at(after), at(upTo)));
    expect(newest({}, '2026-03-01T03:00:00Z', '2026-03-02T02:59:59.999Z')).toBeNull();
    expect(newest({}, '2026-03-01T03:00:00Z', '2026-03-02T03:00:00Z')).toBe('2026-03-02T03:00:00.000Z');
    expect(newest({}, '2026-03-01T02:59:59.999Z', '2026-03-01T03:00:00Z')).toBe('2026-03-01T03:00:00.000Z');
    expect(newest({ cron: '* * * * *' }, '2016-03-01T00:00:00Z', '2026-03-01T00:00:30Z')).toBe(
      '2026-03-01T00:00:00.000Z',
    );
    expect(newest({ cron: '0 0 29 2 *' }, '2020-01-01T00:00:00Z', '2026-03-01T00:00:00Z')).toBe(
      '2024-02-29T00:00:00.000Z',
    );
    const berlin = { cron: '0 * * * *', timeZone: 'Europe/Berlin' };
    expect(newest(berlin, '2026-03-28T00:00:00Z', '2026-03-29T02:59:00Z')).toBe('2026-03-29T02:00:00.000Z');
  });

  it.each([
    ['* * * *', /five/],
    ['61 * * * *', /minute: 61/],
    ['0 3 * * 8', /dayOfWeek: 8/],
    ['0 0 30 2 *', /no|none/],
    ['* * * * * *', /exactly 5/],
    ['2026-12-01T00:00:00', /found "2026-12-01T00:00:00"/],
    ['@reboot', /found "@reboot"/],
    ['', /five/],
    [5, /found number/],
  ])('is refused with what to write when its expression is %j', (cron, message) => {
    expect(codeAndMessage({ cron: cron as string })).toEqual({
      code: 'INVALID_SCHEDULE',
      message: expect.stringMatching(message) as string,
    });
  });

  it.each([
    [{ timeZone: 'Mars/Olympus' }, /IANA/],
    [{ timeZone: '' }, /IANA/],
    [{ id: 'a b' }, /expected id/],
    [{ id: '' }, /expected id/],
    [{ missed: 'all' as 'once' }, /"once" or "skip"/],
    [{ request: { actor: { id: '' }, prompt: 'x' } }, /actor/],
    [{ request: { actor: { id: 'a' }, prompt: ' ' } }, /prompt/],
  ])('is refused with what to write when it is %j', (part, message) => {
    expect(codeAndMessage(part)).toEqual({
      code: 'INVALID_SCHEDULE',
      message: expect.stringMatching(message) as string,
    });
  });

  it('is refused when there are two of one id', () => {
    expect(() => planSchedules([NIGHTLY, { ...NIGHTLY, cron: '@daily' }])).toThrow(/second schedule/);
  });
});

function codeAndMessage(part: Partial<Schedule>): { code: string; message: string } | null {
  try {
    planSchedules([{ ...NIGHTLY, ...part }]);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(RuntimeError);
    const { code, message } = error as RuntimeError;
    return { code, message };
  }
}
