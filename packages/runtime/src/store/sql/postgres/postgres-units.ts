import type { Pool, PoolClient, QueryResult } from 'pg';
import { RuntimeError } from '../../../errors.js';
import type { SqlRow, Statement, UnitOutcome, UnitRunner } from '../../unit.js';
import type { PostgresHeartbeats } from './postgres-heartbeats.js';
import type { PostgresWakeUps } from './postgres-wake-ups.js';
import { PostgresFailure, postgresError } from './postgres-failure.js';

/** How often a unit is run that the server took back because it collided with another one. */
export const TRIES = 5;
/** The longest wait before the second try, in milliseconds; it doubles with each try. */
const FIRST_WAIT_MS = 20;
/** serialization_failure and deadlock_detected: the server took the transaction back and asks for it again. */
const COLLISIONS: ReadonlySet<string> = new Set(['40001', '40P01']);

/** Runs each unit as a transaction on a connection of a pool. */
export class PostgresUnits implements UnitRunner {
  readonly #pool: Pool;
  readonly #place: string;
  readonly #wait: (ms: number) => Promise<void>;
  readonly #random: () => number;
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
    let client: PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (error) {
      return { kind: 'failed', failure: new PostgresFailure(error) };
    }
    // A connection is given back only when it is known to be outside of a transaction.
    let isClean = false;
    try {
      const attempt = await attemptUnit(client, unit);
      if (attempt.kind === 'committed') {
        isClean = true;
      } else if (attempt.kind !== 'unknown') {
        isClean = await client.query('rollback').then(
          () => true,
          () => false,
        );
      }
      return attempt;
    } finally {
      client.release(!isClean);
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

type Attempt =
  | Extract<UnitOutcome, { kind: 'committed' | 'refused' }>
  | { readonly kind: 'failed' | 'unknown'; readonly failure: PostgresFailure };

/** Sends all statements at once, looks at every answer, and only then asks for the COMMIT. */
async function attemptUnit(client: PoolClient, unit: readonly Statement[]): Promise<Attempt> {
  const answers = await Promise.allSettled([
    client.query<SqlRow>('begin'),
    ...unit.map(({ sql, parameters }) => client.query<SqlRow>(sql, [...parameters])),
  ]);
  const rows: (readonly SqlRow[])[] = [];
  for (const [index, answer] of answers.entries()) {
    if (answer.status === 'rejected') {
      return { kind: 'failed', failure: new PostgresFailure(answer.reason) };
    }
    const statement = unit[index - 1];
    if (statement === undefined) {
      continue;
    }
    const found = answer.value.rowCount ?? 0;
    if (statement.rows !== 'any' && statement.rows !== found) {
      return { kind: 'refused', statement: index - 1, found };
    }
    rows.push(answer.value.rows);
  }
  try {
    const { command } = await client.query('commit');
    if (command === 'COMMIT') {
      return { kind: 'committed', rows };
    }
    // The server answers so, without an error, where the transaction had been taken back already.
    return {
      kind: 'failed',
      failure: new PostgresFailure(new Error(`the server answered ${command} to the commit`)),
    };
  } catch (error) {
    const failure = new PostgresFailure(error);
    return { kind: failure.isAnswer ? 'failed' : 'unknown', failure };
  }
}
