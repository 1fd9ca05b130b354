import type { Client } from 'pg';
import { RuntimeError } from '../../../errors.js';
import { migrationsFor, migrationsTable, SCHEMA_VERSION } from '../migrations.js';

/** Any number does that nothing else on the server takes; these are the first bytes of the project's name. */
const MIGRATION_LOCK = 0x746f6f6c;

/**
 * Brings the schema to the newest version. Of two starters one migrates, and the other one waits for the
 * lock and finds it done.
 *
 * @param client connected, with the schema of the store as its search path.
 * @throws RuntimeError with code `STORE_SCHEMA_NEWER` or `STORE_OF_ANOTHER`, or what the driver throws.
 */
export async function migratePostgres(client: Client, schema: string, place: string): Promise<void> {
  await client.query('begin');
  try {
    await client.query('set local lock_timeout = 0');
    await client.query('set local statement_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1, hashtext($2))', [MIGRATION_LOCK, schema]);
    const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [schema]);
    if (rowCount === 0) {
      // The name was checked to need no quoting.
      await client.query(`create schema ${schema}`);
    }
    const version = await storedVersion(client, schema, place);
    if (version === 0) {
      await client.query(migrationsTable('postgres'));
    }
    for (const migration of migrationsFor('postgres').slice(version)) {
      for (const statement of migration.statements) {
        await client.query(statement);
      }
      await client.query(
        'insert into migrations (version, name, applied_at) values ($1, $2, floor(extract(epoch from now()) * 1000))',
        [migration.version, migration.name],
      );
    }
    await client.query('commit');
  } catch (error) {
    // The connection is closed right after, which takes back what this could not.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function storedVersion(client: Client, schema: string, place: string): Promise<number> {
  const { rows: tables } = await client.query<{ name: string; columns: string }>(
    `select table_name as name, string_agg(column_name, ',' order by ordinal_position) as columns
       from information_schema.columns where table_schema = $1 group by table_name order by table_name`,
    [schema],
  );
  if (tables.length === 0) {
    return 0;
  }
  if (tables.find(({ name }) => name === 'migrations')?.columns !== 'version,name,applied_at') {
    const found = tables.slice(0, 5).map(({ name }) => name);
    throw new RuntimeError(
      'STORE_OF_ANOTHER',
      `Cannot open the store in ${place}: expected the tables of a run store or none in the schema "${schema}", found ` +
        `those of something else (${found.join(', ')}). Nothing was changed. Give the store a schema of its own.`,
    );
  }
  const { rows } = await client.query<{ version: number }>(
    'select coalesce(max(version), 0) as version from migrations',
  );
  const version = rows[0]?.version ?? 0;
  if (version > SCHEMA_VERSION) {
    throw new RuntimeError(
      'STORE_SCHEMA_NEWER',
      `Cannot open the store in ${place}: expected schema version ${SCHEMA_VERSION} or older, found ${version}. Nothing ` +
        'was changed. Install the version of @toolwright/runtime that migrated it, or a later one.',
    );
  }
  return version;
}
