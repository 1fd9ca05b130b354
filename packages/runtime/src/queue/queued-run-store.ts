import type { ToolEffect } from '@toolwright/sdk';
import type { LateEvidence, RunJournal, RunRecord, RunStore } from '../audit/run-journal.js';
import type { Step } from '../audit/step.js';
import type { ScheduleBook } from '../schedule/schedule-book.js';
import type { WakeUps } from './wake-ups.js';
import type { Disposition } from '../run/disposition.js';

/** A run whose lease had expired, and what became of it. */
export interface ReapedRun {
  readonly runId: string;
  readonly disposition: Disposition;
}

/** How long a hold lasts, in milliseconds. */
export interface LeaseTerms {
  readonly leaseMs: number;
  /** A third of the lease or less. */
  readonly heartbeatMs: number;
  /** The hold counts as lapsed here so much earlier than in the store, whatever the clocks do. */
  readonly marginMs: number;
}

export const DEFAULT_LEASE: LeaseTerms = { leaseMs: 30_000, heartbeatMs: 10_000, marginMs: 2_000 };

/** Elapsed time that no change of the machine's clock moves. */
export interface MonotonicClock {
  elapsedMs(): number;
}

/**
 * A store that several processes share. Every hold has an owner token, a rising epoch and a lease; each
 * method is one unit whose guards are those of run/lifecycle.ts.
 */
export interface QueuedRunStore extends RunStore {
  /** Messages to other processes, where the database of the store carries them. */
  readonly wakeUps?: WakeUps | null;
  /** @throws RuntimeError with code `RUN_ALREADY_EXISTS`. */
  enqueue(run: RunRecord, firstSteps: readonly Step[], notBefore: Date | null): Promise<void>;
  /** Takes this queued run if it is due, or answers null. */
  claimQueued(runId: string): Promise<RunJournal | null>;
  /** Ids of queued runs that are due, the longest waiting first: what a reconciler sends again. */
  due(limit: number): Promise<readonly string[]>;
  /**
   * Finds expired leases and disposes of each run, rechecking inside its update. Two reapers do no harm.
   *
   * @param effectFor the effect of a tool by name, the strictest one for a name that is not known. Where it
   *   and the fence differ, the stricter of the two counts.
   */
  reap(limit: number, effectFor: (tool: string) => ToolEffect): Promise<readonly ReapedRun[]>;
  /** What came to light too late to change the run, oldest first. */
  lateEvidence(runId: string): Promise<readonly LateEvidence[]>;
  /** Where recurring runs stand. A store without it cannot have schedules. */
  readonly schedules?: ScheduleBook;
  /**
   * Ids of paused runs in which nothing waits for a person any more, because every request of theirs has expired, the
   * longest expired first: what a worker goes on with. A store without it leaves them to `resume`.
   */
  expired?(limit: number): Promise<readonly string[]>;
}
