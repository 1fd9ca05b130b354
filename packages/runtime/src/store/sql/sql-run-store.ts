import { randomUUID } from 'node:crypto';
import { ToolEffect, errorClass, isSafeToRetry, type Logger } from '@toolwright/sdk';
import type { LateEvidence, RunJournal, RunRecord, StoredRun } from '../../audit/run-journal.js';
import type { FailureStep, Step } from '../../audit/step.js';
import { RuntimeError } from '../../errors.js';
import { pinoLogger } from '../../log/pino-logger.js';
import {
  TimerHeartbeats,
  processClock,
  type HeartbeatOrder,
  type HeldRun,
  type Heartbeats,
} from '../../queue/heartbeats.js';
import { assertLease } from '../../queue/assert-lease.js';
import { LeaseHold } from '../../queue/lease-hold.js';
import {
  DEFAULT_LEASE,
  type LeaseTerms,
  type MonotonicClock,
  type QueuedRunStore,
  type ReapedRun,
} from '../../queue/queued-run-store.js';
import type { RunOperations } from '../../operator/run-operations.js';
import type { OutcomeLedger } from '../../outcome/outcome-ledger.js';
import type { WakeUps } from '../../queue/wake-ups.js';
import { dispose, type Disposition } from '../../run/disposition.js';
import { isEnded } from '../../run/lifecycle.js';
import type { Redactor } from '../../secrets/redactor.js';
import type { ScheduleBook } from '../../schedule/schedule-book.js';
import { secretRedactor } from '../../secrets/secret-redactor.js';
import { systemTime, type TimeSource } from '../../time/time-source.js';
import type { SqlRow, UnitOutcome, UnitRunner } from '../unit.js';
import type { SqlDialect } from './dialect.js';
import { toInterruptedRow, toRunRow, toStepRow, type InterruptedRow, type RunRow } from './run-rows.js';
import { placeSteps, type PlacedStep } from './placed-steps.js';
import { RunStatements } from './run-statements.js';
import { SqlOutcomeLedger } from './sql-outcome-ledger.js';
import { SqlRunJournal, type JournalPorts } from './sql-run-journal.js';
import { SqlRunOperations } from './sql-run-operations.js';
import { SqlScheduleBook } from './sql-schedule-book.js';
import { stepCodec, type Encryption } from './step-codec.js';

export interface SqlRunStoreOptions {
  readonly runner: UnitRunner;
  readonly dialect: SqlDialect;
  /** Default: {@link DEFAULT_LEASE}. */
  readonly lease?: Partial<LeaseTerms>;
  /** Default: those of the runner, or else heartbeats on the event loop. */
  readonly heartbeats?: Heartbeats;
  /**
   * Keys under which exact arguments and everything else that a resume needs is encrypted, the newest first; or
   * `'none'`, where it may stand in the database in the clear.
   */
  readonly encryption: Encryption;
  /** Takes the secrets out of the trace's copy where nothing is encrypted. Default: {@link secretRedactor}. */
  readonly redactor?: Redactor;
  readonly logger?: Logger;
  readonly time?: TimeSource;
  readonly clock?: MonotonicClock;
  /** Makes owner tokens; default: random UUIDs. */
  readonly newToken?: () => string;
}

/** How often a unit is asked again whose answer was lost, or which met somebody else's change. */
const MAX_ROUNDS = 8;

/** Runs in a database, SQLite or PostgreSQL: one store over closed units. See run/LIFECYCLE.md. */
export class SqlRunStore implements QueuedRunStore {
  readonly lease: LeaseTerms;
  readonly operations: RunOperations;
  readonly outcomes: OutcomeLedger;
  readonly schedules: ScheduleBook;
  readonly wakeUps: WakeUps | null;
  readonly #ports: JournalPorts;
  readonly #heartbeats: Heartbeats;
  readonly #newToken: () => string;

  /**
   * @throws RuntimeError with code `INVALID_CONFIGURATION` when the lease leaves no time for a heartbeat, or a key is
   *   none.
   */
  constructor(options: SqlRunStoreOptions) {
    const { runner, dialect, logger = pinoLogger(), time = systemTime, clock = processClock } = options;
    const lease = assertLease({ ...DEFAULT_LEASE, ...options.lease });
    const { leaseMs, heartbeatMs } = lease;
    const statements = new RunStatements(dialect, leaseMs);
    const codec = stepCodec(options.encryption, options.redactor ?? secretRedactor());
    this.lease = lease;
    this.wakeUps = runner.wakeUps ?? null;
    this.#ports = { runner, statements, codec, logger, time, clock, leaseMs, heartbeatMs };
    this.schedules = new SqlScheduleBook({ runner, dialect, statements, codec });
    this.operations = new SqlRunOperations({
      runner,
      dialect,
      statements,
      codec,
      time,
      read: (runId) => this.read(runId),
      lateEvidence: (runId) => this.lateEvidence(runId),
    });
    this.outcomes = new SqlOutcomeLedger(runner, dialect);
    this.#newToken = options.newToken ?? randomUUID;
    this.#heartbeats =
      options.heartbeats ?? runner.heartbeats ?? new TimerHeartbeats(runner, { time, clock, logger });
  }

  /** Waits for what is under way, and closes the database. */
  close(): Promise<void> {
    return this.#ports.runner.close();
  }

  async create(run: RunRecord, firstSteps: readonly Step[]): Promise<RunJournal> {
    const { runner, statements, clock } = this.#ports;
    const held: HeldRun = { runId: run.runId, owner: this.#newToken(), epoch: 1 };
    const placed = await this.#place(run.runId, firstSteps);
    const unit = statements.insertRun(run, { owner: held.owner, dueAtMs: null }, placed);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const sentAtMs = clock.elapsedMs();
      const outcome = await runner.run(unit);
      // A row under this token can only be ours; the answer to its COMMIT was lost.
      if (
        outcome.kind === 'committed' ||
        (outcome.kind === 'refused' && (await this.#isHeldBy(held, round > 0)))
      ) {
        return this.#hold({ run, steps: copy(firstSteps), held }, sentAtMs, false);
      }
      this.#assertStorable(outcome, run.runId);
    }
    throw unavailable(`store run "${run.runId}"`, null);
  }

  async enqueue(run: RunRecord, firstSteps: readonly Step[], notBefore: Date | null): Promise<void> {
    const { runner, statements } = this.#ports;
    const { runId } = run;
    const placed = await this.#place(runId, firstSteps);
    const dueAtMs = notBefore === null ? null : notBefore.getTime();
    const unit = statements.insertRun(run, { owner: null, dueAtMs }, placed);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const outcome = await runner.run(unit);
      if (
        outcome.kind === 'committed' ||
        (outcome.kind === 'refused' && round > 0 && (await this.#holdsSteps(runId, placed, 0)))
      ) {
        return;
      }
      this.#assertStorable(outcome, runId);
    }
    throw unavailable(`enqueue run "${runId}"`, null);
  }

  async read(runId: string): Promise<StoredRun | null> {
    const row = await this.#readRow(runId);
    if (row === null) {
      return null;
    }
    const { runner, statements } = this.#ports;
    const steps = await runner.read(statements.selectSteps(runId));
    // Steps are only ever appended, so those up to the row's newest one belong to it.
    const decoded = await this.#decode(
      runId,
      steps.filter(({ seq }) => Number(seq) <= row.lastSeq),
    );
    return { run: row.run, status: row.status, steps: decoded };
  }

  claim(runId: string): Promise<RunJournal | null> {
    return this.#claim('resume', runId);
  }

  claimQueued(runId: string): Promise<RunJournal | null> {
    return this.#claim('claim', runId);
  }

  async due(limit: number): Promise<readonly string[]> {
    const rows = await this.#ports.runner.read(this.#ports.statements.selectDue(limit));
    return rows.map(({ id }) => String(id));
  }

  async expired(limit: number): Promise<readonly string[]> {
    const rows = await this.#ports.runner.read(this.#ports.statements.selectExpired(limit));
    return rows.map(({ id }) => String(id));
  }

  async appendToPaused(runId: string, lastSeq: number, step: Step): Promise<boolean> {
    if (step.seq !== lastSeq + 1) {
      return false;
    }
    const { runner, statements } = this.#ports;
    const [placed] = await this.#place(runId, [step]);
    if (placed === undefined) {
      return false;
    }
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const outcome = await runner.run(statements.append(runId, lastSeq, placed));
      switch (outcome.kind) {
        case 'committed':
          return true;
        case 'refused':
          return round > 0 && this.#holdsSteps(runId, [placed], lastSeq);
        case 'failed':
          throw unavailable(`append to run "${runId}"`, outcome.cause);
        case 'unknown':
      }
    }
    throw unavailable(`append to run "${runId}"`, null);
  }

  async requestCancel(
    runId: string,
    failure: Omit<Step, 'seq'>,
  ): Promise<'cancelled' | 'requested' | 'ended' | 'not_found'> {
    const { runner, statements } = this.#ports;
    let sent: PlacedStep | null = null;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const row = await this.#readRow(runId);
      if (row === null) {
        return 'not_found';
      }
      if (isEnded(row.status)) {
        const isOurs = sent !== null && (await this.#holdsSteps(runId, [sent], sent.step.seq - 1));
        return isOurs ? 'cancelled' : 'ended';
      }
      let outcome: UnitOutcome;
      if (row.status === 'running') {
        outcome = await runner.run([statements.requestCancel(runId)]);
      } else {
        const name = row.status === 'queued' ? 'cancel_queued' : 'cancel_paused';
        const [placed] = await this.#place(runId, [{ ...failure, seq: row.lastSeq + 1 } as Step]);
        sent = placed ?? null;
        outcome = await runner.run(
          sent === null ? [] : statements.cancelResting(name, runId, row.lastSeq, sent),
        );
      }
      if (outcome.kind === 'committed') {
        return row.status === 'running' ? 'requested' : 'cancelled';
      }
      if (outcome.kind === 'failed') {
        throw unavailable(`cancel run "${runId}"`, outcome.cause);
      }
    }
    throw unavailable(`cancel run "${runId}"`, null);
  }

  async reap(limit: number, effectFor: (tool: string) => ToolEffect): Promise<readonly ReapedRun[]> {
    const { runner, statements } = this.#ports;
    const rows = (await runner.read(statements.selectInterrupted({ limit }))).map(toInterruptedRow);
    const reaped: ReapedRun[] = [];
    for (const seen of rows) {
      const disposition = dispose(
        { kind: 'lease_expired' },
        {
          fencedEffect: seen.fence === null ? null : strictest(seen.fence, effectFor),
          isAuditUncertain: seen.isAuditUncertain,
          isCancelRequested: seen.isCancelRequested,
          requeues: seen.requeues,
        },
      );
      if (await this.#dispose(seen, disposition)) {
        reaped.push({ runId: seen.runId, disposition });
      }
    }
    return reaped;
  }

  async lateEvidence(runId: string): Promise<readonly LateEvidence[]> {
    const { runner, statements } = this.#ports;
    const rows = await runner.read(statements.selectEvidence(runId));
    return rows.map(({ evidence }) => JSON.parse(String(evidence)) as LateEvidence);
  }

  async #claim(name: 'claim' | 'resume', runId: string): Promise<RunJournal | null> {
    const { runner, statements, clock } = this.#ports;
    const owner = this.#newToken();
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const sentAtMs = clock.elapsedMs();
      const outcome = await runner.run(statements.claim(name, runId, owner));
      switch (outcome.kind) {
        case 'committed':
          return this.#taken(runId, owner, outcome.rows, sentAtMs, name === 'claim');
        case 'refused': {
          const row = round === 0 ? null : await this.#readRow(runId);
          if (row?.owner !== owner) {
            return null;
          }
          const held = { runId, owner, epoch: row.epoch };
          const steps = await runner.read(statements.selectSteps(runId));
          const taken = { run: row.run, steps: await this.#readable(name, held, steps) };
          // Which of the earlier rounds took it is not known, so its lease may be older than this one says.
          return row.isLapsed ? null : this.#renewed({ ...taken, held }, name === 'claim');
        }
        case 'failed':
          throw unavailable(`take run "${runId}"`, outcome.cause);
        case 'unknown':
      }
    }
    throw unavailable(`take run "${runId}"`, null);
  }

  async #taken(
    runId: string,
    owner: string,
    [rows = [], steps = []]: readonly (readonly SqlRow[])[],
    sentAtMs: number,
    isQueued: boolean,
  ): Promise<RunJournal> {
    const { run, epoch } = toRunRow(rows[0] ?? {});
    const held = { runId, owner, epoch };
    const decoded = await this.#readable(isQueued ? 'claim' : 'resume', held, steps);
    return this.#hold({ run, steps: decoded, held }, sentAtMs, isQueued);
  }

  /** The steps of a run that was just taken. One that cannot be read is given back as it was. */
  async #readable(
    name: 'claim' | 'resume',
    held: HeldRun,
    rows: readonly SqlRow[],
  ): Promise<readonly Step[]> {
    try {
      return await this.#decode(held.runId, rows);
    } catch (error) {
      const { runner, statements, logger } = this.#ports;
      const back = name === 'claim' ? 'hand_back_queued' : 'hand_back_paused';
      const { kind } = await runner.run([statements.handBack(back, held)]);
      logger.error('The steps of a run cannot be read, so it was left as it was.', {
        runId: held.runId,
        error: error instanceof RuntimeError ? error.code : errorClass(error),
        handBack: kind,
      });
      throw error;
    }
  }

  /** A hold whose lease is of unknown age starts with a renewal. */
  async #renewed(
    taken: { readonly run: RunRecord; readonly steps: readonly Step[]; readonly held: HeldRun },
    isQueued: boolean,
  ): Promise<RunJournal | null> {
    const sentAtMs = this.#ports.clock.elapsedMs();
    return (await this.#renew(taken.held)) === 'renewed' ? this.#hold(taken, sentAtMs, isQueued) : null;
  }

  #hold(
    taken: { readonly run: RunRecord; readonly steps: readonly Step[]; readonly held: HeldRun },
    sentAtMs: number,
    isQueued: boolean,
  ): RunJournal {
    const { clock, time } = this.#ports;
    const hold = new LeaseHold(this.lease, clock, time, sentAtMs);
    const journal = new SqlRunJournal({ ...taken, hold, isQueued }, this.#ports);
    const { statements } = this.#ports;
    const order: HeartbeatOrder = {
      runId: taken.held.runId,
      everyMs: this.lease.heartbeatMs,
      // Made anew for each beat on this thread, whose clock may be a part of the statement.
      get renewal() {
        return statements.renew(taken.held);
      },
    };
    journal.beatenBy((onBeat) => this.#heartbeats.start(order, onBeat));
    return journal;
  }

  async #renew(held: HeldRun): Promise<'renewed' | 'lost' | 'failed'> {
    const { runner, statements } = this.#ports;
    const outcome = await runner.run([statements.renew(held)]);
    if (outcome.kind === 'committed') return 'renewed';
    return outcome.kind === 'refused' ? 'lost' : 'failed';
  }

  async #dispose(seen: InterruptedRow, disposition: Disposition): Promise<boolean> {
    const { runner, statements, logger, time } = this.#ports;
    const { runId, lastSeq, epoch } = seen;
    const unit = [...statements.reap(seen, disposition)];
    if (disposition.kind === 'dead_letter') {
      const step = { ...burial(seen, disposition), seq: lastSeq + 1, at: time.now().toISOString() };
      unit.push(
        ...statements.insertSteps(runId, epoch + 1, await this.#place(runId, [step])),
        statements.voidRequests(runId),
      );
    }
    const outcome = await runner.run(unit);
    if (outcome.kind === 'failed' || outcome.kind === 'unknown') {
      // Whatever became of it, the next look at the expired leases tells.
      logger.error('An expired run could not be disposed of.', { runId, error: errorClass(outcome.cause) });
    }
    if (outcome.kind !== 'committed') {
      return false;
    }
    logger.warn('The lease of a run had expired.', { runId, ...disposition });
    return true;
  }

  async #isHeldBy(held: HeldRun, isPossible: boolean): Promise<boolean> {
    return isPossible && (await this.#readRow(held.runId))?.owner === held.owner;
  }

  /** Whether exactly these steps are stored after that one. */
  async #holdsSteps(runId: string, placed: readonly PlacedStep[], afterSeq: number): Promise<boolean> {
    const { runner, statements } = this.#ports;
    const stored = (await runner.read(statements.selectSteps(runId, afterSeq))).map(toStepRow);
    return placed.every(({ step, encoded }) =>
      stored.some(({ seq, trace }) => seq === step.seq && trace === encoded.trace),
    );
  }

  async #readRow(runId: string): Promise<RunRow | null> {
    const [row] = await this.#ports.runner.read(this.#ports.statements.selectRun(runId));
    return row === undefined ? null : toRunRow(row);
  }

  #place(runId: string, steps: readonly Step[]): Promise<readonly PlacedStep[]> {
    return placeSteps(this.#ports.codec, runId, steps);
  }

  #decode(runId: string, rows: readonly SqlRow[]): Promise<readonly Step[]> {
    const { codec } = this.#ports;
    return Promise.all(
      rows.map(toStepRow).map(({ seq, trace, sealed }) => codec.decode({ runId, seq }, { trace, sealed })),
    );
  }

  #assertStorable(outcome: UnitOutcome, runId: string): void {
    if (outcome.kind === 'failed') {
      throw unavailable(`store run "${runId}"`, outcome.cause);
    }
    if (outcome.kind === 'refused') {
      throw new RuntimeError(
        'RUN_ALREADY_EXISTS',
        `Cannot store run "${runId}": expected a new id, found a run that is stored under it. ` +
          'Use the stored run, or give the new one an id of its own.',
      );
    }
  }
}

/** The fence says what the tool was when it was stamped, the registry what it is now. */
function strictest(
  fence: NonNullable<InterruptedRow['fence']>,
  effectFor: (tool: string) => ToolEffect,
): ToolEffect {
  const isSafe = fence.effect === ToolEffect.IDEMPOTENT_WRITE && isSafeToRetry(effectFor(fence.tool));
  return isSafe ? ToolEffect.IDEMPOTENT_WRITE : ToolEffect.NON_IDEMPOTENT_WRITE;
}

function burial(
  seen: InterruptedRow,
  { reason, detail }: Extract<Disposition, { kind: 'dead_letter' }>,
): FailureStep {
  const open =
    seen.fence === null
      ? ''
      : ` Call ${seen.fence.callId} of the tool "${seen.fence.tool}" was open: whether it wrote is not known. ` +
        'Read the record that it would have written before anything is written again.';
  return {
    kind: 'failure',
    detail,
    failureClass: 'unknown',
    isRetryable: false,
    message: `The owner of the run vanished, and the run was not put back (${reason}).${open}`,
    callId: seen.fence?.callId ?? null,
  };
}

function unavailable(what: string, cause: unknown): RuntimeError {
  return new RuntimeError(
    'STORE_UNAVAILABLE',
    `Cannot ${what}: the store did not take it (${cause === null ? 'its answer was lost' : errorClass(cause)}). ` +
      'Nothing else was done; look for the cause in the log of the store, and try again.',
    cause === null ? undefined : { cause },
  );
}

function copy(steps: readonly Step[]): readonly Step[] {
  return JSON.parse(JSON.stringify(steps)) as readonly Step[];
}
