import { errorClass, type Logger } from '@toolwright/sdk';
import type { TimeSource } from '../time/time-source.js';
import type { MonotonicClock } from './queued-run-store.js';

/** What names one hold in the store, and guards every update of its owner. Plain data: it crosses threads. */
export interface HeldRun {
  readonly runId: string;
  readonly owner: string;
  readonly epoch: number;
}

/** What became of one renewal. */
export type Beat =
  /** The store took it; `sentAtMs` is the elapsed time before it was asked. */
  | { readonly kind: 'renewed'; readonly sentAtMs: number }
  /** No row is held under this owner and epoch any more. */
  | { readonly kind: 'lost' }
  /** The store did not answer; the lease runs on, and the next beat asks again. */
  | { readonly kind: 'failed' };

/**
 * Renews leases while tools run. One that lives in a thread of its own also renews while a tool blocks the
 * event loop of the run.
 */
export interface Heartbeats {
  /** Renews this hold every heartbeat until it is stopped or lost. */
  start(held: HeldRun, onBeat: (beat: Beat) => void): () => void;
}

/** The clock of the process: the same one in each of its threads, and no setting of the date moves it. */
export const processClock: MonotonicClock = {
  elapsedMs: () => Number(process.hrtime.bigint() / 1_000n) / 1_000,
};

/** Heartbeats on the event loop of the run. A tool that blocks it holds them up as well. */
export class TimerHeartbeats implements Heartbeats {
  readonly #everyMs: number;
  readonly #renew: (held: HeldRun) => Promise<Beat['kind']>;
  readonly #time: TimeSource;
  readonly #clock: MonotonicClock;
  readonly #logger: Logger;

  constructor(
    everyMs: number,
    renew: (held: HeldRun) => Promise<Beat['kind']>,
    ports: { readonly time: TimeSource; readonly clock: MonotonicClock; readonly logger: Logger },
  ) {
    this.#everyMs = everyMs;
    this.#renew = renew;
    this.#time = ports.time;
    this.#clock = ports.clock;
    this.#logger = ports.logger;
  }

  start(held: HeldRun, onBeat: (beat: Beat) => void): () => void {
    let isStopped = false;
    let forget: () => void = () => undefined;
    const again = (): void => {
      forget = this.#time.schedule(this.#everyMs, () => void beat());
    };
    const beat = async (): Promise<void> => {
      const sentAtMs = this.#clock.elapsedMs();
      const kind = await this.#ask(held);
      if (isStopped) {
        return;
      }
      onBeat(kind === 'renewed' ? { kind, sentAtMs } : { kind });
      if (kind !== 'lost') {
        again();
      }
    };
    again();
    return () => {
      isStopped = true;
      forget();
    };
  }

  async #ask(held: HeldRun): Promise<Beat['kind']> {
    try {
      return await this.#renew(held);
    } catch (error) {
      this.#logger.error('A lease could not be renewed.', { runId: held.runId, error: errorClass(error) });
      return 'failed';
    }
  }
}
