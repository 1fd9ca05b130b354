import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { EvidenceTarget, LateEvidence } from '../../audit/run-journal.js';
import type { Step } from '../../audit/step.js';
import { markedTarget } from '../../audit/stored-target.js';
import { modelName, recordsOf } from '../../outcome/landed-records.js';
import { targetId } from '../../outcome/target-id.js';
import type { Statement } from '../unit.js';
import { toStatement } from './dialect.js';
import type { StoreSchema } from './schema.js';

type Query = Kysely<StoreSchema>;

/** What the row of a step says of the model: nothing, unless it is the model's own. */
export function modelColumn(step: Step): string | null {
  return step.kind === 'model' ? modelName(step.model) : null;
}

/** The row of the record that a step names: in the same unit, so that neither is stored without the other. */
export function targetsOfStep(query: Query, runId: string, step: Step): readonly Statement[] {
  if (step.kind !== 'write_target') {
    return [];
  }
  const { callId, tool, mark } = step;
  const record = markedTarget(step, mark);
  const insert = newTarget(query, { runId, callId, tool, record, landedAt: Date.parse(step.at) });
  // An idempotent call that two owners ran has written twice: what the step says is what was there last.
  const update = insert.onConflict((conflict) =>
    conflict
      .column('id')
      .doUpdateSet((eb) => ({
        mark: eb.fn.coalesce('excluded.mark', 'write_targets.mark'),
        landed_at: eb.ref('excluded.landed_at'),
      }))
      .where('write_targets.is_open', '=', 1),
  );
  return [toStatement(update, 'any')];
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
    const insert = newTarget(query, { runId, callId, tool, record, landedAt: now });
    return toStatement(
      insert.onConflict((conflict) => conflict.column('id').doNothing()),
      'any',
    );
  });
}

interface NewTarget {
  readonly runId: string;
  readonly callId: string;
  readonly tool: string;
  readonly record: EvidenceTarget;
  readonly landedAt: number | RawBuilder<number>;
}

function newTarget(query: Query, { runId, callId, tool, record, landedAt }: NewTarget) {
  const { table, uid, mark } = record;
  return query.insertInto('write_targets').values({
    id: targetId(runId, callId, record),
    run_id: runId,
    correlation_id: query.selectFrom('runs').select('correlation_id').where('id', '=', runId),
    call_id: callId,
    tool,
    model: askedBy(query, runId, callId),
    record_table: table,
    record_uid: JSON.stringify(uid),
    mark: mark === undefined ? null : JSON.stringify(mark),
    landed_at: landedAt,
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
