import type { RunSummary } from '../../operator/run-operations.js';
import type { RunRecord } from '../../audit/run-journal.js';
import type { RunStatus } from '../../run/lifecycle.js';
import type { SqlRow, SqlValue } from '../unit.js';
import type { PendingEffectsTable } from './schema.js';

/** A row of `runs` as the store reads it. */
export interface RunRow {
  readonly run: RunRecord;
  readonly status: RunStatus;
  readonly owner: string | null;
  readonly epoch: number;
  readonly requeues: number;
  readonly lastSeq: number;
  readonly isCancelRequested: boolean;
  readonly isAuditUncertain: boolean;
  /** Whether its lease, if it has one, has expired by the store's clock. */
  readonly isLapsed: boolean;
}

/** A run with what decides about it when it was interrupted. */
export interface InterruptedRow extends Pick<
  RunRow,
  'epoch' | 'requeues' | 'lastSeq' | 'isAuditUncertain' | 'isCancelRequested'
> {
  readonly runId: string;
  readonly fence: {
    readonly callId: string;
    readonly tool: string;
    readonly effect: PendingEffectsTable['effect'];
  } | null;
}

export interface StepRow {
  readonly seq: number;
  readonly epoch: number;
  readonly trace: string;
  readonly sealed: string | null;
}

export function toRunRow(row: SqlRow): RunRow {
  return {
    run: {
      runId: text(row['id']),
      correlationId: text(row['correlation_id']),
      actor: { id: text(row['actor_id']) },
      createdAt: new Date(Number(row['created_at'])).toISOString(),
    },
    status: text(row['status']) as RunStatus,
    owner: textOrNull(row['owner']),
    epoch: Number(row['epoch']),
    requeues: Number(row['requeues']),
    lastSeq: Number(row['last_seq']),
    isCancelRequested: Number(row['cancel_requested']) !== 0,
    isAuditUncertain: Number(row['audit_uncertain']) !== 0,
    isLapsed: Number(row['is_lapsed'] ?? 0) !== 0,
  };
}

export function toRunSummary(row: SqlRow): RunSummary {
  const { run, status, requeues, lastSeq, isCancelRequested, isAuditUncertain } = toRunRow(row);
  const { fence } = toInterruptedRow(row);
  const reason = textOrNull(row['dead_letter_reason']) as PossibleReason;
  const detail = textOrNull(row['failure_detail']) as RunSummary['failure'];
  const lease = row['lease_expires_at'] ?? null;
  return {
    ...run,
    status,
    updatedAt: time(row['updated_at']),
    dueAt: status === 'queued' ? time(row['due_at']) : null,
    leaseExpiresAt: lease === null ? null : time(lease),
    requeues,
    steps: lastSeq,
    isCancelRequested,
    deadLetter: reason === null ? null : { reason, detail },
    failure: detail,
    openWrite: fence,
    hasLateEvidence: isAuditUncertain,
  };
}

export function toInterruptedRow(row: SqlRow): InterruptedRow {
  const { run, epoch, requeues, lastSeq, isAuditUncertain, isCancelRequested } = toRunRow(row);
  const callId = textOrNull(row['fence_call_id']);
  return {
    runId: run.runId,
    epoch,
    requeues,
    lastSeq,
    isAuditUncertain,
    isCancelRequested,
    fence:
      callId === null
        ? null
        : {
            callId,
            tool: text(row['fence_tool']),
            effect: text(row['fence_effect']) as PendingEffectsTable['effect'],
          },
  };
}

export function toStepRow(row: SqlRow): StepRow {
  return {
    seq: Number(row['seq']),
    epoch: Number(row['epoch']),
    trace: text(row['trace']),
    sealed: textOrNull(row['sealed']),
  };
}

type PossibleReason = NonNullable<RunSummary['deadLetter']>['reason'] | null;

/** Milliseconds since 1970 as ISO 8601. */
export function time(value: SqlValue | undefined): string {
  return new Date(Number(value)).toISOString();
}

function text(value: SqlValue | undefined): string {
  return typeof value === 'string' ? value : String(value ?? '');
}

export function textOrNull(value: SqlValue | undefined): string | null {
  return value === null || value === undefined ? null : text(value);
}
