import type { Heartbeats } from '../queue/heartbeats.js';
import type { WakeUps } from '../queue/wake-ups.js';

/*
 * How a store talks to its database: closed units. The caller says everything at once, with what must be
 * true of each statement, and is told whether all of it is stored or none. Nobody holds a transaction
 * open, so a unit can cross a thread, share one COMMIT with others, and be asked for again.
 */

export type SqlValue = string | number | bigint | null | Uint8Array;

/** One statement as a query builder compiled it. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  /**
   * How many rows it must change (or, for a query and for `returning`, yield); `any` where it does not
   * matter. Another number refuses the whole unit: a guard that does not hold is an answer, no error.
   */
  readonly rows: number | 'any';
}

export type SqlRow = Readonly<Record<string, SqlValue>>;

/** What became of a unit. */
export type UnitOutcome =
  /** All of it is stored and survives a loss of power. One list of rows per statement. */
  | { readonly kind: 'committed'; readonly rows: readonly (readonly SqlRow[])[] }
  /** An expectation did not hold; nothing is stored. `statement` counts from 0. */
  | { readonly kind: 'refused'; readonly statement: number; readonly found: number }
  /** The database refused or could not be reached, and nothing is stored. */
  | { readonly kind: 'failed'; readonly cause: unknown }
  /** The answer to the COMMIT was lost: read what the unit would have stored before calling it a failure. */
  | { readonly kind: 'unknown'; readonly cause: unknown };

/**
 * Runs units, one after another where they touch the same rows. SQLite: one writer thread, `begin
 * immediate`, a savepoint per unit, many units in one COMMIT. PostgreSQL: a pooled connection per unit.
 */
export interface UnitRunner {
  /** Never rejects: what went wrong is in the outcome. */
  run(unit: readonly Statement[]): Promise<UnitOutcome>;
  /**
   * Reads outside of a unit, with everything that was committed before.
   *
   * @throws RuntimeError with code `STORE_UNAVAILABLE`.
   */
  read(statement: Omit<Statement, 'rows'>): Promise<readonly SqlRow[]>;
  /** Heartbeats that a blocked event loop does not hold up, where the runner has a thread for them. */
  readonly heartbeats?: Heartbeats;
  /** Messages to other processes, where the database carries them. */
  readonly wakeUps?: WakeUps;
  /** Waits for the units that were taken, and takes no more. */
  close(): Promise<void>;
}
