/*
 * The states of a run and every way from one to the next, written down once. A store builds the guards
 * of its updates from this table, and LIFECYCLE.md shows it; a test holds the two together.
 */

export const RUN_STATUSES = ['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] as const;

/**
 * Where a run stands. `running` means that one owner drives it under a lease; a dead letter is a
 * `failed` run with a reason.
 */
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Who makes a transition. */
export type TransitionActor =
  | 'starter'
  | 'owner'
  | 'reaper'
  | 'person'
  /** Who has just taken a run and cannot read its steps. */
  | 'claimant';

/** What must be true of the stored run, checked inside the update itself. */
export type TransitionGuard =
  /** The caller's owner token and epoch are the stored ones, and its lease has not expired. */
  | 'held'
  /** The lease has expired by the store's clock. */
  | 'lease_expired'
  /** The time before which the run must not start has passed. */
  | 'due'
  /** The run was requeued less often than its budget allows, and no fence forbids another attempt. */
  | 'may_requeue'
  /** The opposite of `may_requeue`. */
  | 'may_not_requeue'
  /** No write of the run stands without an outcome. */
  | 'no_fence';

export interface Transition {
  readonly name: string;
  /** Null for a run that does not exist yet. */
  readonly from: RunStatus | null;
  readonly to: RunStatus;
  readonly by: TransitionActor;
  readonly guards: readonly TransitionGuard[];
}

export const TRANSITIONS = [
  { name: 'start', from: null, to: 'running', by: 'starter', guards: [] },
  { name: 'enqueue', from: null, to: 'queued', by: 'starter', guards: [] },
  { name: 'claim', from: 'queued', to: 'running', by: 'owner', guards: ['due'] },
  { name: 'resume', from: 'paused', to: 'running', by: 'owner', guards: [] },
  { name: 'pause', from: 'running', to: 'paused', by: 'owner', guards: ['held', 'no_fence'] },
  { name: 'complete', from: 'running', to: 'completed', by: 'owner', guards: ['held', 'no_fence'] },
  { name: 'fail', from: 'running', to: 'failed', by: 'owner', guards: ['held'] },
  { name: 'cancel_at_boundary', from: 'running', to: 'cancelled', by: 'owner', guards: ['held', 'no_fence'] },
  { name: 'give_back', from: 'running', to: 'queued', by: 'owner', guards: ['held', 'may_requeue'] },
  { name: 'hand_back_queued', from: 'running', to: 'queued', by: 'claimant', guards: ['held', 'no_fence'] },
  { name: 'hand_back_paused', from: 'running', to: 'paused', by: 'claimant', guards: ['held', 'no_fence'] },
  { name: 'reap', from: 'running', to: 'queued', by: 'reaper', guards: ['lease_expired', 'may_requeue'] },
  { name: 'bury', from: 'running', to: 'failed', by: 'reaper', guards: ['lease_expired', 'may_not_requeue'] },
  { name: 'cancel_queued', from: 'queued', to: 'cancelled', by: 'person', guards: [] },
  { name: 'cancel_paused', from: 'paused', to: 'cancelled', by: 'person', guards: [] },
  { name: 'requeue', from: 'failed', to: 'queued', by: 'person', guards: ['no_fence'] },
] as const satisfies readonly Transition[];

export type TransitionName = (typeof TRANSITIONS)[number]['name'];

/** Where the steps that its owner records may take a running run. */
export type RunTransition = Extract<(typeof TRANSITIONS)[number], { from: 'running'; by: 'owner' }>['to'];

/** Whether nothing but a person takes the run on from here. */
export function isEnded(status: RunStatus): boolean {
  return !TRANSITIONS.some(({ from, by }) => from === status && by !== 'person');
}

/** Whether this actor may take a run from one state to the other at all; the guards are the store's to check. */
export function mayTransition(from: RunStatus, to: RunStatus, by: TransitionActor): boolean {
  return TRANSITIONS.some((known) => known.from === from && known.to === to && known.by === by);
}
