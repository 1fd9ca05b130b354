import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  type Compilable,
} from 'kysely';
import type { Statement } from '../unit.js';
import { filled, type MaybeLate } from './late-value.js';
import type { StoreSchema } from './schema.js';

export type SqlDialectName = 'sqlite' | 'postgres';

/** Where the two databases differ for somebody who writes statements. */
export interface SqlDialect {
  readonly name: SqlDialectName;
  /** Compiles statements for this database and runs none: a {@link UnitRunner} does. */
  readonly query: Kysely<StoreSchema>;
  /**
   * Milliseconds since 1970 by the clock of the database, which is the machine's for SQLite. It is the time
   * of the statement, not of its transaction.
   */
  readonly now: RawBuilder<number>;
}

const SQLITE: SqlDialect = {
  name: 'sqlite',
  query: new Kysely<StoreSchema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  now: sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`,
};

const POSTGRES: SqlDialect = {
  name: 'postgres',
  query: new Kysely<StoreSchema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
  now: sql<number>`cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)`,
};

export const SQL_DIALECTS: Readonly<Record<SqlDialectName, SqlDialect>> = {
  sqlite: SQLITE,
  postgres: POSTGRES,
};

/** A statement of a unit from a query, with the number of rows that it must touch. */
export function toStatement(query: Compilable, rows: number | 'any'): Statement {
  const { sql: text, parameters } = query.compile();
  return { sql: text, parameters: filled(parameters as readonly MaybeLate[], {}), rows };
}
