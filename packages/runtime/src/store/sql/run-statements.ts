import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import type { FenceRequest, LateEvidence, RunRecord } from '../../audit/run-journal.js';
import type { HeldRun } from '../../queue/heartbeats.js';
import type { Disposition } from '../../run/disposition.js';
import { TRANSITIONS, type TransitionName } from '../../run/lifecycle.js';
import type { Statement } from '../unit.js';
import { toStatement, type SqlDialect } from './dialect.js';
import { inboxOf } from './approval-inbox.js';
import { modelColumn, targetsOfEvidence, targetsOfStep } from './write-target-rows.js';
import type { InterruptedRow } from './run-rows.js';
import { heldGuards, transitionGuards, type GuardFacts } from './run-guards.js';
import type { PendingEffectsTable, RunsTable } from './schema.js';
import type { PlacedStep } from './placed-steps.js';
import { StatementShapes } from './statement-shapes.js';

type RunChange = Partial<{
  [Column in keyof RunsTable]: RunsTable[Column] | Expression<RunsTable[Column]>;
}>;

/**
 * Every statement of the store. A unit touches the row of its run first, so that two units of one run wait for
 * each other there and nowhere else.
 */
export class RunStatements {
  readonly #dialect: SqlDialect;
  readonly #leaseMs: number;
  readonly #shapes = new StatementShapes();

  constructor(dialect: SqlDialect, leaseMs: number) {
    this.#dialect = dialect;
    this.#leaseMs = Math.ceil(leaseMs);
  }

  /** A run that is new, with its first steps: held by its owner, or queued where it has none. */
  insertRun(
    run: RunRecord,
    state: { readonly owner: string | null; readonly dueAtMs: number | null },
    firstSteps: readonly PlacedStep[],
  ): readonly Statement[] {
    const { now, query } = this.#dialect;
    const isHeld = state.owner !== null;
    const isDueNow = state.dueAtMs === null;
    const epoch = isHeld ? 1 : 0;
    const values = {
      runId: run.runId,
      correlationId: run.correlationId,
      actorId: run.actor.id,
      owner: state.owner,
      dueAt: state.dueAtMs ?? 0,
      lastSeq: firstSteps.at(-1)?.step.seq ?? 0,
      createdAt: Date.parse(run.createdAt),
    };
    const row = this.#shapes.statement(`insert run ${isHeld} ${isDueNow}`, values, 1, (late) =>
      query
        .insertInto('runs')
        .values({
          id: late.runId,
          correlation_id: late.correlationId,
          actor_id: late.actorId,
          status: isHeld ? 'running' : 'queued',
          owner: late.owner,
          epoch,
          lease_expires_at: isHeld ? this.#in(this.#leaseMs) : null,
          due_at: isDueNow ? now : late.dueAt,
          requeues: 0,
          last_seq: late.lastSeq,
          cancel_requested: 0,
          audit_uncertain: 0,
          dead_letter_reason: null,
          failure_detail: null,
          failure_class: null,
          created_at: late.createdAt,
          updated_at: now,
        })
        .onConflict((conflict) => conflict.column('id').doNothing()),
    );
    return [row, ...this.insertSteps(run.runId, epoch, firstSteps)];
  }

  /** @param epoch under which hold they are recorded; null for that of the run's row. */
  insertSteps(runId: string, epoch: number | null, steps: readonly PlacedStep[]): readonly Statement[] {
    const { query } = this.#dialect;
    if (steps.length === 0) {
      return [];
    }
    return [
      ...steps.map((step) => this.#insertStep(runId, epoch, step)),
      ...steps.flatMap(({ step }) => [
        ...inboxOf(query, runId, step),
        ...targetsOfStep(query, this.#shapes, runId, step),
      ]),
    ];
  }

  #insertStep(runId: string, epoch: number | null, { step, encoded }: PlacedStep): Statement {
    const { query } = this.#dialect;
    const values = {
      runId,
      seq: step.seq,
      epoch: epoch ?? 0,
      kind: step.kind,
      callId: 'callId' in step ? step.callId : null,
      at: Date.parse(step.at),
      trace: encoded.trace,
      sealed: encoded.sealed,
      model: modelColumn(step),
    };
    return this.#shapes.statement(`insert step ${epoch === null}`, values, 1, (late) =>
      query.insertInto('steps').values({
        run_id: late.runId,
        seq: late.seq,
        epoch:
          epoch === null ? query.selectFrom('runs').select('epoch').where('id', '=', late.runId) : late.epoch,
        kind: late.kind,
        call_id: late.callId,
        at: late.at,
        trace: late.trace,
        sealed: late.sealed,
        model: late.model,
      }),
    );
  }

  /** Takes a run, and yields its row as it is then and its steps. */
  claim(name: 'claim' | 'resume', runId: string, owner: string): readonly Statement[] {
    const take = this.#shapes.statement(name, { runId, owner }, 1, (late) =>
      this.#move(name, late.runId, {}, { owner: late.owner, lease_expires_at: this.#in(this.#leaseMs) })
        .set((eb) => ({ epoch: eb('epoch', '+', 1) }))
        .returningAll(),
    );
    return [take, this.selectSteps(runId)];
  }

  /** Moves the newest step on, and with it the lease, a step boundary being a heartbeat. */
  advance(held: HeldRun, fromSeq: number, toSeq: number): Statement {
    const { now, query } = this.#dialect;
    return this.#shapes.statement('advance', { ...guarded(held), fromSeq, toSeq }, 1, (late) =>
      query
        .updateTable('runs')
        .set({ last_seq: late.toSeq, updated_at: now, lease_expires_at: this.#in(this.#leaseMs) })
        .where((eb) => eb.and([...heldGuards(eb, late, now), eb('last_seq', '=', late.fromSeq)])),
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
    const [call = null, ...moreCalls] = facts.cleared ?? [];
    if (facts.seen !== undefined || moreCalls.length > 0 || Object.keys(change).length > 0) {
      const update = this.#move(name, held.runId, { ...facts, held }, { ...change, last_seq: seqs.to });
      return toStatement(update.where('last_seq', '=', seqs.from), 1);
    }
    const values = { ...guarded(held), call: call ?? '', from: seqs.from, to: seqs.to };
    return this.#shapes.statement(`settle ${name} ${call === null}`, values, 1, (late) =>
      this.#move(
        name,
        late.runId,
        { held: late, cleared: call === null ? [] : [late.call] },
        { last_seq: late.to },
      ).where('last_seq', '=', late.from),
    );
  }

  /** Undoes a claim: the run is as it was, but for its epoch. */
  handBack(name: 'hand_back_queued' | 'hand_back_paused', held: HeldRun): Statement {
    return toStatement(this.#move(name, held.runId, { held }, {}), 1);
  }

  /** What a requeue changes beside the state. */
  requeued(requeues: number, waitMs: number): RunChange {
    return { requeues: requeues + 1, due_at: this.#in(Math.ceil(waitMs)) };
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
    const ms = Math.ceil(callMs);
    const lease = { ...guarded(held), lastSeq, leaseMs: Math.max(ms, this.#leaseMs) };
    const fence = { runId: held.runId, epoch: held.epoch, call: request.callId, ms, ...toolOf(request) };
    return [
      this.#shapes.statement('stamp lease', lease, 1, (late) =>
        query
          .updateTable('runs')
          .set({ lease_expires_at: this.#in(late.leaseMs) })
          .where((eb) => eb.and([...heldGuards(eb, late, now), eb('last_seq', '=', late.lastSeq)])),
      ),
      this.#shapes.statement('stamp fence', fence, 1, (late) => {
        const row = {
          epoch: late.epoch,
          call_id: late.call,
          tool: late.tool,
          effect: late.effect,
          stamped_at: now,
          until: this.#in(late.ms),
        };
        return query
          .insertInto('pending_effects')
          .values({ run_id: late.runId, ...row })
          .onConflict((conflict) =>
            conflict
              .column('run_id')
              .doUpdateSet(row)
              .where('pending_effects.epoch', '=', late.epoch)
              .where('pending_effects.call_id', '=', late.call),
          );
      }),
    ];
  }

  /** Takes the fence of these calls away; of any call for null. */
  clearFence(runId: string, calls: readonly string[] | null): Statement {
    const { query } = this.#dialect;
    const [call, ...moreCalls] = calls ?? [];
    if (call === undefined || moreCalls.length > 0) {
      const all = query.deleteFrom('pending_effects').where('run_id', '=', runId);
      return toStatement(calls === null ? all : all.where('call_id', 'in', calls), 'any');
    }
    return this.#shapes.statement('clear fence', { runId, call }, 'any', (late) =>
      query.deleteFrom('pending_effects').where('run_id', '=', late.runId).where('call_id', '=', late.call),
    );
  }

  /** Renews a lease, never to an earlier time than it has. Yields whether a cancellation was asked for. */
  renew(held: HeldRun): Statement {
    const { now, query } = this.#dialect;
    const until = this.#in(this.#leaseMs);
    const later = sql<number>`case when lease_expires_at > ${until} then lease_expires_at else ${until} end`;
    return this.#shapes.statement('renew', guarded(held), 1, (late) =>
      query
        .updateTable('runs')
        .set({ lease_expires_at: later })
        .where((eb) => eb.and(heldGuards(eb, late, now)))
        .returning('cancel_requested'),
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
    return this.#shapes.statement('void requests', { runId }, 'any', (late) =>
      this.#dialect.query
        .updateTable('approvals')
        .set({ state: 'void' })
        .where('run_id', '=', late.runId)
        .where('state', '=', 'requested'),
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
    return this.#shapes.statement('select run', { runId }, 'any', (late) =>
      query.selectFrom('runs').selectAll().select(isLapsed.as('is_lapsed')).where('id', '=', late.runId),
    );
  }

  /** @param afterSeq only the steps after this one; 0 for all. */
  selectSteps(runId: string, afterSeq = 0): Statement {
    return this.#shapes.statement('select steps', { runId, afterSeq }, 'any', (late) =>
      this.#dialect.query
        .selectFrom('steps')
        .select(['seq', 'epoch', 'trace', 'sealed'])
        .where('run_id', '=', late.runId)
        .where('seq', '>', late.afterSeq)
        .orderBy('seq'),
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
          ...(way?.guards ?? []).flatMap((guard) => transitionGuards(eb, guard, runId, facts, now)),
        ]),
      );
  }

  /** So many whole milliseconds from now, by the store's clock. */
  #in(ms: number): RawBuilder<number> {
    return sql<number>`${this.#dialect.now} + ${ms}`;
  }
}

/** What guards every update of the owner, and nothing else of what the hold may have. */
function guarded({ runId, owner, epoch }: HeldRun) {
  return { runId, owner, epoch };
}

function toolOf({ tool, effect }: FenceRequest) {
  return { tool, effect: effect as PendingEffectsTable['effect'] };
}
