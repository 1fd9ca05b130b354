import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { EvidenceTarget, LateEvidence } from '../../audit/run-journal.js';
import type { Step } from '../../audit/step.js';
import { markedTarget } from '../../audit/stored-target.js';
import { modelName, recordsOf } from '../../outcome/landed-records.js';
import { targetId } from '../../outcome/target-id.js';
import type { Statement } from '../unit.js';
import { toStatement } from './dialect.js';
import type { StoreSchema } from './schema.js';
import type { StatementShapes } from './statement-shapes.js';

type Query = Kysely<StoreSchema>;

/** What the row of a step says of the model: nothing, unless it is the model's own. */
export function modelColumn(step: Step): string | null {
  return step.kind === 'model' ? modelName(step.model) : null;
}

/** The row of the record that a step names: in the same unit, so that neither is stored without the other. */
export function targetsOfStep(
  query: Query,
  shapes: StatementShapes,
  runId: string,
  step: Step,
): readonly Statement[] {
  if (step.kind !== 'write_target') {
    return [];
  }
  const { callId, tool, mark } = step;
  const record = markedTarget(step, mark);
  const row = { ...targetRow(runId, callId, tool, record), landedAt: Date.parse(step.at) };
  // An idempotent call that two owners ran has written twice: what the step says is what was there last.
  const newest = shapes.statement('target of step', row, 'any', (late) =>
    newTarget(query, late).onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          mark: eb.fn.coalesce('excluded.mark', 'write_targets.mark'),
          landed_at: eb.ref('excluded.landed_at'),
        }))
        .where('write_targets.is_open', '=', 1),
    ),
  );
  return [newest];
}

/** The rows of what came to light too late, where no step has named it before. */
export function targetsOfEvidence(
  query: Query,
  runId: string,
  evidence: LateEvidence,
  now: RawBuilder<number>,
): readonly Statement[] {
  const { callId, tool } = evidence;
  return recordsOf(evidence).map((record) => {
    const insert = newTarget(query, { ...targetRow(runId, callId, tool, record), landedAt: now });
    return toStatement(
      insert.onConflict((conflict) => conflict.column('id').doNothing()),
      'any',
    );
  });
}

function targetRow(runId: string, callId: string, tool: string, record: EvidenceTarget) {
  const { table, uid, mark } = record;
  return {
    id: targetId(runId, callId, record),
    runId,
    callId,
    tool,
    table,
    uid: JSON.stringify(uid),
    mark: mark === undefined ? null : JSON.stringify(mark),
  };
}

interface NewTarget extends ReturnType<typeof targetRow> {
  readonly landedAt: number | RawBuilder<number>;
}

function newTarget(query: Query, row: NewTarget) {
  return query.insertInto('write_targets').values({
    id: row.id,
    run_id: row.runId,
    correlation_id: query.selectFrom('runs').select('correlation_id').where('id', '=', row.runId),
    call_id: row.callId,
    tool: row.tool,
    model: askedBy(query, row.runId, row.callId),
    record_table: row.table,
    record_uid: row.uid,
    mark: row.mark,
    landed_at: row.landedAt,
    is_open: 1,
  });
}

/** The model whose answer asked for the call: the newest before the call's own first step. */
function askedBy(query: Query, runId: string, callId: string) {
  const first = query
    .selectFrom('steps as own')
    .select(({ fn }) => fn.min('own.seq').as('seq'))
    .where('own.run_id', '=', runId)
    .where('own.call_id', '=', callId);
  return query
    .selectFrom('steps')
    .select('model')
    .where('run_id', '=', runId)
    .where('kind', '=', 'model')
    .where(sql<boolean>`seq < coalesce((${first}), seq + 1)`)
    .orderBy('seq', 'desc')
    .limit(1);
}
