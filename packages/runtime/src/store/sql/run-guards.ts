import { sql, type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely';
import type { HeldRun } from '../../queue/heartbeats.js';
import { REQUEUE_BUDGET } from '../../run/disposition.js';
import type { TransitionGuard } from '../../run/lifecycle.js';
import type { InterruptedRow } from './run-rows.js';
import type { StoreSchema } from './schema.js';

/** What a guard compares the stored run with. */
export interface GuardFacts {
  readonly held?: HeldRun;
  /** The run as it was read when somebody decided about it. */
  readonly seen?: InterruptedRow;
  /** Calls whose fence goes in the same unit. */
  readonly cleared?: readonly string[];
}

type Runs = ExpressionBuilder<StoreSchema, 'runs'>;

/** The conditions of one guard of the lifecycle. A guard whose facts are missing never holds. */
export function transitionGuards(
  eb: Runs,
  guard: TransitionGuard,
  runId: string,
  { held, seen, cleared = [] }: GuardFacts,
  now: RawBuilder<number>,
): readonly Expression<SqlBool>[] {
  const never = [sql<SqlBool>`1 = 0`];
  const fences = eb.selectFrom('pending_effects').select('call_id').where('run_id', '=', runId);
  const standing = cleared.length === 0 ? fences : fences.where('call_id', 'not in', cleared);
  switch (guard) {
    case 'held':
      return held === undefined ? never : heldGuards(eb, held, now);
    case 'lease_expired':
      return [eb('lease_expires_at', '<=', now), ...(seen === undefined ? never : asSeen(eb, seen))];
    case 'due':
      return [eb('due_at', '<=', now)];
    case 'may_requeue':
      return [
        eb('requeues', '<', REQUEUE_BUDGET),
        eb('audit_uncertain', '=', 0),
        eb.not(eb.exists(standing.where('effect', '<>', 'idempotent_write'))),
        ...(seen === undefined ? never : asSeen(eb, seen)),
      ];
    case 'may_not_requeue':
      return seen === undefined ? never : asSeen(eb, seen);
    case 'no_fence':
      return [eb.not(eb.exists(standing))];
  }
}

/** Owner, epoch and lease: what every update of an owner is guarded by. */
export function heldGuards(
  eb: Runs,
  { runId, owner, epoch }: HeldRun,
  now: RawBuilder<number>,
): Expression<SqlBool>[] {
  return [
    eb('id', '=', runId),
    eb('status', '=', 'running'),
    eb('owner', '=', owner),
    eb('epoch', '=', epoch),
    eb('lease_expires_at', '>', now),
  ];
}

/** Nothing that was decided upon has changed since it was read. */
function asSeen(eb: Runs, seen: InterruptedRow): Expression<SqlBool>[] {
  const fences = eb.selectFrom('pending_effects').select('call_id').where('run_id', '=', seen.runId);
  return [
    eb('epoch', '=', seen.epoch),
    eb('requeues', '=', seen.requeues),
    eb('last_seq', '=', seen.lastSeq),
    eb('audit_uncertain', '=', seen.isAuditUncertain ? 1 : 0),
    eb('cancel_requested', '=', seen.isCancelRequested ? 1 : 0),
    seen.fence === null
      ? eb.not(eb.exists(fences))
      : eb.exists(fences.where('call_id', '=', seen.fence.callId).where('effect', '=', seen.fence.effect)),
  ];
}
