import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { RuntimeError } from '../../../errors.js';
import { ThreadHeartbeats } from '../../../queue/thread-heartbeats.js';
import { migrationsFor, migrationsTable } from '../migrations.js';
import type { UnitRunner } from '../../unit.js';
import { sqliteError } from './sqlite-failure.js';
import { SqliteUnits } from './sqlite-units.js';
import { StoreThreadClient, ThreadNotOpenError } from './store-thread-client.js';

export interface SqliteOptions {
  /** Path of the file; it is created when there is none, its directory is not. On a local disk. */
  readonly file: string;
  /** How long a unit waits while another process writes, in milliseconds. 5000 when absent. */
  readonly busyTimeoutMs?: number;
}

/**
 * Opens a store in a file, and brings its schema up to date. Several processes of one machine may have the
 * same file open, each through one of these.
 *
 * @throws RuntimeError with code `INVALID_CONFIGURATION`, `STORE_NOT_A_DATABASE`, `STORE_OF_ANOTHER`,
 *   `STORE_SCHEMA_NEWER`, `STORE_READ_ONLY`, `STORE_FULL`, `STORE_NOT_DURABLE` or `STORE_UNAVAILABLE`. The file is then
 *   as it was.
 */
export async function openSqlite(options: SqliteOptions): Promise<UnitRunner> {
  const { busyTimeoutMs = 5_000 } = options;
  assertOptions(options.file, busyTimeoutMs);
  const file = resolve(options.file);
  await assertPlace(file);
  const connection = {
    file,
    busyTimeoutMs,
    migrationsTable: migrationsTable('sqlite'),
    migrations: migrationsFor('sqlite'),
  };
  const { port1, port2 } = new MessageChannel();
  const heartbeats = new ThreadHeartbeats(port1);
  try {
    const writer = await StoreThreadClient.start({ role: 'writer', connection, heartbeats: port2 });
    try {
      const reader = await StoreThreadClient.start({ role: 'reader', connection });
      return new SqliteUnits(file, writer, reader, heartbeats);
    } catch (error) {
      await writer.close();
      throw error;
    }
  } catch (error) {
    heartbeats.close();
    if (!(error instanceof ThreadNotOpenError)) {
      throw new RuntimeError(
        'STORE_UNAVAILABLE',
        `Cannot open the store ${JSON.stringify(file)}: expected a thread that loads better-sqlite3, found that it ended. ` +
          'Look at the cause; if its native part is missing, allow the build script of better-sqlite3 and install again.',
        { cause: error },
      );
    }
    const { problem } = error;
    // SQLite does not say why it cannot open; a place that may not be written is the reason that has a remedy of its own.
    const isReadOnly = problem.code.startsWith('SQLITE_CANTOPEN') && (await isWriteProtected(file));
    throw sqliteError('open the store', file, isReadOnly ? { ...problem, code: 'SQLITE_READONLY' } : problem);
  }
}

function assertOptions(file: unknown, busyTimeoutMs: unknown): void {
  if (typeof file !== 'string' || file.trim() === '' || file === ':memory:' || file.includes('\0')) {
    throw new RuntimeError(
      'INVALID_CONFIGURATION',
      `Cannot open the store: expected file to be the path of a file, found ${JSON.stringify(file)}. ` +
        'For runs that live in memory only, use MemoryRunStore.',
    );
  }
  if (typeof busyTimeoutMs !== 'number' || !Number.isSafeInteger(busyTimeoutMs) || busyTimeoutMs < 0) {
    throw new RuntimeError(
      'INVALID_CONFIGURATION',
      'Cannot open the store: expected busyTimeoutMs to be a whole number of milliseconds, ' +
        `found ${String(busyTimeoutMs)}.`,
    );
  }
}

async function assertPlace(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found !== null && !found.isFile()) {
    throw new RuntimeError(
      'STORE_NOT_A_DATABASE',
      `Cannot open the store ${JSON.stringify(file)}: expected a file, found ` +
        `${found.isDirectory() ? 'a directory' : 'something that is no regular file'}. ` +
        'Name a file in it, for example "runs.db".',
    );
  }
  const directory = await stat(dirname(file)).catch(() => null);
  if (directory?.isDirectory() !== true) {
    throw new RuntimeError(
      'STORE_UNAVAILABLE',
      `Cannot open the store ${JSON.stringify(file)}: expected its directory to exist, found none. Create ` +
        `${JSON.stringify(dirname(file))}, or correct the path.`,
    );
  }
}

/** Whether the file or its directory does not let this process write; asked of the system, not of mode bits. */
async function isWriteProtected(file: string): Promise<boolean> {
  const probe = `${file}-probe`;
  const protectedFile = await isForbidden(() => open(file, 'r+'));
  const protectedDirectory = await isForbidden(() => open(probe, 'wx'));
  await rm(probe, { force: true }).catch(() => undefined);
  return protectedFile || protectedDirectory;
}

async function isForbidden(openFile: () => Promise<FileHandle>): Promise<boolean> {
  try {
    await (await openFile()).close();
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && /^(EACCES|EPERM|EROFS)$/.test(String(error.code));
  }
}
