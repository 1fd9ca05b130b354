import { sql } from 'kysely';
import type { RunFilter } from '../../operator/run-operations.js';
import { RUN_STATUSES, isEnded } from '../../run/lifecycle.js';
import type { Statement } from '../unit.js';
import { toStatement, type SqlDialect } from './dialect.js';
import type { InterruptedRow } from './run-rows.js';
import type { EncodedStep } from './step-codec.js';

type Query = Omit<Statement, 'rows'>;

const ENDED = RUN_STATUSES.filter(isEnded);

/** What an operator asks and does, as statements. */
export class OperatorStatements {
  readonly #dialect: SqlDialect;

  constructor(dialect: SqlDialect) {
    this.#dialect = dialect;
  }

  selectSummaries(which: { readonly runId: string } | RunFilter): Query {
    const all = this.#dialect.query
      .selectFrom('runs')
      .leftJoin('pending_effects', 'pending_effects.run_id', 'runs.id')
      .selectAll('runs')
      .select(['pending_effects.call_id as fence_call_id', 'pending_effects.tool as fence_tool'])
      .select('pending_effects.effect as fence_effect');
    if ('runId' in which) {
      return toStatement(all.where('runs.id', '=', which.runId), 'any');
    }
    const { status, isDeadLetter, limit } = which;
    const ofStatus = status === undefined ? all : all.where('runs.status', '=', status);
    const dead = isDeadLetter === true ? ofStatus.where('dead_letter_reason', 'is not', null) : ofStatus;
    return toStatement(
      dead.orderBy('runs.updated_at', 'desc').orderBy('runs.id', 'desc').limit(limit),
      'any',
    );
  }

  /** Appends to a run that nobody drives and that has not changed since it was read; clears its fence. */
  annotate(
    seen: Pick<InterruptedRow, 'runId' | 'epoch' | 'lastSeq'> & {
      readonly status: (typeof RUN_STATUSES)[number];
    },
    count: number,
    callId: string,
  ): readonly Statement[] {
    const { now, query } = this.#dialect;
    return [
      toStatement(
        query
          .updateTable('runs')
          .set({ last_seq: seen.lastSeq + count, updated_at: now })
          .where('id', '=', seen.runId)
          .where('status', '=', seen.status)
          .where('epoch', '=', seen.epoch)
          .where('last_seq', '=', seen.lastSeq),
        1,
      ),
      toStatement(
        query.deleteFrom('pending_effects').where('run_id', '=', seen.runId).where('call_id', '=', callId),
        'any',
      ),
    ];
  }

  selectPurgeable(beforeMs: number, limit: number): Query {
    const { query } = this.#dialect;
    return toStatement(
      query
        .selectFrom('runs')
        .select('id')
        .where('status', 'in', ENDED)
        .where('updated_at', '<', beforeMs)
        .where((eb) =>
          eb.not(
            eb.exists(eb.selectFrom('pending_effects').select('call_id').whereRef('run_id', '=', 'runs.id')),
          ),
        )
        .orderBy('updated_at')
        .orderBy('id')
        .limit(limit),
      'any',
    );
  }

  /** Deletes exactly these runs, or none when one of them has changed since it was read. */
  purge(runIds: readonly string[], beforeMs: number): readonly Statement[] {
    const { query } = this.#dialect;
    return [
      toStatement(query.deleteFrom('steps').where('run_id', 'in', runIds), 'any'),
      toStatement(query.deleteFrom('approvals').where('run_id', 'in', runIds), 'any'),
      toStatement(
        query
          .deleteFrom('runs')
          .where('id', 'in', runIds)
          .where('status', 'in', ENDED)
          .where('updated_at', '<', beforeMs),
        runIds.length,
      ),
    ];
  }

  selectStepsAfter(runId: string, seq: number, limit: number): Query {
    return toStatement(
      this.#dialect.query
        .selectFrom('steps')
        .select(['run_id', 'seq', 'epoch', 'trace', 'sealed'])
        .where((eb) =>
          eb.or([eb('run_id', '>', runId), eb.and([eb('run_id', '=', runId), eb('seq', '>', seq)])]),
        )
        .orderBy('run_id')
        .orderBy('seq')
        .limit(limit),
      'any',
    );
  }

  /** Puts the same step in another encoding, unless somebody did so meanwhile. */
  recode(runId: string, seq: number, from: EncodedStep, to: EncodedStep): Statement {
    const update = this.#dialect.query
      .updateTable('steps')
      .set({ trace: to.trace, sealed: to.sealed })
      .where('run_id', '=', runId)
      .where('seq', '=', seq)
      .where('trace', '=', from.trace);
    return toStatement(
      from.sealed === null
        ? update.where('sealed', 'is', null)
        : update.where(sql.ref('sealed'), '=', from.sealed),
      'any',
    );
  }
}
