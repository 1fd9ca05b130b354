import Database from 'better-sqlite3';

export type PagesDatabase = Database.Database;

/**
 * Opens the content table, and makes it when there is none.
 *
 * @param file A path, or `:memory:`.
 */
export function openPagesDatabase(file = ':memory:'): PagesDatabase {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  // better-sqlite3 lowers this to NORMAL, under which a write that was answered can be lost with the power.
  database.pragma('synchronous = FULL');
  // Without AUTOINCREMENT the id of a deleted page would be given to the next one.
  database.exec(`
    create table if not exists pages (
      id integer primary key autoincrement,
      title text not null check (title <> ''),
      body text not null default ''
    ) strict
  `);
  return database;
}
