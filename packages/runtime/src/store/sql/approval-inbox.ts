import type { Kysely } from 'kysely';
import type { Step } from '../../audit/step.js';
import type { Statement } from '../unit.js';
import { toStatement } from './dialect.js';
import type { StoreSchema } from './schema.js';

/** What a step changes in the inbox of pauses, which is rebuilt from the steps and decides nothing. */
export function inboxOf(query: Kysely<StoreSchema>, runId: string, step: Step): readonly Statement[] {
  if (step.kind === 'denied' && step.reason === 'approval_expired') {
    return [toStatement(voided(query, runId, step.callId), 'any')];
  }
  if (step.kind !== 'approval' || step.phase === 'waived') {
    return [];
  }
  if (step.phase !== 'requested') {
    const decided = query
      .updateTable('approvals')
      .set({ state: step.phase, decided_by: step.by, decided_at: Date.parse(step.at) })
      .where('run_id', '=', runId)
      .where('digest', '=', step.digest);
    return [toStatement(decided, 'any')];
  }
  const row = {
    call_id: step.callId,
    tool: step.tool,
    state: 'requested' as const,
    requested_at: Date.parse(step.at),
    expires_at: step.expiresAt === null ? null : Date.parse(step.expiresAt),
    decided_by: null,
    decided_at: null,
  };
  // The same call with the same preview has the same digest: it is asked about anew.
  const newest = query
    .insertInto('approvals')
    .values({ run_id: runId, digest: step.digest, ...row })
    .onConflict((conflict) => conflict.columns(['run_id', 'digest']).doUpdateSet(row));
  return [toStatement(voided(query, runId, step.callId), 'any'), toStatement(newest, 'any')];
}

/** What was asked about this call waits for nobody any more. */
function voided(query: Kysely<StoreSchema>, runId: string, callId: string) {
  return query
    .updateTable('approvals')
    .set({ state: 'void' })
    .where('run_id', '=', runId)
    .where('call_id', '=', callId)
    .where('state', '=', 'requested');
}
