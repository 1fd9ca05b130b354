import { openDatabase, type DatabaseOptions } from './open-database.js';
import { SqlRunStore, type SqlRunStoreOptions } from './sql-run-store.js';

/** Where runs live, and how. The place is the only setting that differs between one machine and several. */
export type RunStoreOptions = DatabaseOptions & Omit<SqlRunStoreOptions, 'runner' | 'dialect'>;

/**
 * Opens a store of runs and brings its schema up to date: with `file` on SQLite, for the processes of one machine;
 * with `url` on PostgreSQL, for those of many.
 *
 * @throws RuntimeError as {@link openDatabase}.
 */
export async function openRunStore(options: RunStoreOptions): Promise<SqlRunStore> {
  const database = await openDatabase(options);
  try {
    return new SqlRunStore({ ...options, ...database });
  } catch (error) {
    await database.runner.close();
    throw error;
  }
}
