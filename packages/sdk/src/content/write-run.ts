import type { Actor } from '../context/tool-context.js';
import { SdkError } from '../errors.js';
import { errorClass } from '../failure/thrown-value.js';
import type { WriteTarget } from '../target/write-target.js';
import type { MaybePromise } from '../tool/tool.js';
import { ReadBackError } from './content-errors.js';
import { depthIn, runFrames, type ContentRun, type InstalledCode, type RunFrame } from './content-run.js';
import { describeFailure, type NotePhase } from './failure-note.js';
import type { ContentCall, FinishingStep, RawContentHandler } from './raw-content-handler.js';
import { concludeWrite, failedWrite, type Attempt } from './write-conclusion.js';
import { ownTarget, placeOf, isCommitted, type WriteSetting } from './write-setting.js';

/** Builds the raw handler of one run. */
export type RawContentHandlerFactory = (run: ContentRun) => MaybePromise<RawContentHandler>;

/**
 * One write with everything around it: tells a failure after the writes from one during them, runs
 * the finishing steps that remain, and reads back.
 */
export class WriteRun implements ContentRun {
  readonly actor: Actor;
  readonly runId: string;
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly isNested: boolean;
  readonly #factory: RawContentHandlerFactory;
  readonly #setting: WriteSetting;
  readonly #outer: RunFrame | undefined;
  // Which hook an error left, so that a finishing step is named by the installation's code in it.
  readonly #hookOf = new WeakMap<object, string>();
  #raw: RawContentHandler | null = null;
  #phase: NotePhase = 'stored';
  #failedDuring = false;
  #isOver = false;

  /** `outer` is the frame that the run is started in, when there is one. */
  constructor(
    call: ContentCall,
    factory: RawContentHandlerFactory,
    setting: WriteSetting,
    outer: RunFrame | undefined,
  ) {
    this.actor = call.actor;
    this.runId = call.runId;
    this.callId = call.callId;
    this.signal = call.signal;
    this.isNested = outer !== undefined;
    this.#factory = factory;
    this.#setting = setting;
    this.#outer = outer;
  }

  get depth(): number {
    return depthIn(this);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Runs the write to its end. A nested run rejects as the content system does. */
  async perform(): Promise<WriteTarget> {
    try {
      return await this.#at(0, () => this.#write());
    } catch (error) {
      // A nested run rejects with foreign errors, and asking a proxy for its class may throw.
      if (this.isNested || !(error instanceof ReadBackError)) {
        this.#phase = 'unsure';
      }
      throw error;
    } finally {
      this.#isOver = true;
    }
  }

  enter<T>(code: () => T): T {
    return this.#at(this.depth + 1, code);
  }

  async runHooks(hooks: readonly InstalledCode[]): Promise<boolean> {
    const { depth } = this;
    for (const hook of hooks) {
      try {
        await this.enter(async () => hook.run());
      } catch (error) {
        if (typeof error === 'object' && error !== null) {
          this.#hookOf.set(error, hook.name);
        }
        if (depth > 0 || this.isNested || !(await this.#isAfterWrites())) {
          this.#failedDuring ||= depth === 0;
          throw error;
        }
        await this.#note(hook.name, error);
        return false;
      }
    }
    return true;
  }

  #at<T>(depth: number, code: () => T): T {
    return runFrames.run({ run: this, depth, outer: this.#outer }, code);
  }

  async #write(): Promise<WriteTarget> {
    const raw = await this.#open();
    await this.#assertNotRefused(raw);
    const attempt = await attemptOf(() => raw.write(this.#setting.operation));
    const isAfter = attempt.ok || (!this.isNested && !this.#failedDuring && (await this.#isAfterWrites()));
    if (!isAfter) {
      this.#phase = 'unsure';
    } else if (!attempt.ok) {
      await this.#note(this.#nameOf(attempt.error) ?? 'the content system', attempt.error);
    }
    await this.#finish(raw);
    if (attempt.ok || isAfter) {
      return concludeWrite(raw, this.#setting, attempt, this.isNested);
    }
    if (this.isNested) {
      throw attempt.error;
    }
    throw await failedWrite(raw, this.#setting, attempt.error);
  }

  async #open(): Promise<RawContentHandler> {
    try {
      this.#raw = await this.#factory(this);
      return this.#raw;
    } catch (cause) {
      this.#setting.log.failure('raw content handler could not be built', cause, placeOf(this.#setting));
      throw new SdkError(
        'CONTENT_UNAVAILABLE',
        `Cannot write: the raw content handler could not be built (${errorClass(cause)}). This write was not started.`,
        { cause },
      );
    }
  }

  async #assertNotRefused(raw: RawContentHandler): Promise<void> {
    const refusal = await this.#refusalOf(raw);
    if (refusal !== null) {
      throw new SdkError('CONTENT_REFUSED', `Cannot write: ${refusal}. This write was not started.`);
    }
  }

  async #refusalOf(raw: RawContentHandler): Promise<string | null> {
    try {
      return await this.enter(async () => raw.refuses?.(this.#setting.operation) ?? null);
    } catch (cause) {
      this.#setting.log.failure(
        'raw content handler could not say whether it refuses',
        cause,
        placeOf(this.#setting),
      );
      throw new SdkError(
        'CONTENT_UNAVAILABLE',
        `Cannot write: whether the content system refuses could not be asked (${errorClass(cause)}). ` +
          'This write was not started.',
        { cause },
      );
    }
  }

  // A failure is judged by what is true when it happens. Where a binding cannot say, it counts as during.
  async #isAfterWrites(): Promise<boolean> {
    const raw = this.#raw;
    if (raw === null || this.#isOver) {
      return false;
    }
    try {
      const isWritten = raw.isWritten === undefined || raw.isWritten();
      return isWritten && ownTarget(raw, this.#setting.operation) !== null && (await isCommitted(raw));
    } catch (error) {
      this.#setting.log.failure(
        'raw content handler could not say what landed',
        error,
        placeOf(this.#setting),
      );
      return false;
    }
  }

  async #finish(raw: RawContentHandler): Promise<void> {
    for (const step of this.#remainingSteps(raw)) {
      const isDone = step.hasStarted !== true && (await this.#runStep(step));
      if (!isDone) {
        await this.#discard(step);
      }
    }
  }

  #remainingSteps(raw: RawContentHandler): readonly FinishingStep[] {
    try {
      return [...raw.remainingSteps()];
    } catch (error) {
      this.#setting.log.failure(
        'raw content handler could not name its finishing steps',
        error,
        placeOf(this.#setting),
      );
      return [];
    }
  }

  async #runStep(step: FinishingStep): Promise<boolean> {
    try {
      await this.enter(async () => step.run());
      return true;
    } catch (error) {
      await this.#note(this.#nameOf(error) ?? step.name, error);
      return false;
    }
  }

  async #discard(step: FinishingStep): Promise<void> {
    try {
      await this.enter(async () => step.discard?.());
    } catch (error) {
      await this.#note(`discarding ${step.name}`, error);
    }
  }

  async #note(source: string, error: unknown): Promise<void> {
    const { ports, ledger, log } = this.#setting;
    const failure = await describeFailure(source, error, {
      redact: ports.redact,
      isDatabaseError: (thrown) => this.#raw?.isDatabaseError?.(thrown) ?? false,
    });
    ledger.note(failure, () => this.#phase);
    log.failure('code failed after a content write', error, {
      ...placeOf(this.#setting),
      source: failure.source,
      ...(failure.message === null ? {} : { message: failure.message }),
    });
  }

  #nameOf(error: unknown): string | null {
    const hook = typeof error === 'object' && error !== null ? this.#hookOf.get(error) : undefined;
    try {
      return hook ?? this.#raw?.nameFailure?.(error) ?? null;
    } catch {
      return null;
    }
  }
}

async function attemptOf(run: () => Promise<unknown>): Promise<Attempt> {
  try {
    return { ok: true, answer: await run() };
  } catch (error) {
    return { ok: false, error };
  }
}
