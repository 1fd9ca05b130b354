import { RuntimeError } from '../../errors.js';
import type { UnitRunner } from '../unit.js';
import { SQL_DIALECTS, type SqlDialect } from './dialect.js';
import type { PostgresOptions } from './postgres/open-postgres.js';
import type { SqliteOptions } from './sqlite/open-sqlite.js';

/** One file for the processes of one machine, or one PostgreSQL for those of many. */
export type DatabaseOptions = SqliteOptions | PostgresOptions;

/** What a store needs of its database. */
export interface OpenDatabase {
  readonly runner: UnitRunner;
  readonly dialect: SqlDialect;
}

/**
 * Opens the database of a store and brings its schema up to date: with `file` SQLite, with `url` PostgreSQL. It loads
 * the driver that it needs and not the other one.
 *
 * @throws RuntimeError with code `INVALID_CONFIGURATION`, `STORE_NOT_A_DATABASE`, `STORE_OF_ANOTHER`,
 *   `STORE_SCHEMA_NEWER`, `STORE_READ_ONLY`, `STORE_FULL`, `STORE_NOT_DURABLE` or `STORE_UNAVAILABLE`.
 */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const hasFile = 'file' in options;
  const hasUrl = 'url' in options;
  if (hasFile === hasUrl) {
    throw new RuntimeError(
      'INVALID_CONFIGURATION',
      'Cannot open the store: expected either file (for SQLite, one machine) or url (for PostgreSQL, several), found ' +
        `${hasFile ? 'both' : 'neither'}. Give the one that you mean.`,
    );
  }
  if ('file' in options) {
    const { openSqlite } = await import('./sqlite/open-sqlite.js');
    return { runner: await openSqlite(options), dialect: SQL_DIALECTS.sqlite };
  }
  const { openPostgres } = await import('./postgres/open-postgres.js');
  return { runner: await openPostgres(options), dialect: SQL_DIALECTS.postgres };
}
