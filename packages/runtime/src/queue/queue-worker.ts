import { errorClass, type Logger } from '@toolwright/sdk';
import type { RunJournal } from '../audit/run-journal.js';
import { RuntimeError } from '../errors.js';
import type { Scheduler } from '../schedule/scheduler.js';
import { waitFor, type TimeSource } from '../time/time-source.js';
import type { QueuedRunStore } from './queued-run-store.js';
import type { WakeUps } from './wake-ups.js';

/** How a worker works. */
export interface WorkTerms {
  /** Most runs that are driven at once. */
  readonly concurrency: number;
  /** How long an idle worker waits before it looks for due runs again, in milliseconds. */
  readonly pollMs: number;
  /** How often expired leases are looked for, in milliseconds. */
  readonly reapMs: number;
}

export const DEFAULT_WORK: WorkTerms = { concurrency: 4, pollMs: 1_000, reapMs: 10_000 };

/**
 * How long an idle worker that is woken waits before it looks by itself, in milliseconds: the transport may have lost
 * the message, or had none to send for a run that was put back.
 */
export const WOKEN_POLL_MS = 5_000;

/** Most runs that one look for expired leases disposes of; the next look takes the rest. */
const REAP_BATCH = 100;
/** Most paused runs that one look goes on with, because nobody decided in time. */
const EXPIRED_BATCH = 100;
/** How long a worker leaves a run alone that it could not take. */
const PASS_OVER_MS = 60_000;
const MAX_PASSED_OVER = 10_000;

export interface WorkerPorts {
  readonly store: QueuedRunStore;
  readonly wakeUps: WakeUps | null;
  readonly time: TimeSource;
  readonly logger: Logger;
  /** Enqueues the runs of schedules whose time has come. */
  readonly scheduler: Scheduler | null;
  /** Disposes of runs whose lease has expired, so many at most. */
  readonly reap: (limit: number) => Promise<unknown>;
  /** Drives a run that was taken to where it rests, and gives it up. */
  readonly drive: (journal: RunJournal) => Promise<unknown>;
}

/**
 * Takes due runs and drives them, and disposes of those whose owner vanished. A wake-up is only a reason
 * to look: without any, a run waits for the next poll at most.
 */
export class QueueWorker {
  readonly #ports: WorkerPorts;
  readonly #terms: WorkTerms;
  readonly #driven = new Set<Promise<void>>();
  /** Attempts to take a run that are under way: each may be a run more to drive. */
  readonly #taking = new Set<Promise<boolean>>();
  /** Aborted to end the wait that goes on now. */
  #rest = new AbortController();
  #isDraining = false;
  /** Runs that could not be taken, with when they are tried anew: they must not keep the others waiting. */
  readonly #passedOver = new Map<string, number>();

  constructor(ports: WorkerPorts, terms: WorkTerms) {
    this.#ports = ports;
    this.#terms = terms;
  }

  /** Works until the signal aborts, then takes nothing more and waits for the runs that it drives. */
  async work(signal: AbortSignal): Promise<void> {
    const { wakeUps, time, scheduler } = this.#ports;
    const { concurrency, pollMs, reapMs } = this.#terms;
    const onAbort = (): void => {
      this.#isDraining = true;
      this.nudge();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const stop = wakeUps === null ? null : await this.#listen(wakeUps, concurrency);
    let reapAt = time.now().getTime();
    while (!this.#isDraining) {
      this.#rest = new AbortController();
      const now = time.now().getTime();
      if (now >= reapAt || reapAt - now > reapMs) {
        await this.#reap();
        await this.#takeExpired();
        reapAt = time.now().getTime() + reapMs;
      }
      await scheduler?.tick();
      const taken = await this.#takeDue();
      if (taken === 0 || this.#driven.size >= concurrency) {
        const quietMs = scheduler?.quietMs() ?? pollMs;
        await waitFor(time, Math.min(pollMs, quietMs), this.#rest.signal);
      }
    }
    signal.removeEventListener('abort', onAbort);
    await stop?.();
    await Promise.all(this.#driven);
  }

  async #listen(wakeUps: WakeUps, concurrency: number): Promise<(() => Promise<void>) | null> {
    try {
      return await wakeUps.receive((runId) => this.#wokenFor(runId), concurrency);
    } catch (error) {
      this.#ports.logger.error('Wake-ups cannot be received; runs wait for a poll.', {
        error: errorClass(error),
      });
      return null;
    }
  }

  /** Looks for due runs now. */
  nudge(): void {
    this.#rest.abort();
  }

  async #reap(): Promise<void> {
    const { reap, logger } = this.#ports;
    try {
      await reap(REAP_BATCH);
    } catch (error) {
      logger.error('Expired leases could not be looked for.', { error: errorClass(error) });
    }
  }

  async #takeDue(): Promise<number> {
    const free = this.#free();
    if (free <= 0 || this.#isDraining) {
      return 0;
    }
    const { store, time, logger } = this.#ports;
    const now = time.now().getTime();
    const passedBefore = this.#passedOver.size;
    let taken = 0;
    try {
      const due = await store.due(free + this.#passedOver.size);
      const waiting = due.filter((runId) => (this.#passedOver.get(runId) ?? 0) <= now);
      while (waiting.length > 0 && this.#free() > 0) {
        // As many at once as there is room for: they can share one commit of the database.
        const some = waiting.splice(0, this.#free());
        const answers = await Promise.all(some.map((runId) => this.#tryToTake(runId)));
        taken += answers.filter(Boolean).length;
      }
    } catch (error) {
      logger.error('Due runs could not be looked for.', { error: errorClass(error) });
    }
    // Those behind the ones that could not be taken are looked for at once.
    return taken === 0 && this.#passedOver.size > passedBefore ? this.#takeDue() : taken;
  }

  /** Goes on with paused runs in which nothing waits for a person any more. */
  async #takeExpired(): Promise<void> {
    const { store, time, logger } = this.#ports;
    const now = time.now().getTime();
    try {
      for (const runId of (await store.expired?.(EXPIRED_BATCH)) ?? []) {
        if (this.#free() > 0 && (this.#passedOver.get(runId) ?? 0) <= now) {
          await this.#tryToTake(runId, (id) => store.claim(id));
        }
      }
    } catch (error) {
      logger.error('Expired pauses could not be looked for.', { error: errorClass(error) });
    }
  }

  /** A message may come twice, late, or for a run that has ended: then it is taken for nothing. */
  async #wokenFor(runId: string): Promise<void> {
    await this.#room();
    const isPassedOver = (this.#passedOver.get(runId) ?? 0) > this.#ports.time.now().getTime();
    if (this.#isDraining || isPassedOver) {
      return;
    }
    await this.#tryToTake(runId);
    // Until then the transport gives the next message to somebody who has room.
    await this.#room();
  }

  async #room(): Promise<void> {
    while (!this.#isDraining && this.#free() <= 0) {
      await Promise.race([...this.#driven, ...this.#taking]);
    }
  }

  #free(): number {
    return this.#terms.concurrency - this.#driven.size - this.#taking.size;
  }

  #tryToTake(
    runId: string,
    claim: QueuedRunStore['claim'] = (id) => this.#ports.store.claimQueued(id),
  ): Promise<boolean> {
    const taking = this.#takeOrPassOver(runId, claim).finally(() => this.#taking.delete(taking));
    this.#taking.add(taking);
    return taking;
  }

  /** A run that cannot be taken, its key being missing here for example, is left to others for a while. */
  async #takeOrPassOver(runId: string, claim: QueuedRunStore['claim']): Promise<boolean> {
    const { time, logger } = this.#ports;
    try {
      const isTaken = await this.#take(runId, claim);
      this.#passedOver.delete(runId);
      return isTaken;
    } catch (error) {
      const reason = error instanceof RuntimeError ? error.code : errorClass(error);
      logger.error('A run could not be taken.', { runId, error: reason });
      if (this.#passedOver.size < MAX_PASSED_OVER) {
        this.#passedOver.set(runId, time.now().getTime() + PASS_OVER_MS);
      }
      return false;
    }
  }

  async #take(runId: string, claim: QueuedRunStore['claim']): Promise<boolean> {
    const journal = this.#isDraining ? null : await claim(runId);
    if (journal === null) {
      return false;
    }
    const driven = this.#drive(journal).finally(() => {
      this.#driven.delete(driven);
      this.nudge();
    });
    this.#driven.add(driven);
    return true;
  }

  async #drive(journal: RunJournal): Promise<void> {
    try {
      await this.#ports.drive(journal);
    } catch (error) {
      // The lease lapses, and the run is disposed of like any other whose owner vanished.
      const { runId, correlationId } = journal.run;
      this.#ports.logger.error('A run broke off.', { runId, correlationId, error: errorClass(error) });
    }
  }
}
