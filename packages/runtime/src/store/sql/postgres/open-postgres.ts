import { errorClass, type Logger } from '@toolwright/sdk';
import pg from 'pg';
import { RuntimeError } from '../../../errors.js';
import { systemTime, waitFor } from '../../../time/time-source.js';
import type { UnitRunner } from '../../unit.js';
import { migratePostgres } from './migrate-postgres.js';
import { postgresError } from './postgres-failure.js';
import { PostgresHeartbeats } from './postgres-heartbeats.js';
import { PostgresUnits } from './postgres-units.js';
import { PostgresWakeUps } from './postgres-wake-ups.js';
import { postgresValues } from './postgres-values.js';

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, directly to the primary. It appears in no message. */
  readonly url: string;
  /** The schema that is the store's alone; created when there is none. `toolwright` when absent. */
  readonly schema?: string;
  /** 10 when absent. */
  readonly maxConnections?: number;
  /** How long a connection may take, in milliseconds. 5000 when absent. */
  readonly connectTimeoutMs?: number;
  /** How long a statement may take, its wait for locks included, in milliseconds. 10000 when absent. */
  readonly statementTimeoutMs?: number;
  /** Told of connections that break while nobody uses them; they are replaced by themselves. */
  readonly logger?: Logger;
}

/** How much longer than the server this side waits: only a connection that is gone answers this late. */
const ANSWER_MARGIN_MS = 5_000;
/** Names that need no quoting anywhere. PostgreSQL cuts longer ones. */
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * Opens a store on PostgreSQL, and brings its schema up to date. Any number of processes on any number of
 * machines may have it open.
 *
 * @throws RuntimeError with code `INVALID_CONFIGURATION`, `STORE_OF_ANOTHER`, `STORE_SCHEMA_NEWER`,
 *   `STORE_READ_ONLY`, `STORE_NOT_DURABLE` or `STORE_UNAVAILABLE`. No message has the password in it.
 */
export async function openPostgres(options: PostgresOptions): Promise<UnitRunner> {
  const { schema = 'toolwright', maxConnections = 10, connectTimeoutMs = 5_000 } = options;
  const { statementTimeoutMs = 10_000, logger } = options;
  const url = parseUrl(options.url);
  if (!SCHEMA_NAME.test(schema)) {
    throw configurationError(
      'schema',
      'lower-case letters, digits and _ (63 at most)',
      JSON.stringify(schema),
    );
  }
  for (const [name, value] of Object.entries({ maxConnections, connectTimeoutMs, statementTimeoutMs })) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw configurationError(name, 'a whole number from 1 up', String(value));
    }
  }
  const place = `the database ${JSON.stringify(url.pathname.slice(1))} at ${url.host || 'the local socket'}`;
  // In the URL, because whatever the URL says wins over a setting beside it.
  const inUrl = url.searchParams.get('options');
  url.searchParams.set('options', `${inUrl === null ? '' : `${inUrl} `}-c search_path=${schema}`);
  const connection: pg.ClientConfig = {
    connectionString: url.href,
    application_name: 'toolwright-runtime',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
  };
  await prepare(connection, schema, place);
  const limits = {
    statement_timeout: statementTimeoutMs,
    // A process that is stopped in the middle of a unit must not keep the row from whoever reaps its run.
    idle_in_transaction_session_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_MARGIN_MS,
  };
  const pool = new pg.Pool({
    ...connection,
    ...limits,
    max: maxConnections,
    types: postgresValues,
  });
  // Without a listener, an idle connection that the server ends would end this process.
  pool.on('error', (error) => {
    logger?.warn('An idle connection to the store broke and is replaced.', { error: errorClass(error) });
  });
  pool.on('connect', (client) => {
    // While it is in use, whoever uses it sees the error; the event needs a listener all the same.
    client.on('error', () => undefined);
  });
  return new PostgresUnits(pool, place, {
    heartbeats: new PostgresHeartbeats({ ...connection, ...limits }, logger ?? null),
    wakeUps: new PostgresWakeUps(options.url, schema, logger ?? null),
    wait: (ms) => waitFor(systemTime, ms),
    random: Math.random,
  });
}

/** Checks the server and migrates, on a connection of its own that no time limit of the pool cuts off. */
async function prepare(connection: pg.ClientConfig, schema: string, place: string): Promise<void> {
  const client = new pg.Client({ ...connection, types: postgresValues });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await assertServer(client, place);
    await migratePostgres(client, schema, place);
  } catch (error) {
    throw error instanceof RuntimeError ? error : postgresError('open the store in', place, error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function assertServer(client: pg.Client, place: string): Promise<void> {
  const { rows } = await client.query<
    Record<'replica' | 'fsync' | 'synchronous' | 'read_only', string | number>
  >(
    `select pg_is_in_recovery() as replica, current_setting('fsync') as fsync,
            current_setting('synchronous_commit') as synchronous,
            current_setting('default_transaction_read_only') as read_only`,
  );
  const found = rows[0];
  if (found === undefined || found.replica === 1 || found.read_only === 'on') {
    const what = found?.replica === 1 ? 'a replica' : 'a session that may only read';
    throw new RuntimeError(
      'STORE_READ_ONLY',
      `Cannot open the store in ${place}: expected the primary, with writes allowed, found ${what}. Connect to the ` +
        'primary, as a user whose default_transaction_read_only is off.',
    );
  }
  for (const [name, value] of [
    ['fsync', found.fsync],
    ['synchronous_commit', found.synchronous],
  ]) {
    if (value === 'off') {
      throw new RuntimeError(
        'STORE_NOT_DURABLE',
        `Cannot open the store in ${place}: expected a server that syncs every commit, found ${String(name)} = off, ` +
          `under which a fence that was acknowledged can be lost with the power. Turn ${String(name)} on for this ` +
          'database or user.',
      );
    }
  }
}

function parseUrl(text: unknown): URL {
  const expected =
    'a URL that starts with "postgres://" and names user, password, host and database, special characters percent-encoded';
  // What was found is not shown, and an error of the parser is no cause: either may have the password in it.
  if (typeof text !== 'string' || !URL.canParse(text)) {
    throw configurationError(
      'url',
      expected,
      typeof text === 'string' ? 'a text that is no URL' : typeof text,
    );
  }
  const url = new URL(text);
  if (!['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw configurationError('url', expected, 'another protocol');
  }
  if (url.pathname.length < 2) {
    throw configurationError('url', expected, 'no name of a database');
  }
  return url;
}

function configurationError(name: string, expected: string, found: string): RuntimeError {
  return new RuntimeError(
    'INVALID_CONFIGURATION',
    `Cannot open the store on PostgreSQL: expected ${name} to be ${expected}, found ${found}.`,
  );
}
