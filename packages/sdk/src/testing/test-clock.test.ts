import { describe, expect, it } from 'vitest';
import { createTestClock } from './test-clock.js';

describe('createTestClock', () => {
  it('stands still until it is advanced', () => {
    const clock = createTestClock(new Date('2026-05-01T00:00:00Z'));
    expect(clock.now()).toEqual(clock.now());
    clock.advance(1_500);
    expect(clock.now().toISOString()).toBe('2026-05-01T00:00:01.500Z');
  });

  it('runs delays in order, each at its own time, when several become due', () => {
    const clock = createTestClock();
    const start = clock.now().getTime();
    const ran: number[] = [];
    const note = (): void => void ran.push(clock.now().getTime() - start);
    clock.schedule(30, note);
    clock.schedule(10, () => {
      note();
      clock.schedule(5, note);
    });
    clock.schedule(99, note);
    clock.advance(40);
    expect(ran).toEqual([10, 15, 30]);
  });

  it('forgets a delay when it is cancelled', () => {
    const clock = createTestClock();
    let ran = false;
    clock.schedule(1, () => (ran = true))();
    clock.advance(10);
    expect(ran).toBe(false);
  });
});
