import { sql, type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely';
import type { FenceRequest, LateEvidence, RunRecord } from '../../audit/run-journal.js';
import type { HeldRun } from '../../queue/heartbeats.js';
import { REQUEUE_BUDGET, type Disposition } from '../../run/disposition.js';
import { TRANSITIONS, type TransitionGuard, type TransitionName } from '../../run/lifecycle.js';
import type { Statement } from '../unit.js';
import { toStatement, type SqlDialect } from './dialect.js';
import { inboxOf } from './approval-inbox.js';
import { modelColumn, targetsOfEvidence, targetsOfStep } from './write-target-rows.js';
import type { InterruptedRow } from './run-rows.js';
import type { PendingEffectsTable, RunsTable, StoreSchema } from './schema.js';
import type { PlacedStep } from './placed-steps.js';

/** What a guard compares the stored run with. */
interface GuardFacts {
  readonly held?: HeldRun;
  /** The run as it was read when somebody decided about it. */
  readonly seen?: InterruptedRow;
  /** Calls whose fence goes in the same unit. */
  readonly cleared?: readonly string[];
}

type RunChange = Partial<{
  [Column in keyof RunsTable]: RunsTable[Column] | Expression<RunsTable[Column]>;
}>;
type Runs = ExpressionBuilder<StoreSchema, 'runs'>;

/**
 * Every statement of the store. A unit touches the row of its run first, so that two units of one run wait for
 * each other there and nowhere else.
 */
export class RunStatements {
  readonly #dialect: SqlDialect;
  readonly #leaseMs: number;

  constructor(dialect: SqlDialect, leaseMs: number) {
    this.#dialect = dialect;
    this.#leaseMs = leaseMs;
  }

  /** A run that is new, with its first steps: held by its owner, or queued where it has none. */
  insertRun(
    run: RunRecord,
    state: { readonly owner: string | null; readonly dueAtMs: number | null },
    firstSteps: readonly PlacedStep[],
  ): readonly Statement[] {
    const { now, query } = this.#dialect;
    const isHeld = state.owner !== null;
    const epoch = isHeld ? 1 : 0;
    const row = toStatement(
      query
        .insertInto('runs')
        .values({
          id: run.runId,
          correlation_id: run.correlationId,
          actor_id: run.actor.id,
          status: isHeld ? 'running' : 'queued',
          owner: state.owner,
          epoch,
          lease_expires_at: isHeld ? this.#in(this.#leaseMs) : null,
          due_at: state.dueAtMs ?? now,
          requeues: 0,
          last_seq: firstSteps.at(-1)?.step.seq ?? 0,
          cancel_requested: 0,
          audit_uncertain: 0,
          dead_letter_reason: null,
          failure_detail: null,
          failure_class: null,
          created_at: Date.parse(run.createdAt),
          updated_at: now,
        })
        .onConflict((conflict) => conflict.column('id').doNothing()),
      1,
    );
    return [row, ...this.insertSteps(run.runId, epoch, firstSteps)];
  }

  /** @param epoch under which hold they are recorded; null for that of the run's row. */
  insertSteps(runId: string, epoch: number | null, steps: readonly PlacedStep[]): readonly Statement[] {
    const { query } = this.#dialect;
    if (steps.length === 0) {
      return [];
    }
    const rows = steps.map(({ step, encoded }) => ({
      run_id: runId,
      seq: step.seq,
      epoch: epoch ?? query.selectFrom('runs').select('epoch').where('id', '=', runId),
      kind: step.kind,
      call_id: 'callId' in step ? step.callId : null,
      at: Date.parse(step.at),
      trace: encoded.trace,
      sealed: encoded.sealed,
      model: modelColumn(step),
    }));
    return [
      toStatement(query.insertInto('steps').values(rows), rows.length),
      ...steps.flatMap(({ step }) => [...inboxOf(query, runId, step), ...targetsOfStep(query, runId, step)]),
    ];
  }

  /** Takes a run, and yields its row as it is then and its steps. */
  claim(name: 'claim' | 'resume', runId: string, owner: string): readonly Statement[] {
    const update = this.#move(name, runId, {}, { owner, lease_expires_at: this.#in(this.#leaseMs) });
    return [
      toStatement(update.set((eb) => ({ epoch: eb('epoch', '+', 1) })).returningAll(), 1),
      { ...this.selectSteps(runId), rows: 'any' },
    ];
  }

  /** Moves the newest step on, and with it the lease, a step boundary being a heartbeat. */
  advance(held: HeldRun, fromSeq: number, toSeq: number): Statement {
    const { now, query } = this.#dialect;
    return toStatement(
      query
        .updateTable('runs')
        .set({ last_seq: toSeq, updated_at: now, lease_expires_at: this.#in(this.#leaseMs) })
        .where((eb) => eb.and([...this.#held(eb, held), eb('last_seq', '=', fromSeq)])),
      1,
    );
  }

  /** Ends the hold with its last steps. */
  settle(
    name: Extract<TransitionName, 'pause' | 'complete' | 'fail' | 'cancel_at_boundary' | 'give_back'>,
    held: HeldRun,
    seqs: { readonly from: number; readonly to: number },
    facts: Omit<GuardFacts, 'held'>,
    change: RunChange,
  ): Statement {
    const update = this.#move(name, held.runId, { ...facts, held }, { ...change, last_seq: seqs.to });
    return toStatement(update.where('last_seq', '=', seqs.from), 1);
  }

  /** Undoes a claim: the run is as it was, but for its epoch. */
  handBack(name: 'hand_back_queued' | 'hand_back_paused', held: HeldRun): Statement {
    return toStatement(this.#move(name, held.runId, { held }, {}), 1);
  }

  /** What a requeue changes beside the state. */
  requeued(requeues: number, waitMs: number): RunChange {
    return { requeues: requeues + 1, due_at: this.#in(waitMs) };
  }

  /** Puts a failed run back for a person, who has looked at what is uncertain about it. */
  requeue(runId: string, isUncertain: boolean): Statement {
    const { now } = this.#dialect;
    const fresh = { requeues: 0, due_at: now, cancel_requested: 0, audit_uncertain: 0 } as const;
    const reason = { dead_letter_reason: null, failure_detail: null, failure_class: null };
    // Evidence that came in since it was read has been seen by nobody.
    const update = this.#move('requeue', runId, {}, { ...fresh, ...reason });
    return toStatement(isUncertain ? update : update.where('audit_uncertain', '=', 0), 1);
  }

  /** Puts an interrupted run back, or buries it, if it is still as it was seen. */
  reap(seen: InterruptedRow, disposition: Disposition): readonly Statement[] {
    const { runId, lastSeq, epoch, requeues } = seen;
    if (disposition.kind === 'requeue') {
      const put = this.#move('reap', runId, { seen }, this.requeued(requeues, disposition.waitMs));
      return [toStatement(put, 1), this.clearFence(runId, null)];
    }
    // A new epoch, so that no step of the old owner can be taken for the reaper's, or the other way round.
    const bury = this.#move(
      'bury',
      runId,
      { seen },
      {
        last_seq: lastSeq + 1,
        epoch: epoch + 1,
        dead_letter_reason: disposition.reason,
        failure_detail: disposition.detail,
        failure_class: 'unknown',
      },
    );
    return [toStatement(bury, 1)];
  }

  /** Stamps the fence, again if need be, and takes the lease as far as the call may last. */
  stamp(held: HeldRun, lastSeq: number, request: FenceRequest, callMs: number): readonly Statement[] {
    const { now, query } = this.#dialect;
    const { callId, tool, effect } = request;
    const row = {
      epoch: held.epoch,
      call_id: callId,
      tool,
      effect: effect as PendingEffectsTable['effect'],
      stamped_at: now,
      until: this.#in(callMs),
    };
    return [
      toStatement(
        query
          .updateTable('runs')
          .set({ updated_at: now, lease_expires_at: this.#in(Math.max(callMs, this.#leaseMs)) })
          .where((eb) => eb.and([...this.#held(eb, held), eb('last_seq', '=', lastSeq)])),
        1,
      ),
      toStatement(
        query
          .insertInto('pending_effects')
          .values({ run_id: held.runId, ...row })
          .onConflict((conflict) =>
            conflict
              .column('run_id')
              .doUpdateSet(row)
              .where('pending_effects.epoch', '=', held.epoch)
              .where('pending_effects.call_id', '=', callId),
          ),
        1,
      ),
    ];
  }

  /** Takes the fence of these calls away; of any call for null. */
  clearFence(runId: string, calls: readonly string[] | null): Statement {
    const all = this.#dialect.query.deleteFrom('pending_effects').where('run_id', '=', runId);
    return toStatement(calls === null ? all : all.where('call_id', 'in', calls), 'any');
  }

  /** Renews a lease, never to an earlier time than it has. Yields whether a cancellation was asked for. */
  renew(held: HeldRun): Statement {
    const until = this.#in(this.#leaseMs);
    const later = sql<number>`case when lease_expires_at > ${until} then lease_expires_at else ${until} end`;
    return toStatement(
      this.#dialect.query
        .updateTable('runs')
        .set({ lease_expires_at: later })
        .where((eb) => eb.and(this.#held(eb, held)))
        .returning('cancel_requested'),
      1,
    );
  }

  append(runId: string, lastSeq: number, step: PlacedStep): readonly Statement[] {
    const { now, query } = this.#dialect;
    return [
      toStatement(
        query
          .updateTable('runs')
          .set({ last_seq: lastSeq + 1, updated_at: now })
          .where('id', '=', runId)
          .where('status', '=', 'paused')
          .where('last_seq', '=', lastSeq),
        1,
      ),
      ...this.insertSteps(runId, null, [step]),
    ];
  }

  cancelResting(
    name: 'cancel_queued' | 'cancel_paused',
    runId: string,
    lastSeq: number,
    step: PlacedStep,
  ): readonly Statement[] {
    const update = this.#move(name, runId, {}, { last_seq: lastSeq + 1 });
    return [
      toStatement(update.where('last_seq', '=', lastSeq), 1),
      ...this.insertSteps(runId, null, [step]),
      this.voidRequests(runId),
    ];
  }

  requestCancel(runId: string): Statement {
    return toStatement(
      this.#dialect.query
        .updateTable('runs')
        .set({ cancel_requested: 1 })
        .where('id', '=', runId)
        .where('status', '=', 'running'),
      1,
    );
  }

  /** No request of an ended run waits for anybody. */
  voidRequests(runId: string): Statement {
    return toStatement(
      this.#dialect.query
        .updateTable('approvals')
        .set({ state: 'void' })
        .where('run_id', '=', runId)
        .where('state', '=', 'requested'),
      'any',
    );
  }

  keepEvidence(id: string, held: HeldRun, evidence: LateEvidence): readonly Statement[] {
    const { now, query } = this.#dialect;
    const { runId, epoch } = held;
    return [
      toStatement(query.updateTable('runs').set({ audit_uncertain: 1 }).where('id', '=', runId), 1),
      toStatement(
        query
          .insertInto('late_evidence')
          .values({
            id,
            run_id: runId,
            call_id: evidence.callId,
            epoch,
            at: now,
            evidence: JSON.stringify(evidence),
          })
          .onConflict((conflict) => conflict.column('id').doNothing()),
        'any',
      ),
      ...targetsOfEvidence(query, runId, evidence, now),
    ];
  }

  selectRun(runId: string): Omit<Statement, 'rows'> {
    const { now, query } = this.#dialect;
    const isLapsed = sql<number>`case when lease_expires_at <= ${now} then 1 else 0 end`;
    return toStatement(
      query.selectFrom('runs').selectAll().select(isLapsed.as('is_lapsed')).where('id', '=', runId),
      'any',
    );
  }

  /** @param afterSeq only the steps after this one; 0 for all. */
  selectSteps(runId: string, afterSeq = 0): Omit<Statement, 'rows'> {
    return toStatement(
      this.#dialect.query
        .selectFrom('steps')
        .select(['seq', 'epoch', 'trace', 'sealed'])
        .where('run_id', '=', runId)
        .where('seq', '>', afterSeq)
        .orderBy('seq'),
      'any',
    );
  }

  selectEvidence(runId: string): Omit<Statement, 'rows'> {
    return toStatement(
      this.#dialect.query
        .selectFrom('late_evidence')
        .select(['evidence'])
        .where('run_id', '=', runId)
        .orderBy('at')
        .orderBy('id'),
      'any',
    );
  }

  selectDue(limit: number): Omit<Statement, 'rows'> {
    const { now, query } = this.#dialect;
    return toStatement(
      query
        .selectFrom('runs')
        .select('id')
        .where('status', '=', 'queued')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .orderBy('created_at')
        .limit(limit),
      'any',
    );
  }

  /** Paused runs whose requests that wait for a person have all expired, the longest expired first. */
  selectExpired(limit: number): Omit<Statement, 'rows'> {
    const { now, query } = this.#dialect;
    return toStatement(
      query
        .selectFrom('approvals')
        .innerJoin('runs', 'runs.id', 'approvals.run_id')
        .select((eb) => ['approvals.run_id as id', eb.fn.min('approvals.expires_at').as('expired_at')])
        .where('runs.status', '=', 'paused')
        .where('approvals.state', '=', 'requested')
        .where('approvals.expires_at', '<=', now)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('approvals as waiting')
                .select('waiting.run_id')
                .whereRef('waiting.run_id', '=', 'approvals.run_id')
                .where('waiting.state', '=', 'requested')
                .where((other) =>
                  other.or([other('waiting.expires_at', 'is', null), other('waiting.expires_at', '>', now)]),
                ),
            ),
          ),
        )
        .groupBy('approvals.run_id')
        .orderBy('expired_at')
        .limit(limit),
      'any',
    );
  }

  /** Runs with what decides about them: one, or those whose lease has expired. */
  selectInterrupted(which: { readonly runId: string } | { readonly limit: number }): Omit<Statement, 'rows'> {
    const { now, query } = this.#dialect;
    const all = query
      .selectFrom('runs')
      .leftJoin('pending_effects', 'pending_effects.run_id', 'runs.id')
      .selectAll('runs')
      .select(['pending_effects.call_id as fence_call_id', 'pending_effects.tool as fence_tool'])
      .select('pending_effects.effect as fence_effect');
    return toStatement(
      'runId' in which
        ? all.where('runs.id', '=', which.runId)
        : all
            .where('runs.status', '=', 'running')
            .where('runs.lease_expires_at', '<=', now)
            .orderBy('runs.lease_expires_at')
            .limit(which.limit),
      'any',
    );
  }

  /** One way of the lifecycle as an update, with all of its guards. */
  #move(name: TransitionName, runId: string, facts: GuardFacts, change: RunChange) {
    const { now, query } = this.#dialect;
    const way = TRANSITIONS.find((known) => known.name === name);
    const isLeft = way?.from === 'running';
    return query
      .updateTable('runs')
      .set({
        ...(isLeft ? { owner: null, lease_expires_at: null } : {}),
        ...change,
        ...(way === undefined ? {} : { status: way.to }),
        updated_at: now,
      })
      .where((eb) =>
        eb.and([
          eb('id', '=', runId),
          way === undefined || way.from === null ? sql<SqlBool>`1 = 0` : eb('status', '=', way.from),
          ...(way?.guards ?? []).flatMap((guard) => this.#guard(eb, guard, runId, facts)),
        ]),
      );
  }

  /** A guard whose facts are missing never holds. */
  #guard(
    eb: Runs,
    guard: TransitionGuard,
    runId: string,
    { held, seen, cleared = [] }: GuardFacts,
  ): readonly Expression<SqlBool>[] {
    const { now } = this.#dialect;
    const never = [sql<SqlBool>`1 = 0`];
    const fences = eb.selectFrom('pending_effects').select('call_id').where('run_id', '=', runId);
    const standing = cleared.length === 0 ? fences : fences.where('call_id', 'not in', cleared);
    switch (guard) {
      case 'held':
        return held === undefined ? never : this.#held(eb, held);
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

  #held(eb: Runs, { runId, owner, epoch }: HeldRun): Expression<SqlBool>[] {
    return [
      eb('id', '=', runId),
      eb('status', '=', 'running'),
      eb('owner', '=', owner),
      eb('epoch', '=', epoch),
      eb('lease_expires_at', '>', this.#dialect.now),
    ];
  }

  /** So many milliseconds from now, by the store's clock. */
  #in(ms: number): RawBuilder<number> {
    return sql<number>`${this.#dialect.now} + ${Math.ceil(ms)}`;
  }
}

/** Nothing that was decided upon has changed since it was read. */
function asSeen(eb: Runs, seen: InterruptedRow): Expression<SqlBool>[] {
  const fences = eb.selectFrom('pending_effects').select('call_id').where('run_id', '=', seen.runId);
  return [
    eb('epoch', '=', seen.epoch),
    eb('requeues', '=', seen.requeues),
    eb('last_seq', '=', seen.lastSeq),
    eb('audit_uncertain', '=', seen.isAuditUncertain ? 1 : 0),
    seen.fence === null
      ? eb.not(eb.exists(fences))
      : eb.exists(fences.where('call_id', '=', seen.fence.callId).where('effect', '=', seen.fence.effect)),
  ];
}
