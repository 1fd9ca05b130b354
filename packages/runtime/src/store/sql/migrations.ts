import { type Compilable, type Kysely, sql } from 'kysely';
import { SQL_DIALECTS, type SqlDialectName } from './dialect.js';

/** One step of the schema, as statements that run in one transaction with its row in `migrations`. */
export interface Migration {
  /** Counts from 1 without a gap. */
  readonly version: number;
  readonly name: string;
  readonly statements: readonly string[];
}

interface MigrationSource {
  readonly name: string;
  readonly statements: (db: Kysely<unknown>, int8: 'integer' | 'bigint') => readonly Compilable[];
}

/*
 * Append only: a migration that has been released is never edited, because some databases have it already.
 */
const SOURCES: readonly MigrationSource[] = [
  {
    name: 'runs_steps_and_what_belongs_to_them',
    statements: ({ schema }, int8) => [
      schema
        .createTable('runs')
        .addColumn('id', 'text', (column) => column.notNull().primaryKey())
        .addColumn('correlation_id', 'text', (column) => column.notNull())
        .addColumn('actor_id', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) =>
          column
            .notNull()
            .check(sql`status in ('queued', 'running', 'paused', 'completed', 'failed', 'cancelled')`),
        )
        .addColumn('owner', 'text')
        .addColumn('epoch', int8, (column) => column.notNull())
        .addColumn('lease_expires_at', int8)
        .addColumn('due_at', int8, (column) => column.notNull())
        .addColumn('requeues', 'integer', (column) => column.notNull())
        .addColumn('last_seq', 'integer', (column) => column.notNull())
        .addColumn('cancel_requested', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('audit_uncertain', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('dead_letter_reason', 'text')
        .addColumn('failure_detail', 'text')
        .addColumn('failure_class', 'text')
        .addColumn('created_at', int8, (column) => column.notNull())
        .addColumn('updated_at', int8, (column) => column.notNull())
        .addCheckConstraint(
          'runs_held_while_running',
          sql`(status = 'running') = (owner is not null) and (owner is null) = (lease_expires_at is null)`,
        )
        .addCheckConstraint('runs_reason_when_failed', sql`status = 'failed' or dead_letter_reason is null`),
      // Two questions are asked all the time: which queued runs are due, and which leases have expired.
      schema
        .createIndex('runs_due')
        .on('runs')
        .columns(['due_at', 'created_at'])
        .where(sql.ref('status'), '=', sql.lit('queued')),
      schema
        .createIndex('runs_leases')
        .on('runs')
        .column('lease_expires_at')
        .where(sql.ref('status'), '=', sql.lit('running')),
      schema.createIndex('runs_by_age').on('runs').columns(['updated_at', 'id']),
      schema
        .createTable('steps')
        .addColumn('run_id', 'text', (column) => column.notNull().references('runs.id'))
        .addColumn('seq', 'integer', (column) => column.notNull().check(sql`seq > 0`))
        .addColumn('epoch', int8, (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('call_id', 'text')
        .addColumn('at', int8, (column) => column.notNull())
        .addColumn('trace', 'text', (column) => column.notNull())
        .addColumn('sealed', 'text')
        .addPrimaryKeyConstraint('steps_key', ['run_id', 'seq']),
      schema
        .createTable('pending_effects')
        .addColumn('run_id', 'text', (column) => column.notNull().primaryKey().references('runs.id'))
        .addColumn('epoch', int8, (column) => column.notNull())
        .addColumn('call_id', 'text', (column) => column.notNull())
        .addColumn('tool', 'text', (column) => column.notNull())
        .addColumn('effect', 'text', (column) => column.notNull())
        .addColumn('stamped_at', int8, (column) => column.notNull())
        .addColumn('until', int8, (column) => column.notNull()),
      schema
        .createTable('approvals')
        .addColumn('run_id', 'text', (column) => column.notNull().references('runs.id'))
        .addColumn('call_id', 'text', (column) => column.notNull())
        .addColumn('digest', 'text', (column) => column.notNull())
        .addColumn('tool', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) =>
          column.notNull().check(sql`state in ('requested', 'approved', 'declined', 'void')`),
        )
        .addColumn('requested_at', int8, (column) => column.notNull())
        .addColumn('expires_at', int8)
        .addColumn('decided_by', 'text')
        .addColumn('decided_at', int8)
        .addPrimaryKeyConstraint('approvals_key', ['run_id', 'digest']),
      schema
        .createIndex('approvals_waiting')
        .on('approvals')
        .column('expires_at')
        .where(sql.ref('state'), '=', sql.lit('requested')),
      schema
        .createTable('late_evidence')
        .addColumn('id', 'text', (column) => column.notNull().primaryKey())
        // No reference: what is known of a write is kept, even of a run that has been purged.
        .addColumn('run_id', 'text', (column) => column.notNull())
        .addColumn('call_id', 'text', (column) => column.notNull())
        .addColumn('epoch', int8, (column) => column.notNull())
        .addColumn('at', int8, (column) => column.notNull())
        .addColumn('evidence', 'text', (column) => column.notNull()),
      schema.createIndex('late_evidence_by_run').on('late_evidence').columns(['run_id', 'at']),
      schema
        .createTable('outcomes')
        .addColumn('correlation_id', 'text', (column) => column.notNull())
        .addColumn('call_id', 'text', (column) => column.notNull())
        .addColumn('source', 'text', (column) => column.notNull())
        .addColumn('value', 'text', (column) => column.notNull())
        .addColumn('derived_at', int8, (column) => column.notNull())
        .addPrimaryKeyConstraint('outcomes_key', ['correlation_id', 'call_id', 'source']),
    ],
  },
  {
    name: 'outcomes_by_write_target',
    statements: ({ schema }, int8) => [
      // Nothing has ever written to it.
      schema.dropTable('outcomes'),
      schema.alterTable('steps').addColumn('model', 'text'),
      schema
        .createTable('write_targets')
        .addColumn('id', 'text', (column) => column.notNull().primaryKey())
        // No reference: outcomes outlive their runs.
        .addColumn('run_id', 'text', (column) => column.notNull())
        .addColumn('correlation_id', 'text', (column) => column.notNull())
        .addColumn('call_id', 'text', (column) => column.notNull())
        .addColumn('tool', 'text', (column) => column.notNull())
        .addColumn('model', 'text')
        .addColumn('record_table', 'text', (column) => column.notNull())
        .addColumn('record_uid', 'text', (column) => column.notNull())
        .addColumn('mark', 'text')
        .addColumn('landed_at', int8, (column) => column.notNull())
        .addColumn('is_open', 'integer', (column) => column.notNull()),
      schema
        .createIndex('write_targets_open')
        .on('write_targets')
        .columns(['landed_at', 'id'])
        .where(sql.ref('is_open'), '=', sql.lit(1)),
      schema.createIndex('write_targets_by_time').on('write_targets').columns(['landed_at', 'id']),
      schema.createIndex('write_targets_by_run').on('write_targets').column('run_id'),
      schema.createIndex('write_targets_by_correlation').on('write_targets').column('correlation_id'),
      schema
        .createTable('observed_outcomes')
        .addColumn('target_id', 'text', (column) =>
          column.notNull().primaryKey().references('write_targets.id'),
        )
        .addColumn('value', 'text', (column) =>
          column.notNull().check(sql`value in ('accepted_unchanged', 'edited', 'discarded', 'unknown')`),
        )
        .addColumn('reason', 'text', (column) => column.notNull())
        .addColumn('entries', 'text', (column) => column.notNull())
        .addColumn('derived_at', int8, (column) => column.notNull()),
      schema
        .createTable('ratings')
        .addColumn('run_id', 'text', (column) => column.notNull())
        .addColumn('call_id', 'text', (column) => column.notNull())
        .addColumn('value', 'text', (column) =>
          column.notNull().check(sql`value in ('helpful', 'not_helpful')`),
        )
        .addColumn('rated_at', int8, (column) => column.notNull())
        .addPrimaryKeyConstraint('ratings_key', ['run_id', 'call_id']),
    ],
  },
  {
    name: 'where_schedules_stand',
    statements: ({ schema }, int8) => [
      schema
        .createTable('schedules')
        .addColumn('id', 'text', (column) => column.notNull().primaryKey())
        .addColumn('definition', 'text', (column) => column.notNull())
        .addColumn('done_until', int8, (column) => column.notNull()),
    ],
  },
];

/** The version that this code reads and writes. */
export const SCHEMA_VERSION = SOURCES.length;

/** Every migration in order, for one database. */
export function migrationsFor(dialect: SqlDialectName): readonly Migration[] {
  const db = SQL_DIALECTS[dialect].query as unknown as Kysely<unknown>;
  const int8 = dialect === 'sqlite' ? 'integer' : 'bigint';
  return SOURCES.map(({ name, statements }, index) => ({
    version: index + 1,
    name,
    statements: statements(db, int8).map((statement) => statement.compile().sql),
  }));
}

/** The table that says which migrations a database has. It comes before all of them. */
export function migrationsTable(dialect: SqlDialectName): string {
  return SQL_DIALECTS[dialect].query.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('version', 'integer', (column) => column.notNull().primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('applied_at', dialect === 'sqlite' ? 'integer' : 'bigint', (column) => column.notNull())
    .compile().sql;
}
