import { randomUUID } from 'node:crypto';
import { errorClass, type Logger, type ToolEffect } from '@toolwright/sdk';
import type {
  FenceRequest,
  LateEvidence,
  RunJournal,
  RunRecord,
  WriteFence,
} from '../../audit/run-journal.js';
import type { FailureStep, Step } from '../../audit/step.js';
import type { Beat, Heartbeat, HeldRun } from '../../queue/heartbeats.js';
import type { LeaseHold } from '../../queue/lease-hold.js';
import type { MonotonicClock } from '../../queue/queued-run-store.js';
import { dispose } from '../../run/disposition.js';
import { TRANSITIONS, type RunTransition, type TransitionName } from '../../run/lifecycle.js';
import type { TimeSource } from '../../time/time-source.js';
import type { Statement, UnitRunner } from '../unit.js';
import { toInterruptedRow, toRunRow, toStepRow, type RunRow } from './run-rows.js';
import { placeSteps, type PlacedStep } from './placed-steps.js';
import type { RunStatements } from './run-statements.js';
import type { StepCodec } from './step-codec.js';

/** What every hold of one store shares. */
export interface JournalPorts {
  readonly runner: UnitRunner;
  readonly statements: RunStatements;
  readonly codec: StepCodec;
  readonly logger: Logger;
  readonly time: TimeSource;
  readonly clock: MonotonicClock;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
}

/** A hold as it was taken. */
export interface TakenRun {
  readonly run: RunRecord;
  readonly held: HeldRun;
  readonly steps: readonly Step[];
  readonly hold: LeaseHold;
  /**
   * Whether a failure that may be retried puts the run back. The caller of a direct run or a resume is told
   * of it instead and decides.
   */
  readonly isQueued: boolean;
}

/** How often a unit is asked again whose answer was lost, or which was refused over steps that are stored. */
const MAX_ROUNDS = 4;

/** The owner's way of a direct transition; a failed run may be given back instead. */
const SETTLE_NAMES = new Map<RunTransition, SettleName>(
  TRANSITIONS.flatMap(({ name, from, to, by }) =>
    from === 'running' && by === 'owner' ? [[to, name] as const] : [],
  ),
);
type SettleName = Extract<TransitionName, 'pause' | 'complete' | 'fail' | 'cancel_at_boundary' | 'give_back'>;

/** A unit as it was sent, and what it would have made of the run. */
interface SentUnit {
  readonly statements: readonly Statement[];
  readonly becomes: RunTransition | null;
}

/** One owner's hold on a run in a database: every update is guarded by owner, epoch, lease and last step. */
export class SqlRunJournal implements RunJournal {
  readonly run: RunRecord;
  readonly steps: readonly Step[];
  readonly #held: HeldRun;
  readonly #hold: LeaseHold;
  readonly #isQueued: boolean;
  readonly #ports: JournalPorts;
  #lastSeq: number;
  /** The fence that stands, or may stand, under this hold. */
  #fence: { readonly callId: string; readonly effect: ToolEffect; readonly isGranted: boolean } | null = null;
  #hasUnstored = false;
  #renewedAtMs: number;
  #stopHeartbeat: () => void = () => undefined;
  #forgetHeartbeat: () => void = () => undefined;

  constructor(taken: TakenRun, ports: JournalPorts) {
    this.run = taken.run;
    this.steps = taken.steps;
    this.#held = taken.held;
    this.#hold = taken.hold;
    this.#isQueued = taken.isQueued;
    this.#ports = ports;
    this.#lastSeq = taken.steps.at(-1)?.seq ?? 0;
    this.#renewedAtMs = ports.clock.elapsedMs();
  }

  get lost(): AbortSignal {
    return this.#hold.lost;
  }

  /** Takes what a heartbeat reports until the hold is over. */
  beatenBy(start: (onBeat: (beat: Beat) => void) => Heartbeat): void {
    const heartbeat = start((beat) => {
      if (beat.kind === 'lost') {
        this.#hold.lose();
      } else if (beat.kind === 'renewed') {
        this.#hold.prolonged(beat.sentAtMs, this.#ports.leaseMs);
        this.#renewedAtMs = beat.sentAtMs;
      }
    });
    this.#stopHeartbeat = () => heartbeat.stop();
    this.#forgetHeartbeat = () => heartbeat.over?.();
    this.#hold.catchUpBy(() => heartbeat.catchUp());
    this.#hold.lost.addEventListener('abort', this.#stopHeartbeat, { once: true });
  }

  close(): void {
    this.#stopHeartbeat();
    this.#hold.end();
  }

  async record(unit: readonly Step[], transition?: RunTransition): Promise<boolean> {
    let isStored = false;
    try {
      isStored = await this.#record(unit, transition ?? null);
    } catch (error) {
      this.#logError('A unit of steps could not be stored.', error);
    }
    this.#hasUnstored = !isStored;
    return isStored;
  }

  async #record(unit: readonly Step[], transition: RunTransition | null): Promise<boolean> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const fresh = unit.filter((step) => step.seq > this.#lastSeq);
      if (!this.#hold.isHeld() || fresh.some((step, index) => step.seq !== this.#lastSeq + index + 1)) {
        return false;
      }
      if (fresh.length === 0 && transition === null) {
        return true;
      }
      const placed = await placeSteps(this.#ports.codec, this.run.runId, fresh);
      const sent = await this.#unitOf(placed, transition);
      const sentAtMs = this.#ports.clock.elapsedMs();
      const outcome = await this.#ports.runner.run(sent.statements);
      if (outcome.kind === 'committed') {
        this.#advance(fresh, sentAtMs);
        if (sent.becomes !== null) this.#settled(sent.becomes);
        return true;
      }
      if (outcome.kind === 'failed') {
        this.#logError('A unit of steps was not stored.', outcome.cause);
        return false;
      }
      // Refused, or nobody knows: what is stored tells, and the same unit can be asked for again.
      if (await this.#isStoredAlready(placed, sent.becomes)) {
        return true;
      }
    }
    return false;
  }

  /** Compares what was to be stored with what is, and takes note of what was stored by an earlier unit. */
  async #isStoredAlready(placed: readonly PlacedStep[], becomes: RunTransition | null): Promise<boolean> {
    const { runner, statements } = this.#ports;
    const { runId, epoch, owner } = this.#held;
    const [found] = await runner.read(statements.selectRun(runId));
    const row = found === undefined ? null : toRunRow(found);
    const stored = (await runner.read(statements.selectSteps(runId, this.#lastSeq))).map(toStepRow);
    const known = placed.filter(({ step, encoded }) =>
      stored.some(
        (other) => other.seq === step.seq && other.epoch === epoch && other.trace === encoded.trace,
      ),
    );
    const isWhole = known.length === placed.length;
    if (isWhole && becomes !== null && row?.status === becomes && row.epoch === epoch) {
      this.#advance(
        placed.map(({ step }) => step),
        null,
      );
      this.#settled(becomes);
      return true;
    }
    if (row?.owner !== owner || row.epoch !== epoch || row.isLapsed) {
      this.#hold.lose();
      return false;
    }
    this.#advance(
      known.map(({ step }) => step),
      null,
    );
    return isWhole && becomes === null;
  }

  #advance(steps: readonly Step[], sentAtMs: number | null): void {
    this.#lastSeq = steps.at(-1)?.seq ?? this.#lastSeq;
    if (steps.some((step) => isAnswerTo(step, this.#fence?.callId))) {
      this.#fence = null;
    }
    if (sentAtMs !== null) {
      this.#renewedAtMs = sentAtMs;
      this.#hold.renewed(sentAtMs, this.#ports.leaseMs);
    }
  }

  #settled(becomes: RunTransition): void {
    if (becomes === 'queued') {
      const { runId, correlationId } = this.run;
      this.#ports.logger.warn('A run failed and was put back into the queue.', { runId, correlationId });
    }
    this.#forgetHeartbeat();
    this.close();
  }

  async #unitOf(placed: readonly PlacedStep[], transition: RunTransition | null): Promise<SentUnit> {
    const { statements } = this.#ports;
    const { runId, epoch } = this.#held;
    const seqs = { from: this.#lastSeq, to: placed.at(-1)?.step.seq ?? this.#lastSeq };
    const inserts = statements.insertSteps(runId, epoch, placed);
    const fence = this.#fence;
    // A stamp that was not granted lets nothing run, so its fence, should it stand, says nothing.
    const isCleared =
      fence !== null && (!fence.isGranted || placed.some(({ step }) => isAnswerTo(step, fence.callId)));
    const cleared = isCleared ? [fence.callId] : [];
    const clears = isCleared ? [statements.clearFence(runId, cleared)] : [];
    if (transition === null) {
      return {
        statements: [statements.advance(this.#held, seqs.from, seqs.to), ...clears, ...inserts],
        becomes: null,
      };
    }
    if (transition === 'failed') {
      const failure = placed.map(({ step }) => step).findLast((step) => step.kind === 'failure');
      return this.#failing(failure ?? null, seqs, cleared, [...clears, ...inserts]);
    }
    const name = SETTLE_NAMES.get(transition) ?? 'fail';
    const settle = statements.settle(name, this.#held, seqs, { cleared }, {});
    const voids = transition === 'paused' ? [] : [statements.voidRequests(runId)];
    return { statements: [settle, ...clears, ...inserts, ...voids], becomes: transition };
  }

  /** A failed run of the queue is put back or buried, as the rules for an interrupted run say. */
  async #failing(
    failure: FailureStep | null,
    seqs: { readonly from: number; readonly to: number },
    cleared: readonly string[],
    rest: readonly Statement[],
  ): Promise<SentUnit> {
    const { statements, runner, logger } = this.#ports;
    const { runId } = this.#held;
    const detail = failure?.detail ?? null;
    const failureClass = failure?.failureClass ?? null;
    const [found] = await runner.read(statements.selectInterrupted({ runId }));
    const seen = found === undefined ? null : toInterruptedRow(found);
    const open = seen?.fence ?? null;
    const isOpen = open !== null && !cleared.includes(open.callId);
    // A direct run is its caller's to look at, unless a write of it stands open: then somebody must.
    if (seen === null || failure === null || (!this.#isQueued && !isOpen)) {
      const change = { failure_detail: detail, failure_class: failureClass };
      const settle = statements.settle('fail', this.#held, seqs, {}, change);
      return { statements: [settle, ...rest, statements.voidRequests(runId)], becomes: 'failed' };
    }
    const disposition = dispose(
      { kind: 'failed', failure },
      {
        fencedEffect: isOpen ? open.effect : null,
        isAuditUncertain: seen.isAuditUncertain,
        isCancelRequested: seen.isCancelRequested,
        requeues: seen.requeues,
      },
    );
    if (disposition.kind === 'requeue' && this.#isQueued) {
      const change = statements.requeued(seen.requeues, disposition.waitMs);
      const give = statements.settle('give_back', this.#held, seqs, { seen, cleared }, change);
      return { statements: [give, ...rest, statements.clearFence(runId, null)], becomes: 'queued' };
    }
    const reason = disposition.kind === 'dead_letter' ? disposition.reason : 'not_retryable';
    const why = disposition.kind === 'dead_letter' ? disposition.detail : 'write_interrupted';
    const bury = statements.settle(
      'fail',
      this.#held,
      seqs,
      {},
      { dead_letter_reason: reason, failure_detail: why, failure_class: failureClass },
    );
    const { correlationId } = this.run;
    logger.warn('A run failed for good.', { runId, correlationId, reason, detail: why });
    return { statements: [bury, ...rest, statements.voidRequests(runId)], becomes: 'failed' };
  }

  async beforeWrite(request: FenceRequest): Promise<WriteFence | null> {
    try {
      return await this.#stamp(request);
    } catch (error) {
      this.#logError('A write fence could not be stamped.', error);
      return null;
    }
  }

  async #stamp(request: FenceRequest): Promise<WriteFence | null> {
    const { statements, runner, time, clock, leaseMs } = this.#ports;
    const { callId, effect } = request;
    if (this.#hasUnstored || (this.#fence !== null && this.#fence.callId !== callId)) {
      return null;
    }
    for (let round = 0; round < MAX_ROUNDS && this.#hold.isHeld(); round += 1) {
      const callMs = Math.max(0, request.until.getTime() - time.now().getTime());
      const sentAtMs = clock.elapsedMs();
      const outcome = await runner.run(statements.stamp(this.#held, this.#lastSeq, request, callMs));
      if (outcome.kind === 'committed') {
        this.#fence = { callId, effect, isGranted: true };
        this.#hold.renewed(sentAtMs, Math.max(callMs, leaseMs));
        return { isHeld: () => this.#hold.isHeld() };
      }
      if (outcome.kind === 'refused') {
        await this.#findOut();
        return null;
      }
      this.#fence ??= { callId, effect, isGranted: false };
      if (outcome.kind === 'failed') {
        this.#logError('A write fence was not stamped.', outcome.cause);
        return null;
      }
      // Nobody knows whether it stands. Stamping is the same twice, so it is asked for again.
    }
    return null;
  }

  async isCancelRequested(): Promise<boolean> {
    try {
      return await this.#atBoundary();
    } catch (error) {
      this.#logError('The store could not be asked whether the run was cancelled.', error);
      return false;
    }
  }

  /** A step boundary is a heartbeat, where the last one is long enough ago to be worth a write. */
  async #atBoundary(): Promise<boolean> {
    const { runner, statements, clock, leaseMs, heartbeatMs } = this.#ports;
    const sentAtMs = clock.elapsedMs();
    if (sentAtMs - this.#renewedAtMs >= heartbeatMs) {
      const outcome = await runner.run([statements.renew(this.#held)]);
      if (outcome.kind === 'committed') {
        this.#renewedAtMs = sentAtMs;
        this.#hold.prolonged(sentAtMs, leaseMs);
        return Number(outcome.rows[0]?.[0]?.['cancel_requested'] ?? 0) !== 0;
      }
    }
    const row = await this.#findOut();
    return row?.isCancelRequested ?? false;
  }

  /** Reads whether the run is still held under this owner and epoch; if not, it is lost. */
  async #findOut(): Promise<RunRow | null> {
    const { runner, statements } = this.#ports;
    const { runId, owner, epoch } = this.#held;
    const [found] = await runner.read(statements.selectRun(runId));
    const row = found === undefined ? null : toRunRow(found);
    if (row?.owner !== owner || row.epoch !== epoch || row.isLapsed) {
      this.#hold.lose();
    }
    return row;
  }

  async keepLateEvidence(evidence: LateEvidence): Promise<void> {
    const { runner, statements } = this.#ports;
    const unit = statements.keepEvidence(randomUUID(), this.#held, evidence);
    try {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const outcome = await runner.run(unit);
        if (outcome.kind === 'committed') {
          return;
        }
        if (outcome.kind !== 'unknown') {
          break;
        }
      }
      this.#logError('Late evidence of a call could not be kept.', null);
    } catch (error) {
      this.#logError('Late evidence of a call could not be kept.', error);
    }
  }

  #logError(message: string, error: unknown): void {
    const { runId, correlationId } = this.run;
    const why = error === null ? {} : { error: errorClass(error) };
    this.#ports.logger.error(message, { runId, correlationId, ...why });
  }
}

/** Whether a step says how a call ended, or that it did not start: what takes its fence away. */
function isAnswerTo(step: Step, callId: string | undefined): boolean {
  return (step.kind === 'tool' || step.kind === 'denied') && step.callId === callId;
}
