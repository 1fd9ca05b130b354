// @ts-check
import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
/** @import { Migration } from '../migrations.js' */

/**
 * What a connection is opened for; plain data, it goes to the thread.
 *
 * @typedef {{
 *   readonly file: string,
 *   readonly busyTimeoutMs: number,
 *   readonly migrationsTable: string,
 *   readonly migrations: readonly Migration[],
 * }} ConnectionRequest
 */

/** Says by what a file does not do for a store. `code` is one of this package's. */
export class StoreFileError extends Error {
  /**
   * @param {'STORE_OF_ANOTHER' | 'STORE_SCHEMA_NEWER' | 'STORE_NOT_DURABLE'} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    /** @readonly */
    this.code = code;
  }
}

/** Longest pause between two tries for a lock, in milliseconds. */
const RETRY_MS = 20;

/**
 * Opens the connection that writes: durable, and with the newest schema.
 *
 * @param {ConnectionRequest} request
 * @returns {Database.Database}
 */
export function openWriter(request) {
  const database = new Database(request.file, { timeout: request.busyTimeoutMs });
  try {
    // Nothing is changed before this says that the file is a store, and not one of a newer version.
    storedVersion(database, request.migrations.length);
    makeDurable(database, request.busyTimeoutMs);
    assertDurable(database);
    migrate(database, request);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Opens a connection that only reads. The writer must be open: it has made the file what it is.
 *
 * @param {ConnectionRequest} request
 * @returns {Database.Database}
 */
export function openReader(request) {
  return new Database(request.file, { readonly: true, timeout: request.busyTimeoutMs });
}

/**
 * The driver is compiled to `synchronous = NORMAL` in WAL mode, under which a commit that was acknowledged
 * can be lost with the power; and on macOS a plain sync stops at the drive's cache.
 *
 * @param {Database.Database} database
 * @param {number} busyTimeoutMs
 */
function makeDurable(database, busyTimeoutMs) {
  // Changing the journal mode takes a lock for which SQLite does not wait by itself: two starters collide.
  withLock(busyTimeoutMs, () => {
    if (database.pragma('journal_mode', { simple: true }) !== 'wal') {
      database.pragma('journal_mode = wal');
    }
  });
  database.pragma('synchronous = full');
  database.pragma('fullfsync = on');
  database.pragma('checkpoint_fullfsync = on');
  database.pragma('foreign_keys = on');
  // What a savepoint or a statement may have to take back is copied there, page by page: of no use after a crash.
  database.pragma('temp_store = memory');
}

/**
 * @param {Database.Database} database
 * @throws {StoreFileError} with code `STORE_NOT_DURABLE` when a setting is another than the one a fence relies on
 */
export function assertDurable(database) {
  for (const [name, expected] of /** @type {const} */ ([
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['foreign_keys', 1],
  ])) {
    const found = database.pragma(name, { simple: true });
    if (found !== expected) {
      throw new StoreFileError(
        'STORE_NOT_DURABLE',
        `expected ${name} = ${expected}, found ${String(found)} after setting it`,
      );
    }
  }
}

/**
 * Brings the schema to the newest version, under the lock that every writer takes: of two starters one
 * migrates, and the other one waits and finds it done.
 *
 * @param {Database.Database} database
 * @param {ConnectionRequest} request
 */
function migrate(database, request) {
  const { migrations } = request;
  database
    .transaction(() => {
      const version = storedVersion(database, migrations.length);
      if (version === 0) {
        database.exec(request.migrationsTable);
      }
      // Written at every start, because SQLite begins a transaction on a file that it may only read without a word.
      database.pragma(`user_version = ${migrations.length}`);
      const applied = database.prepare(
        "insert into migrations (version, name, applied_at) values (?, ?, cast(unixepoch('subsec') * 1000 as integer))",
      );
      for (const migration of migrations.slice(version)) {
        for (const statement of migration.statements) {
          database.exec(statement);
        }
        applied.run(migration.version, migration.name);
      }
    })
    .immediate();
}

/**
 * @param {Database.Database} database
 * @param {number} newest the version that this code knows
 * @returns {number} the version of the schema in the file, 0 for an empty one
 */
function storedVersion(database, newest) {
  const tables = database
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'")
    .pluck()
    .all();
  if (tables.length === 0) {
    return 0;
  }
  const columns = database.prepare("select name from pragma_table_info('migrations')").pluck().all();
  if (!tables.includes('migrations') || columns.join() !== 'version,name,applied_at') {
    throw new StoreFileError('STORE_OF_ANOTHER', `found the tables ${tables.slice(0, 5).join(', ')}`);
  }
  const version = Number(database.prepare('select max(version) from migrations').pluck().get() ?? 0);
  if (version > newest) {
    throw new StoreFileError('STORE_SCHEMA_NEWER', `expected version ${newest} or older, found ${version}`);
  }
  return version;
}

/**
 * @param {number} timeoutMs
 * @param {() => void} action
 */
function withLock(timeoutMs, action) {
  const end = performance.now() + timeoutMs;
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      action();
      return;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!code.startsWith('SQLITE_BUSY') || performance.now() >= end) {
        throw error;
      }
      Atomics.wait(never, 0, 0, 1 + Math.random() * RETRY_MS);
    }
  }
}
