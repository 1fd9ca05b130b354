import type { ToolEffect } from '@toolwright/sdk';
import type { FailureDetail, StepKind } from '../../audit/step.js';
import type { FailureClass } from '../../failure/failure-class.js';
import type { RunStatus } from '../../run/lifecycle.js';

/*
 * The tables, as both dialects have them. Times are milliseconds since 1970 (int8), by the store's clock.
 * JSON is text and is parsed in one place. Flags are 0 and 1.
 */

/** The run's row is its state; see run/LIFECYCLE.md. */
export interface RunsTable {
  readonly id: string;
  readonly correlation_id: string;
  readonly actor_id: string;
  readonly status: RunStatus;
  /** Null unless running. A random token per hold. */
  readonly owner: string | null;
  /** Rises with each hold and never falls. */
  readonly epoch: number;
  /** Null unless running. */
  readonly lease_expires_at: number | null;
  /** A queued run does not start before. */
  readonly due_at: number;
  readonly requeues: number;
  /** The `seq` of the newest stored step; every unit of steps moves it on from an expected value. */
  readonly last_seq: number;
  readonly cancel_requested: 0 | 1;
  /** Set with the first late evidence. */
  readonly audit_uncertain: 0 | 1;
  /** All three are null unless failed; the reason is null unless the run is a dead letter. */
  readonly dead_letter_reason: 'not_retryable' | 'retries_exhausted' | null;
  readonly failure_detail: FailureDetail | null;
  readonly failure_class: FailureClass | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Key: run_id, seq. Append-only. */
export interface StepsTable {
  readonly run_id: string;
  readonly seq: number;
  /** Under which hold it was recorded: the same step under the same epoch is stored already. */
  readonly epoch: number;
  readonly kind: StepKind;
  readonly call_id: string | null;
  readonly at: number;
  /** The step as JSON with secrets and exact arguments taken out: what a trace shows. */
  readonly trace: string;
  /** What was taken out and a resume needs, sealed for exactly this run and seq; null when nothing was. */
  readonly sealed: string | null;
  /** Of a `model` step: how the model named itself, printable, at most 200 characters. */
  readonly model: string | null;
}

/** Key: run_id. At most one write of a run stands open; the row is the fence. */
export interface PendingEffectsTable {
  readonly run_id: string;
  readonly epoch: number;
  readonly call_id: string;
  readonly tool: string;
  readonly effect: Exclude<ToolEffect, 'read_only'>;
  readonly stamped_at: number;
  /** When the call is over at the latest; the lease reaches as far. */
  readonly until: number;
}

/** Key: run_id, digest. The inbox of pauses; the steps stay the authority. */
export interface ApprovalsTable {
  readonly run_id: string;
  readonly call_id: string;
  readonly digest: string;
  readonly tool: string;
  readonly state: 'requested' | 'approved' | 'declined' | 'void';
  readonly requested_at: number;
  readonly expires_at: number | null;
  readonly decided_by: string | null;
  readonly decided_at: number | null;
}

/** Key: id. Append-only; shown with the dead letter, never merged into the trace. */
export interface LateEvidenceTable {
  readonly id: string;
  readonly run_id: string;
  readonly call_id: string;
  readonly epoch: number;
  readonly at: number;
  /** LateEvidence as JSON. */
  readonly evidence: string;
}

/**
 * Key: id. Every record that a call is known to have written, put in with the step or the late evidence that names it.
 * Neither it nor what hangs on it goes with the run. No person is on it, and nothing here reads an approval.
 */
export interface WriteTargetsTable {
  /** A digest of run, call and record. */
  readonly id: string;
  readonly run_id: string;
  readonly correlation_id: string;
  readonly call_id: string;
  readonly tool: string;
  readonly model: string | null;
  readonly record_table: string;
  /** JSON: a number stays one. */
  readonly record_uid: string;
  /** The history mark as a JSON string, whatever characters it has. */
  readonly mark: string | null;
  readonly landed_at: number;
  /** 0 once no later look can find anything else. */
  readonly is_open: 0 | 1;
}

/** Key: target_id. A target without a row is undecided. */
export interface ObservedOutcomesTable {
  readonly target_id: string;
  readonly value: 'accepted_unchanged' | 'edited' | 'discarded' | 'unknown';
  readonly reason: string;
  /** The ids of the history entries that decided, as a JSON list. */
  readonly entries: string;
  readonly derived_at: number;
}

/** Key: run_id, call_id. What a person said of a call, without the person. */
export interface RatingsTable {
  readonly run_id: string;
  readonly call_id: string;
  readonly value: 'helpful' | 'not_helpful';
  readonly rated_at: number;
}

/** Key: id. Where a recurring enqueue stands; moves on in the unit that enqueues its run. */
export interface SchedulesTable {
  readonly id: string;
  /** What its ticks depend on: expression and time zone. */
  readonly definition: string;
  /** Up to when its ticks are dealt with. */
  readonly done_until: number;
}

/** Key: version. The newest is the version of the schema; one that is newer than the code is refused. */
export interface MigrationsTable {
  readonly version: number;
  readonly name: string;
  readonly applied_at: number;
}

/** All tables by name. */
export interface StoreSchema {
  readonly runs: RunsTable;
  readonly steps: StepsTable;
  readonly pending_effects: PendingEffectsTable;
  readonly approvals: ApprovalsTable;
  readonly late_evidence: LateEvidenceTable;
  readonly write_targets: WriteTargetsTable;
  readonly observed_outcomes: ObservedOutcomesTable;
  readonly ratings: RatingsTable;
  readonly schedules: SchedulesTable;
  readonly migrations: MigrationsTable;
}
