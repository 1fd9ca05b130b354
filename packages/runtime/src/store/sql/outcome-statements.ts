import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type {
  CallKey,
  Finding,
  OpenFilter,
  OutcomeFilter,
  Rating,
  TargetCursor,
} from '../../outcome/outcome-ledger.js';
import { mayChange } from '../../outcome/observed-outcome.js';
import type { Statement } from '../unit.js';
import { toStatement, type SqlDialect } from './dialect.js';
import type { StoreSchema } from './schema.js';

type Query = Omit<Statement, 'rows'>;
type Targets = ExpressionBuilder<StoreSchema, 'write_targets'>;

/** What outcomes are read from and kept in, as statements. */
export class OutcomeStatements {
  readonly #dialect: SqlDialect;

  constructor(dialect: SqlDialect) {
    this.#dialect = dialect;
  }

  selectOpen(filter: OpenFilter, after: TargetCursor | null, limit: number): Query {
    return toStatement(
      this.#dialect.query
        .selectFrom('write_targets')
        .selectAll()
        .where((eb) => eb.and([isOpen(eb, filter), ...matching(eb, filter), ...beyond(eb, after)]))
        .orderBy('landed_at')
        .orderBy('id')
        .limit(limit),
      'any',
    );
  }

  /** Keeps what was found of several targets. Guards, not reads, decide what stands. */
  keep(findings: readonly Finding[]): readonly Statement[] {
    const { query } = this.#dialect;
    const rows = findings.flatMap(({ target, observed }) =>
      observed === null
        ? []
        : [
            {
              target_id: target.id,
              value: observed.value,
              reason: observed.reason,
              entries: JSON.stringify(observed.entries),
              derived_at: Date.parse(observed.derivedAt),
            },
          ],
    );
    const closed = findings.filter(({ observed }) => observed !== null && !mayChange(observed));
    const open = findings.filter(({ observed }) => observed === null || mayChange(observed));
    const undecided = findings.filter(({ observed }) => observed === null);
    return [
      ...(rows.length === 0
        ? []
        : [
            query
              .insertInto('observed_outcomes')
              .values(rows)
              .onConflict((conflict) =>
                conflict
                  .column('target_id')
                  .doUpdateSet((eb) => ({
                    value: eb.ref('excluded.value'),
                    reason: eb.ref('excluded.reason'),
                    entries: eb.ref('excluded.entries'),
                    derived_at: eb.ref('excluded.derived_at'),
                  }))
                  .where('observed_outcomes.value', '=', 'unknown')
                  .where((eb) => eb('excluded.reason', '<>', eb.ref('observed_outcomes.reason'))),
              ),
          ]),
      ...(closed.length === 0
        ? []
        : [query.updateTable('write_targets').set({ is_open: 0 }).where('id', 'in', closed.map(idOf))]),
      ...(undecided.length === 0
        ? []
        : [
            query
              .deleteFrom('observed_outcomes')
              .where('target_id', 'in', undecided.map(idOf))
              .where('value', '=', 'unknown'),
          ]),
      ...(open.length === 0 ? [] : [this.#reopen(open.map(idOf))]),
    ].map((statement) => toStatement(statement, 'any'));
  }

  /** What was closed as unknown, and is not any more; what has been decided meanwhile stays closed. */
  #reopen(ids: readonly string[]) {
    return this.#dialect.query
      .updateTable('write_targets')
      .set({ is_open: 1 })
      .where('id', 'in', ids)
      .where('is_open', '=', 0)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('observed_outcomes')
              .select('target_id')
              .whereRef('target_id', '=', 'write_targets.id')
              .where('value', '<>', 'unknown'),
          ),
        ),
      );
  }

  selectCall(key: CallKey): Query {
    return toStatement(
      this.#dialect.query
        .selectFrom('write_targets')
        .leftJoin('observed_outcomes', 'observed_outcomes.target_id', 'write_targets.id')
        .leftJoin('ratings', (join) =>
          join
            .onRef('ratings.run_id', '=', 'write_targets.run_id')
            .onRef('ratings.call_id', '=', 'write_targets.call_id'),
        )
        .selectAll('write_targets')
        .select(['observed_outcomes.value as observed_value', 'observed_outcomes.reason as observed_reason'])
        .select(['observed_outcomes.entries as observed_entries', 'observed_outcomes.derived_at'])
        .select('ratings.value as rating')
        .where('write_targets.call_id', '=', key.callId)
        .where((eb) =>
          'runId' in key
            ? eb('write_targets.run_id', '=', key.runId)
            : eb('write_targets.correlation_id', '=', key.correlationId),
        )
        .orderBy('write_targets.landed_at')
        .orderBy('write_targets.id'),
      'any',
    );
  }

  /** One row per stored run of that name: whether the call has run in it. */
  selectRuns(key: CallKey): Query {
    return toStatement(
      this.#dialect.query
        .selectFrom('runs')
        .select((eb) =>
          eb
            .selectFrom('steps')
            .select((steps) => steps.fn.countAll().as('count'))
            .whereRef('steps.run_id', '=', 'runs.id')
            .where('steps.call_id', '=', key.callId)
            .where('steps.kind', '=', 'tool')
            .as('calls'),
        )
        .where((eb) =>
          'runId' in key ? eb('id', '=', key.runId) : eb('correlation_id', '=', key.correlationId),
        ),
      'any',
    );
  }

  rate(runId: string, callId: string, value: Rating, at: Date): Statement {
    const row = { value, rated_at: at.getTime() };
    return toStatement(
      this.#dialect.query
        .insertInto('ratings')
        .values({ run_id: runId, call_id: callId, ...row })
        .onConflict((conflict) =>
          conflict.columns(['run_id', 'call_id']).doUpdateSet(row).where('ratings.value', '<>', value),
        ),
      'any',
    );
  }

  countObserved(filter: OutcomeFilter): Query {
    return toStatement(
      this.#dialect.query
        .selectFrom('write_targets')
        .leftJoin('observed_outcomes', 'observed_outcomes.target_id', 'write_targets.id')
        .select(['write_targets.tool', 'write_targets.model'])
        .select(['observed_outcomes.value', 'observed_outcomes.reason'])
        .select((eb) => eb.fn.countAll().as('count'))
        .where((eb) => eb.and(matching(eb, filter)))
        .groupBy(['write_targets.tool', 'write_targets.model'])
        .groupBy(['observed_outcomes.value', 'observed_outcomes.reason']),
      'any',
    );
  }

  countRatings(filter: OutcomeFilter): Query {
    return toStatement(
      this.#dialect.query
        .selectFrom((eb) =>
          eb
            .selectFrom('write_targets')
            .select(['write_targets.run_id', 'write_targets.call_id'])
            // A call has one tool and one model, however many records it wrote.
            .select(({ fn }) => [
              fn.min('write_targets.tool').as('tool'),
              fn.min('write_targets.model').as('model'),
            ])
            .where((where) => where.and(matching(where, filter)))
            .groupBy(['write_targets.run_id', 'write_targets.call_id'])
            .as('calls'),
        )
        .leftJoin('ratings', (join) =>
          join.onRef('ratings.run_id', '=', 'calls.run_id').onRef('ratings.call_id', '=', 'calls.call_id'),
        )
        .select(['calls.tool', 'calls.model', 'ratings.value'])
        .select((eb) => eb.fn.countAll().as('count'))
        .groupBy(['calls.tool', 'calls.model', 'ratings.value']),
      'any',
    );
  }
}

function idOf({ target }: Finding): string {
  return target.id;
}

function isOpen(eb: Targets, { again = false }: OpenFilter): Expression<SqlBool> {
  // A literal, so that the index of the open ones serves it.
  const open = eb(sql.ref('write_targets.is_open'), '=', sql.lit(1));
  const unknown = eb
    .selectFrom('observed_outcomes')
    .select('target_id')
    .whereRef('target_id', '=', 'write_targets.id')
    .where('value', '=', 'unknown');
  return again ? eb.or([open, eb.exists(unknown)]) : open;
}

function matching(eb: Targets, { tool, from, to }: OutcomeFilter): Expression<SqlBool>[] {
  return [
    ...(tool === undefined ? [] : [eb('write_targets.tool', '=', tool)]),
    ...(from === undefined ? [] : [eb('write_targets.landed_at', '>=', from.getTime())]),
    ...(to === undefined ? [] : [eb('write_targets.landed_at', '<', to.getTime())]),
  ];
}

function beyond(eb: Targets, after: TargetCursor | null): Expression<SqlBool>[] {
  if (after === null) {
    return [];
  }
  const at = Date.parse(after.landedAt);
  return [
    // Says nothing new, and lets a database start at the place in its index.
    eb('write_targets.landed_at', '>=', at),
    eb.or([
      eb('write_targets.landed_at', '>', at),
      eb.and([eb('write_targets.landed_at', '=', at), eb('write_targets.id', '>', after.id)]),
    ]),
  ];
}
