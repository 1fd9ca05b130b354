import type { Pool, PoolClient, QueryResult } from 'pg';
import { RuntimeError } from '../../../errors.js';
import type { SqlRow, Statement, UnitOutcome, UnitRunner } from '../../unit.js';
import type { PostgresHeartbeats } from './postgres-heartbeats.js';
import type { PostgresWakeUps } from './postgres-wake-ups.js';
import { PostgresFailure, postgresError } from './postgres-failure.js';
import { UnitQuery, type Attempt } from './unit-query.js';
import { WireStatements } from './wire-statements.js';

/** How often a unit is run that the server took back because it collided with another one. */
export const TRIES = 5;
/** The longest wait before the second try, in milliseconds; it doubles with each try. */
const FIRST_WAIT_MS = 20;
/** serialization_failure and deadlock_detected: the server took the transaction back and asks for it again. */
const COLLISIONS: ReadonlySet<string> = new Set(['40001', '40P01']);

/** Runs each unit as a transaction on a connection of a pool, in one round trip. */
export class PostgresUnits implements UnitRunner {
  readonly #pool: Pool;
  readonly #place: string;
  readonly #wait: (ms: number) => Promise<void>;
  readonly #random: () => number;
  readonly #wires = new WireStatements();
  readonly #taken = new Set<Promise<unknown>>();
  #closed: Promise<void> | null = null;

  readonly heartbeats: PostgresHeartbeats;
  readonly wakeUps: PostgresWakeUps;

  /** @param place the server and database in words, without a password. */
  constructor(
    pool: Pool,
    place: string,
    beside: {
      readonly heartbeats: PostgresHeartbeats;
      readonly wakeUps: PostgresWakeUps;
      /** Waits so long, in milliseconds. */
      readonly wait: (ms: number) => Promise<void>;
      /** From 0 to 1. */
      readonly random: () => number;
    },
  ) {
    this.#wait = beside.wait;
    this.#random = beside.random;
    this.heartbeats = beside.heartbeats;
    this.wakeUps = beside.wakeUps;
    this.#pool = pool;
    this.#place = place;
  }

  async run(unit: readonly Statement[]): Promise<UnitOutcome> {
    if (this.#closed !== null) {
      return { kind: 'failed', cause: this.#closedError('store in') };
    }
    return this.#take(this.#runWithTries(unit));
  }

  async read(statement: Omit<Statement, 'rows'>): Promise<readonly SqlRow[]> {
    if (this.#closed !== null) {
      throw this.#closedError('read from');
    }
    return this.#take(this.#query(statement));
  }

  close(): Promise<void> {
    this.#closed ??= Promise.allSettled(this.#taken)
      .then(() => Promise.all([this.heartbeats.close(), this.wakeUps.close()]))
      .then(() => this.#pool.end());
    return this.#closed;
  }

  async #query(statement: Omit<Statement, 'rows'>): Promise<readonly SqlRow[]> {
    try {
      const result: QueryResult<SqlRow> = await this.#pool.query(statement.sql, [...statement.parameters]);
      return result.rows;
    } catch (error) {
      const cause = postgresError('read from', this.#place, error);
      throw cause.code === 'STORE_UNAVAILABLE'
        ? cause
        : new RuntimeError('STORE_UNAVAILABLE', cause.message, { cause });
    }
  }

  async #runWithTries(unit: readonly Statement[]): Promise<UnitOutcome> {
    for (let tries = 1; ; tries += 1) {
      const outcome = await this.#runOnce(unit);
      const collided = outcome.kind === 'failed' && COLLISIONS.has(outcome.failure.postgresCode);
      if (outcome.kind === 'committed' || outcome.kind === 'refused') {
        return outcome;
      }
      if (!collided || tries === TRIES) {
        return { kind: outcome.kind, cause: postgresError('store in', this.#place, outcome.failure) };
      }
      // At once, it would take its rows again before the other one, which waits for them, has woken up, and collide
      // with it anew: on a machine without a free processor, as often as it is tried.
      await this.#wait(this.#random() * FIRST_WAIT_MS * 2 ** (tries - 1));
    }
  }

  async #runOnce(unit: readonly Statement[]): Promise<Attempt> {
    let query: UnitQuery;
    let client: PoolClient;
    try {
      query = new UnitQuery(unit, this.#wires.of(unit));
      client = await this.#pool.connect();
    } catch (error) {
      return { kind: 'failed', failure: new PostgresFailure(error) };
    }
    try {
      client.query(query);
      return await query.attempt;
    } finally {
      // A connection is given back only when it is known to be outside of a transaction.
      client.release(!query.isClean);
    }
  }

  #take<T>(work: Promise<T>): Promise<T> {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    this.#taken.add(settled);
    void settled.then(() => this.#taken.delete(settled));
    return work;
  }

  #closedError(action: string): RuntimeError {
    return new RuntimeError(
      'STORE_UNAVAILABLE',
      `Cannot ${action} ${this.#place}: expected an open store, found that it was closed. Open it again.`,
    );
  }
}
