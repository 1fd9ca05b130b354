import { randomUUID } from 'node:crypto';
import type { Tracer } from '@opentelemetry/api';
import { errorClass, type Logger, type SafeContentHandler, type Tool, type Viewer } from '@toolwright/sdk';
import { ApprovalDesk, runNotFound, type PauseCard } from './approval/approval-desk.js';
import { alwaysPause, type ApprovalPolicy } from './approval/approval-policy.js';
import { anyoneElse, type Approvers } from './approval/approvers.js';
import { readTrace } from './audit/read-trace.js';
import type { RunJournal, RunRecord, RunStore } from './audit/run-journal.js';
import { StepRecorder } from './audit/step-recorder.js';
import type { Step } from './audit/step.js';
import { RuntimeError } from './errors.js';
import { failureStep } from './loop/loop-end.js';
import { DEFAULT_LIMITS, type LoopHost, type LoopLimits } from './loop/loop-host.js';
import { noContent } from './loop/no-content.js';
import { runLoop } from './loop/run-loop.js';
import { ToolRegistry, type Plugin } from './loop/tool-registry.js';
import { pinoLogger } from './log/pino-logger.js';
import { RedactingLogger } from './log/redacting-logger.js';
import type { Model } from './model/model.js';
import { redactMessages } from './model/redact-messages.js';
import { DEFAULT_WORK, QueueWorker, WOKEN_POLL_MS, type WorkTerms } from './queue/queue-worker.js';
import type { QueuedRunStore, ReapedRun } from './queue/queued-run-store.js';
import type { WakeUps } from './queue/wake-ups.js';
import { assertLimits, assertPorts, assertWork } from './run/assert-options.js';
import { toMessages, toRunRecord, type RunRequest } from './run/run-request.js';
import type { Pause, RunResult } from './run/run-result.js';
import { toRunResult } from './run/to-run-result.js';
import { tell, type RunHooks } from './observe/run-hooks.js';
import { toolTracer } from './observe/tool-span.js';
import type { OutcomeLedger } from './outcome/outcome-ledger.js';
import { LedgerOutcomes, type HostHistory, type Outcomes } from './outcome/outcomes.js';
import type { RunOperations, WriteResolution } from './operator/run-operations.js';
import { redactOrWithhold, type Redactor } from './secrets/redactor.js';
import { secretRedactor } from './secrets/secret-redactor.js';
import { planSchedules, type PlannedSchedule, type Schedule } from './schedule/schedule.js';
import { scheduleStandings, type ScheduleStanding } from './schedule/schedule-standing.js';
import { Scheduler } from './schedule/scheduler.js';
import { bookOf, operationsIn, queueOf, wakeUpsOf } from './store/store-parts.js';
import { MemoryRunStore } from './store/memory-run-store.js';
import { systemTime, type TimeSource } from './time/time-source.js';

export interface RuntimeOptions {
  readonly model: Model;
  /** Tools of the host's own. */
  readonly tools?: readonly Tool[];
  /** Tools that are installed with a version. */
  readonly plugins?: readonly Plugin[];
  /** Opens the content session of every call; see safeContentHandler of the SDK. */
  readonly content?: SafeContentHandler;
  /**
   * Where outcomes are derived from: the history of the content system, or what gives the history of each table. It must be
   * the one that marks the writes. Default: the history of `content`, where it has one.
   */
  readonly history?: HostHistory;
  /** Default: {@link alwaysPause}. */
  readonly policy?: ApprovalPolicy;
  /** Default: {@link anyoneElse}. */
  readonly approvers?: Approvers;
  /** What takes secrets out of all text that leaves a run. Default: {@link secretRedactor}. */
  readonly redactor?: Redactor;
  /** Where runs live. Default: the memory of this process. */
  readonly store?: RunStore;
  /**
   * Tells other processes of enqueued runs. Default: those of the store, which has them on PostgreSQL. With null, they
   * look for due runs from time to time.
   */
  readonly wakeUps?: WakeUps | null;
  /**
   * Runs that the workers of this runtime enqueue by the clock, each tick once however many workers there are. They need a
   * store in a database.
   */
  readonly schedules?: readonly Schedule[];
  readonly limits?: Partial<LoopLimits>;
  /** Gets every entry with its secrets taken out. Default: {@link pinoLogger}. */
  readonly logger?: Logger;
  readonly time?: TimeSource;
  /** How the host is told of a pause and of a dead letter. */
  readonly hooks?: RunHooks;
  /** Where spans of tool calls go. Default: the global one of the OpenTelemetry API. */
  readonly tracer?: Tracer;
  /** Makes run ids; default: random UUIDs. */
  readonly newId?: () => string;
}

export interface RunControls {
  /** Cancels the run at its next step boundary. */
  readonly signal?: AbortSignal;
  /** Where a streaming model hands on text as it comes. */
  readonly onText?: (delta: string) => void;
}

export interface EnqueueControls {
  /** The run does not start before. */
  readonly notBefore?: Date;
}

export interface WorkControls extends Partial<WorkTerms> {
  /** Takes no more runs, and ends once those that are driven have come to rest. */
  readonly signal: AbortSignal;
}

/** A host's runtime: runs tools for a model, keeps the trace, and asks a person where one is needed. */
export interface Runtime {
  readonly tools: ToolRegistry;
  /** Starts a run and drives it until it completes, pauses, fails or is cancelled. */
  run(request: RunRequest, controls?: RunControls): Promise<RunResult>;
  /**
   * Continues a paused run from its stored steps; a call that was decided about runs or is answered as
   * declined, and one that still waits pauses the run again.
   *
   * @throws RuntimeError with code `RUN_NOT_FOUND` or `RUN_NOT_RESUMABLE`.
   */
  resume(runId: string, controls?: RunControls): Promise<RunResult>;
  /**
   * Stores a run for a worker; it outlives this process. Answers with its id.
   *
   * @throws RuntimeError with code `INVALID_CONFIGURATION` when the store has no queue, `RUN_ALREADY_EXISTS` or
   *   `STORE_UNAVAILABLE`.
   */
  enqueue(request: RunRequest, controls?: EnqueueControls): Promise<string>;
  /**
   * Takes enqueued runs and drives them, and puts back or buries those whose owner vanished, until the
   * signal aborts. Any number of processes may do so.
   *
   * @throws RuntimeError with code `INVALID_CONFIGURATION` when the store has no queue or a number is out of its range.
   */
  work(controls: WorkControls): Promise<void>;
  /**
   * Disposes of runs whose owner vanished, which a worker does from time to time too.
   *
   * @throws RuntimeError with code `INVALID_CONFIGURATION` when the store has no queue.
   */
  reap(limit?: number): Promise<readonly ReapedRun[]>;
  /**
   * The schedules of this runtime and of the store, and where they stand.
   *
   * @throws RuntimeError with code `INVALID_CONFIGURATION` when the store keeps none, or `STORE_UNAVAILABLE`.
   */
  schedules(): Promise<readonly ScheduleStanding[]>;
  /**
   * What an operator does with stored runs.
   *
   * @throws RuntimeError with code `INVALID_CONFIGURATION` when the store is not in a database.
   */
  readonly operations: RunOperations;
  /**
   * What happened to the records that tools wrote.
   *
   * @throws RuntimeError with code `INVALID_CONFIGURATION` when the store keeps no outcomes.
   */
  readonly outcomes: Outcomes;
  /** Records what a person found out about a write whose outcome was unknown. See {@link RunOperations.resolve}. */
  resolve(runId: string, resolution: WriteResolution): Promise<{ readonly callId: string }>;
  /** The calls of a paused run that wait for a decision. */
  pauses(runId: string): Promise<readonly Pause[]>;
  /** What this viewer may see of a call that waits. Without a viewer: that it waits. */
  card(pause: Pick<Pause, 'runId' | 'callId' | 'digest'>, viewer?: Viewer): Promise<PauseCard>;
  /** Approves exactly the call of this pause. See {@link ApprovalDesk.decide} for the errors. */
  approve(pause: Pick<Pause, 'runId' | 'callId' | 'digest'>, by: Viewer): Promise<void>;
  /** Declines it: the call never runs, and the model is told, with the reason. */
  decline(pause: Pick<Pause, 'runId' | 'callId' | 'digest'>, by: Viewer, reason?: string): Promise<void>;
  /** Stops a running run at its next step boundary, or one that is queued or paused now. */
  cancel(runId: string): Promise<'cancelled' | 'requested' | 'ended'>;
  /** The stored steps of a run, without the secrets of its arguments or any preview that this viewer may not see. */
  trace(runId: string, viewer?: Viewer): Promise<readonly Step[]>;
}

/**
 * Makes a runtime.
 *
 * @throws RuntimeError with code `DUPLICATE_TOOL`, `INVALID_SCHEDULE` or `INVALID_CONFIGURATION`.
 */
export function createRuntime(options: RuntimeOptions): Runtime {
  return new HostRuntime(options);
}

const OWN_TOOLS = { name: 'host', version: '0' };

class HostRuntime implements Runtime {
  readonly tools: ToolRegistry;
  readonly #host: LoopHost;
  readonly #logger: RedactingLogger;
  readonly #store: RunStore;
  readonly #wakeUps: WakeUps | null;
  readonly #hooks: RunHooks;
  readonly #workers = new Set<QueueWorker>();
  readonly #schedules: readonly PlannedSchedule[];
  readonly #scheduler: Scheduler | null;
  readonly #desk: ApprovalDesk;
  readonly #history: HostHistory | null;
  readonly #newId: () => string;
  /** The runs that this process drives now. */
  readonly #active = new Map<string, AbortController>();

  constructor(options: RuntimeOptions) {
    assertPorts(options);
    const { redactor = secretRedactor(), time = systemTime, store = new MemoryRunStore({ time }) } = options;
    const logger = new RedactingLogger(options.logger ?? pinoLogger(), redactor);
    this.#logger = logger;
    this.tools = new ToolRegistry([{ ...OWN_TOOLS, tools: options.tools ?? [] }, ...(options.plugins ?? [])]);
    this.#host = {
      registry: this.tools,
      model: options.model,
      content: options.content ?? noContent,
      policy: options.policy ?? alwaysPause,
      redactor,
      tracer: options.tracer ?? toolTracer(),
      logger,
      time,
      limits: assertLimits({ ...DEFAULT_LIMITS, ...options.limits }),
    };
    this.#store = store;
    this.#wakeUps = options.wakeUps === undefined ? wakeUpsOf(store) : options.wakeUps;
    this.#schedules = planSchedules(options.schedules ?? []);
    this.#scheduler = this.#schedulerOf(this.#schedules);
    this.#hooks = options.hooks ?? {};
    this.#history = options.history ?? options.content?.history ?? null;
    this.#newId = options.newId ?? randomUUID;
    const approvers = options.approvers ?? anyoneElse;
    this.#desk = new ApprovalDesk({ store, registry: this.tools, approvers, redactor, time, logger });
  }

  async run(request: RunRequest, controls: RunControls = {}): Promise<RunResult> {
    const { run, steps } = await this.#prepare(request);
    return this.#drive(await this.#store.create(run, steps), controls);
  }

  async #prepare(request: RunRequest): Promise<{ readonly run: RunRecord; readonly steps: readonly Step[] }> {
    const at = this.#host.time.now().toISOString();
    const messages = await redactMessages(this.#host.redactor, toMessages(request));
    return {
      run: toRunRecord(request, this.#newId, at),
      steps: [{ kind: 'request', messages, seq: 1, at }],
    };
  }

  async resume(runId: string, controls: RunControls = {}): Promise<RunResult> {
    const journal = await this.#store.claim(runId);
    if (journal === null) {
      const stored = await this.#store.read(runId);
      if (stored === null) {
        throw runNotFound(runId);
      }
      throw new RuntimeError(
        'RUN_NOT_RESUMABLE',
        `Cannot resume run "${runId}": expected a paused run, found one that is ${stored.status}. ` +
          'A run continues once, from a pause; start a new one for a new task.',
      );
    }
    return this.#drive(journal, controls);
  }

  async enqueue(request: RunRequest, { notBefore }: EnqueueControls = {}): Promise<string> {
    const store = queueOf(this.#store, 'enqueue a run');
    const { run, steps } = await this.#prepare(request);
    const dueAt = notBefore ?? null;
    await store.enqueue(run, steps, dueAt);
    await this.#announce(run.runId, dueAt);
    return run.runId;
  }

  /** Tells the workers of this process and the others of a run that is enqueued. */
  async #announce(runId: string, dueAt: Date | null): Promise<void> {
    this.#workers.forEach((worker) => worker.nudge());
    await this.#wakeUps?.send(runId, dueAt).catch((error: unknown) => {
      this.#host.logger.error('A wake-up could not be sent; the run waits for a poll.', {
        runId,
        error: errorClass(error),
      });
    });
  }

  async work({ signal, ...terms }: WorkControls): Promise<void> {
    const store = queueOf(this.#store, 'work');
    const worker = new QueueWorker(
      {
        store,
        wakeUps: this.#wakeUps,
        time: this.#host.time,
        logger: this.#host.logger,
        scheduler: this.#scheduler,
        reap: (limit) => this.#reap(store, limit),
        drive: (journal) => this.#drive(journal, {}),
      },
      assertWork({ ...DEFAULT_WORK, ...(this.#wakeUps === null ? {} : { pollMs: WOKEN_POLL_MS }), ...terms }),
    );
    this.#workers.add(worker);
    try {
      await worker.work(signal);
    } finally {
      this.#workers.delete(worker);
    }
  }

  async schedules(): Promise<readonly ScheduleStanding[]> {
    const entries = await bookOf(this.#store, 'list schedules').read();
    return scheduleStandings(this.#schedules, entries, this.#host.time.now());
  }

  #schedulerOf(schedules: readonly PlannedSchedule[]): Scheduler | null {
    if (schedules.length === 0) {
      return null;
    }
    const { time, logger } = this.#host;
    return new Scheduler(schedules, {
      book: bookOf(this.#store, 'enqueue by a schedule'),
      time,
      logger,
      prepare: (request) => this.#prepare(request),
      announce: (runId) => this.#announce(runId, null),
    });
  }

  async #drive(journal: RunJournal, { signal, onText }: RunControls): Promise<RunResult> {
    const { runId } = journal.run;
    const cancel = new AbortController();
    this.#active.set(runId, cancel);
    const recorder = new StepRecorder(journal, this.#host.time, this.#host.logger);
    const signals = [cancel.signal, journal.lost, ...(signal === undefined ? [] : [signal])];
    try {
      const end = await runLoop({
        host: this.#host,
        journal,
        recorder,
        cancel: AbortSignal.any(signals),
        ...(onText === undefined ? {} : { onText: this.#guarded(onText) }),
      });
      const result = toRunResult(journal.run, recorder.state, end, this.#host.time.now());
      await this.#tellOf(journal.run, result);
      return result;
    } finally {
      journal.close?.();
      // A run that was lost here may be driven anew by the same process.
      if (this.#active.get(runId) === cancel) {
        this.#active.delete(runId);
      }
      await this.#logger.flush();
    }
  }

  /** Tells the host what needs a person. */
  async #tellOf(run: RunRecord, result: RunResult): Promise<void> {
    const { runId, correlationId, actor } = run;
    if (result.status === 'paused') {
      const { pauses } = result;
      await tell(this.#logger, 'onPause', runId, () =>
        this.#hooks.onPause?.({ runId, correlationId, actor, pauses }),
      );
    } else if (result.status === 'failed') {
      await this.#tellOfDeadLetter(runId);
    }
  }

  async #tellOfDeadLetter(runId: string): Promise<void> {
    const operations = operationsIn(this.#store);
    if (operations === null || !('onDeadLetter' in this.#hooks)) {
      return;
    }
    await tell(this.#logger, 'onDeadLetter', runId, async () => {
      const found = await operations.find(runId);
      if (!found?.deadLetter) {
        return;
      }
      const { correlationId, actor, deadLetter, openWrite } = found;
      await this.#hooks.onDeadLetter?.({ runId, correlationId, actor, ...deadLetter, openWrite });
    });
  }

  reap(limit = 100): Promise<readonly ReapedRun[]> {
    return this.#flushed(this.#reap(queueOf(this.#store, 'reap'), limit));
  }

  async #reap(store: QueuedRunStore, limit: number): Promise<readonly ReapedRun[]> {
    const reaped = await store.reap(limit, (tool) => this.tools.effectFor(tool));
    for (const { runId, disposition } of reaped) {
      if (disposition.kind === 'dead_letter') {
        await this.#tellOfDeadLetter(runId);
      }
    }
    return reaped;
  }

  get operations(): RunOperations {
    const operations = operationsIn(this.#store);
    if (operations === null) {
      throw new RuntimeError(
        'INVALID_CONFIGURATION',
        'Cannot operate on the runs: expected a store in a database, found one without operations. ' +
          'Pass what openRunStore gives as `store` to createRuntime.',
      );
    }
    return operations;
  }

  get outcomes(): Outcomes {
    const ledger = (this.#store as { readonly outcomes?: OutcomeLedger }).outcomes;
    if (ledger === undefined) {
      throw new RuntimeError(
        'INVALID_CONFIGURATION',
        'Cannot tell outcomes: expected a store that keeps them, found one that does not. ' +
          'Pass what openRunStore gives, or a MemoryRunStore, as `store` to createRuntime.',
      );
    }
    const { logger, time } = this.#host;
    return new LedgerOutcomes({ ledger, history: this.#history, logger, time });
  }

  async resolve(
    runId: string,
    { reason, ...resolution }: WriteResolution,
  ): Promise<{ readonly callId: string }> {
    const safe = reason === null ? null : await redactOrWithhold(this.#host.redactor, reason);
    return this.operations.resolve(runId, { ...resolution, reason: safe });
  }

  /** The host's listener must not fail the model's answer. */
  #guarded(onText: (delta: string) => void): (delta: string) => void {
    return (delta) => {
      try {
        onText(delta);
      } catch (error) {
        this.#host.logger.error('The listener for text threw.', { error: errorClass(error) });
      }
    };
  }

  /** What was logged on the way is written before the answer arrives. */
  async #flushed<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } finally {
      await this.#logger.flush();
    }
  }

  pauses(runId: string): Promise<readonly Pause[]> {
    return this.#desk.pauses(runId);
  }

  card(pause: Pick<Pause, 'runId' | 'callId' | 'digest'>, viewer?: Viewer): Promise<PauseCard> {
    return this.#flushed(this.#desk.card(pause, viewer));
  }

  approve(pause: Pick<Pause, 'runId' | 'callId' | 'digest'>, by: Viewer): Promise<void> {
    return this.#flushed(this.#desk.decide('approved', pause, by, null));
  }

  decline(pause: Pick<Pause, 'runId' | 'callId' | 'digest'>, by: Viewer, reason?: string): Promise<void> {
    return this.#flushed(this.#desk.decide('declined', pause, by, reason ?? null));
  }

  async cancel(runId: string): Promise<'cancelled' | 'requested' | 'ended'> {
    const error = new RuntimeError('RUN_CANCELLED', 'The run was cancelled before it went on.');
    const at = this.#host.time.now().toISOString();
    const answer = await this.#store.requestCancel(runId, { ...failureStep('cancelled', error), at });
    if (answer === 'not_found') {
      throw runNotFound(runId);
    }
    this.#active.get(runId)?.abort(error);
    return answer;
  }

  async trace(runId: string, viewer?: Viewer): Promise<readonly Step[]> {
    const stored = await this.#store.read(runId);
    if (stored === null) {
      throw runNotFound(runId);
    }
    return readTrace(stored.steps, { registry: this.tools, redactor: this.#host.redactor, viewer });
  }
}
