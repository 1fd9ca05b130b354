import { expect, it } from 'vitest';
import { createTestClock } from '../testing/test-clock.js';
import { withinDeadline, type DeadlineOptions } from './call-deadline.js';

const noGrace = (): Promise<void> => Promise.resolve();
const never = (): Promise<never> => new Promise(() => undefined);

function setup(grace = noGrace) {
  const clock = createTestClock();
  const cancel = new AbortController();
  const controller = new AbortController();
  const options: DeadlineOptions = {
    deadlineMs: 1_000,
    timer: clock,
    cancel: cancel.signal,
    controller,
    grace,
  };
  return { clock, cancel, signal: controller.signal, options };
}

it('withinDeadline answers what the code returned or threw when it settles in time', async () => {
  const { options, clock, signal } = setup();
  const error = new TypeError('x');
  expect(await withinDeadline(options, () => 7)).toEqual({ kind: 'returned', value: 7 });
  expect(await withinDeadline(options, async () => 8)).toEqual({ kind: 'returned', value: 8 });
  expect(
    await withinDeadline(options, () => {
      throw error;
    }),
  ).toEqual({ kind: 'threw', error });
  clock.advance(10_000);
  expect(signal.aborted).toBe(false);
});

it('withinDeadline aborts and goes on when the code does not settle in time', async () => {
  const { options, clock, signal } = setup();
  const settled = withinDeadline(options, never);
  clock.advance(999);
  expect(signal.aborted).toBe(false);
  clock.advance(1);
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  expect(await settled).toEqual({ kind: 'unsettled', why: 'deadline' });
});

it('withinDeadline counts an answer when the code settles within the grace time', async () => {
  let endGrace = (): void => undefined;
  const grace = () => new Promise<void>((resolve) => (endGrace = resolve));
  const { options, clock, signal } = setup(grace);
  const settled = withinDeadline(
    options,
    () =>
      new Promise<string>((resolve) => {
        signal.addEventListener('abort', () => {
          resolve('stopped cleanly');
        });
      }),
  );
  clock.advance(1_000);
  expect(await settled).toEqual({ kind: 'returned', value: 'stopped cleanly' });
  endGrace();
});

it('withinDeadline hands the reason on when the caller cancels', async () => {
  const { options, cancel, signal } = setup();
  const settled = withinDeadline(options, never);
  cancel.abort('gone');
  expect(await settled).toEqual({ kind: 'unsettled', why: 'cancelled' });
  expect(signal.reason).toBe('gone');
});
