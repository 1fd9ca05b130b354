import type { ToolEffect } from '@toolwright/sdk';
import type { RunStatus, RunTransition } from '../run/lifecycle.js';
import type { Step, StoredTarget } from './step.js';

/** What stays the same over the whole life of a run. Plain JSON. */
export interface RunRecord {
  readonly runId: string;
  /** Names the run in every log, span and outcome. */
  readonly correlationId: string;
  readonly actor: { readonly id: string };
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Asked for immediately before a declared write runs. */
export interface FenceRequest {
  readonly callId: string;
  readonly tool: string;
  readonly effect: ToolEffect;
  /** When the call is over at the latest, its grace included; a lease is extended at least that far. */
  readonly until: Date;
}

/** The right to run one write. */
export interface WriteFence {
  /** Whether the run is still owned here, by the local clock. Asked right before the call, without waiting. */
  isHeld(): boolean;
}

/** A record that late evidence names. */
export interface EvidenceTarget extends StoredTarget {
  /** The content system's history mark, where there is one. */
  readonly mark?: string;
}

/** What came to light too late to change the run, kept beside it. */
export interface LateEvidence {
  readonly callId: string;
  readonly tool: string;
  readonly cause: 'run_lost' | 'after_deadline' | 'audit_lost';
  readonly ending: 'answered' | 'threw';
  readonly target: StoredTarget | null;
  readonly landed: readonly EvidenceTarget[];
}

/**
 * One owner's hold on one run: the loop records through it and asks it before it writes. A journal
 * without a lease, such as the one in memory, is owned until it is settled.
 *
 * No method throws or rejects: a store that fails answers `false` or `null` and logs why.
 */
export interface RunJournal {
  readonly run: RunRecord;
  /** The steps that are stored at the time this hold began, by `seq`. */
  readonly steps: readonly Step[];
  /** Aborts when another owner has, or may have, taken the run: stop, settle nothing. */
  readonly lost: AbortSignal;
  /**
   * Stores steps all or none, and with them the transition. Recording a unit that is stored already is
   * `true`. Clears the fence of a call whose `tool` or `denied` step is among them, and gives the hold up with a
   * transition.
   *
   * @returns whether they are stored.
   */
  record(unit: readonly Step[], transition?: RunTransition): Promise<boolean>;
  /** Stamps the fence, or answers null: then the write must not run. */
  beforeWrite(request: FenceRequest): Promise<WriteFence | null>;
  /** Whether somebody asked for the run to be cancelled. */
  isCancelRequested(): Promise<boolean>;
  /** Keeps what could not, or no longer, be recorded on the run. */
  keepLateEvidence(evidence: LateEvidence): Promise<void>;
  /** Renews a lease no more: nothing is done for the run here any longer. A journal without a lease has none. */
  close?(): void;
}

/** A run as it is stored. Plain JSON: the whole state from which a resume continues. */
export interface StoredRun {
  readonly run: RunRecord;
  readonly status: RunStatus;
  readonly steps: readonly Step[];
}

/**
 * Where runs live. Every operation is one closed unit with an expected state, never a transaction
 * that is held open by the caller. A store that cannot answer rejects with a RuntimeError of code
 * `STORE_UNAVAILABLE`.
 */
export interface RunStore {
  /**
   * Stores a new run with its first steps and holds it.
   *
   * @throws RuntimeError with code `RUN_ALREADY_EXISTS`.
   */
  create(run: RunRecord, firstSteps: readonly Step[]): Promise<RunJournal>;
  read(runId: string): Promise<StoredRun | null>;
  /** Takes a paused run, or answers null: somebody else has it, or it is not paused (any more). */
  claim(runId: string): Promise<RunJournal | null>;
  /** Appends one step to a paused run whose last step has this `seq`; false when it has moved on. */
  appendToPaused(runId: string, lastSeq: number, step: Step): Promise<boolean>;
  /** Asks the owner of a running run to stop at its next step boundary; cancels a paused one now. */
  requestCancel(
    runId: string,
    failure: Omit<Step, 'seq'>,
  ): Promise<'cancelled' | 'requested' | 'ended' | 'not_found'>;
}
