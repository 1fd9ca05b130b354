import { errorClass, type Logger } from '@toolwright/sdk';
import type { Statement, UnitRunner } from '../store/unit.js';
import type { TimeSource } from '../time/time-source.js';
import type { MonotonicClock } from './queued-run-store.js';

/** What names one hold in the store, and guards every update of its owner. */
export interface HeldRun {
  readonly runId: string;
  readonly owner: string;
  readonly epoch: number;
}

/** What to do for one hold. Plain data: it crosses threads. */
export interface HeartbeatOrder {
  readonly runId: string;
  readonly everyMs: number;
  /** Renews the lease, and touches no row once the run is somebody else's. */
  readonly renewal: Statement;
}

/** What became of one renewal. */
export type Beat =
  /** The store took it; `sentAtMs` is the elapsed time before it was asked. */
  | { readonly kind: 'renewed'; readonly sentAtMs: number }
  /** No row is held under this owner and epoch any more. */
  | { readonly kind: 'lost' }
  /** The store did not answer; the lease runs on, and the next beat asks again. */
  | { readonly kind: 'failed' };

/** Heartbeats that go on for one hold. */
export interface Heartbeat {
  /** Hands out the beats that are answered by now. A tool that blocked the event loop has kept them waiting. */
  catchUp(): void;
  /** Nothing is renewed any more from now on: the lease shall lapse, where the store still has it. */
  stop(): void;
  /**
   * The store has the lease no longer, so that a renewal on its way finds no row: it may be stopped when that costs least.
   * Where it is absent, {@link stop} does.
   */
  over?(): void;
}

/**
 * Renews leases while tools run. One that lives in a thread of its own also renews while a tool blocks the
 * event loop of the run.
 */
export interface Heartbeats {
  /** Renews the lease again and again until it is stopped or lost. */
  start(order: HeartbeatOrder, onBeat: (beat: Beat) => void): Heartbeat;
}

/** The clock of the process: the same one in each of its threads, and no setting of the date moves it. */
export const processClock: MonotonicClock = {
  elapsedMs: () => Number(process.hrtime.bigint() / 1_000n) / 1_000,
};

/** Heartbeats on the event loop of the run. A tool that blocks it holds them up as well. */
export class TimerHeartbeats implements Heartbeats {
  readonly #runner: Pick<UnitRunner, 'run'>;
  readonly #time: TimeSource;
  readonly #clock: MonotonicClock;
  readonly #logger: Logger;

  constructor(
    runner: Pick<UnitRunner, 'run'>,
    ports: { readonly time: TimeSource; readonly clock: MonotonicClock; readonly logger: Logger },
  ) {
    this.#runner = runner;
    this.#time = ports.time;
    this.#clock = ports.clock;
    this.#logger = ports.logger;
  }

  start(order: HeartbeatOrder, onBeat: (beat: Beat) => void): Heartbeat {
    let isStopped = false;
    let forget: () => void = () => undefined;
    const again = (): void => {
      forget = this.#time.schedule(order.everyMs, () => void beat());
    };
    const beat = async (): Promise<void> => {
      const sentAtMs = this.#clock.elapsedMs();
      const kind = await this.#ask(order);
      if (isStopped) {
        return;
      }
      onBeat(kind === 'renewed' ? { kind, sentAtMs } : { kind });
      if (kind !== 'lost') {
        again();
      }
    };
    again();
    return {
      catchUp: () => undefined,
      stop: () => {
        isStopped = true;
        forget();
      },
    };
  }

  async #ask(order: HeartbeatOrder): Promise<Beat['kind']> {
    try {
      const { kind } = await this.#runner.run([order.renewal]);
      return kind === 'committed' ? 'renewed' : kind === 'refused' ? 'lost' : 'failed';
    } catch (error) {
      const { runId } = order;
      this.#logger.error('A lease could not be renewed.', { runId, error: errorClass(error) });
      return 'failed';
    }
  }
}
