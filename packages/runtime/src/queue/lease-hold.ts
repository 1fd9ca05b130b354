import type { TimeSource } from '../time/time-source.js';
import type { LeaseTerms, MonotonicClock } from './queued-run-store.js';

/**
 * One hold on a run as its owner sees it: held until its lease may have lapsed, measured from before each
 * renewal was asked for, by a clock that nobody sets, and a margin earlier than in the store. Once lost it
 * stays lost, because somebody else may have taken the run since.
 */
export class LeaseHold {
  readonly #lost = new AbortController();
  readonly #marginMs: number;
  readonly #clock: MonotonicClock;
  readonly #time: TimeSource;
  #deadlineMs: number;
  #isOver = false;
  #forgetAlarm: () => void = () => undefined;
  #catchUp: () => void = () => undefined;

  /** @param sentAtMs the elapsed time before the claim was sent. */
  constructor(terms: LeaseTerms, clock: MonotonicClock, time: TimeSource, sentAtMs: number) {
    this.#marginMs = terms.marginMs;
    this.#clock = clock;
    this.#time = time;
    this.#deadlineMs = sentAtMs + terms.leaseMs - terms.marginMs;
    this.#setAlarm();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** What brings in the renewals that were answered while the event loop stood still. */
  catchUpBy(catchUp: () => void): void {
    this.#catchUp = catchUp;
  }

  /** Whether the run is owned here, by the local clock. */
  isHeld(): boolean {
    if (!this.#isOver) {
      this.#catchUp();
    }
    if (this.#isOver || this.#lost.signal.aborted) {
      return false;
    }
    if (this.#clock.elapsedMs() < this.#deadlineMs) {
      return true;
    }
    this.lose();
    return false;
  }

  /** The store took a lease of so long, asked for at that elapsed time, and holds it until nothing longer. */
  renewed(sentAtMs: number, leaseMs: number): void {
    this.#deadlineMs = sentAtMs + leaseMs - this.#marginMs;
  }

  /** As {@link renewed}, where the store keeps the longer of the two leases. */
  prolonged(sentAtMs: number, leaseMs: number): void {
    this.#deadlineMs = Math.max(this.#deadlineMs, sentAtMs + leaseMs - this.#marginMs);
  }

  /** Somebody else has, or may have, taken the run. */
  lose(): void {
    if (!this.#isOver && !this.#lost.signal.aborted) {
      this.#forgetAlarm();
      this.#lost.abort();
    }
  }

  /** The run was settled, or nothing more is done for it here. */
  end(): void {
    this.#isOver = true;
    this.#forgetAlarm();
  }

  #setAlarm(): void {
    const waitMs = Math.max(1, Math.ceil(this.#deadlineMs - this.#clock.elapsedMs()));
    this.#forgetAlarm = this.#time.schedule(waitMs, () => {
      if (this.isHeld()) {
        this.#setAlarm();
      }
    });
  }
}
