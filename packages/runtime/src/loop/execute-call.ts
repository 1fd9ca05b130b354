import {
  errorClass,
  isWrite,
  isWriterTool,
  ToolResult,
  type ContentSession,
  type LandedWrite,
  type ReaderContext,
  type Tool,
  type ToolArtifact,
  type WriterContext,
} from '@toolwright/sdk';
import {
  advisesRetry,
  judgeCall,
  openCallContent,
  withinDeadline,
  writtenThenFailed,
  type CallContent,
  type CallFailure,
  type JudgedCall,
  type Settlement,
} from '@toolwright/sdk/call';
import type { PreparedCall } from '../audit/prepared-call.js';
import type { CallEnding } from '../audit/step.js';
import { withinToolSpan } from '../observe/tool-span.js';
import { waitFor } from '../time/time-source.js';
import { boundResult } from './bound-result.js';
import type { CallBreach, CallReport } from './call-report.js';
import { inputOf } from './prepared-input.js';
import { messageFrame } from './foreign-failure.js';
import { keepLateEnd } from './late-end.js';
import type { Segment } from './loop-host.js';
import { redactJson } from '../secrets/redact-json.js';
import { redactOrWithhold, type Redactor } from '../secrets/redactor.js';
import type { RegisteredTool } from './tool-registry.js';

/** When a call must have answered: so many milliseconds from its start, which is this moment. */
export interface CallDeadline {
  readonly ms: number;
  readonly at: Date;
}

/** When a call that starts now must have answered. */
export function deadlineOf(segment: Segment, { tool }: RegisteredTool): CallDeadline {
  const { time, limits } = segment.host;
  const ms = tool.timeoutMs ?? limits.callTimeoutMs;
  return { ms, at: new Date(time.now().getTime() + ms) };
}

/** Opens what a call needs, or answers with the class of what the content system threw. Nothing has run yet. */
export function openCall(
  segment: Segment,
  call: PreparedCall,
  registered: RegisteredTool,
): RunningCall | { readonly failedWith: string } {
  try {
    return new RunningCall(segment, call, registered);
  } catch (error) {
    return { failedWith: errorClass(error) };
  }
}

/** Runs an opened call under its deadline, in a span, and reports what is known about it. Never throws. */
export function executeCall(
  segment: Segment,
  running: RunningCall,
  deadline: CallDeadline,
): Promise<CallReport> {
  return withinToolSpan(segment.host, segment.journal.run, running.call, () =>
    reportCall(segment, running, deadline),
  );
}

async function reportCall(
  segment: Segment,
  running: RunningCall,
  deadline: CallDeadline,
): Promise<CallReport> {
  const { host } = segment;
  const { call, tool } = running;
  const startedAt = host.time.now().toISOString();
  const settlement = await running.settle(deadline);
  const landed = running.landed();
  const evidence = {
    landed,
    hasFailedWrite: running.hasFailedWrite(),
    pendingWrites: running.pendingWrites(),
  };
  const judged = judgeCall(tool, settlement, evidence);
  const told = await tellable(judged, landed, host.redactor);
  return {
    result: await boundAndChecked(told, host.redactor),
    outcome: isWrite(call.effect) || judged.outcome !== 'not_landed' ? judged.outcome : null,
    ending: judged.failure === null ? 'answered' : ENDINGS[judged.failure.kind],
    errorClass: judged.failure?.kind === 'threw' ? errorClass(judged.failure.error) : null,
    landed,
    notes: running.notes(),
    breach: await breachOf(judged.failure, settlement, host.redactor),
    startedAt,
  };
}

const NEVER = new AbortController().signal;

const ENDINGS: Readonly<Record<CallFailure['kind'], CallEnding>> = {
  threw: 'threw',
  deadline: 'timed_out',
  cancelled: 'timed_out',
  contract_violation: 'broke_contract',
};

async function breachOf(
  failure: CallFailure | null,
  settlement: Settlement,
  redactor: Redactor,
): Promise<CallBreach | null> {
  if (failure?.kind !== 'contract_violation') {
    return null;
  }
  const { rule, found } = failure;
  const value = settlement.kind === 'returned' ? settlement.value : null;
  if (!ToolResult.is(value)) {
    return { rule, found, answer: null };
  }
  const checked = value.withContent(await redactOrWithhold(redactor, value.content));
  return { rule, found, answer: await boundAndChecked(checked, redactor) };
}

/** Bounds a result whose content was checked, and checks its artifacts too: they stay in the trace. */
async function boundAndChecked(result: ToolResult, redactor: Redactor): Promise<ToolResult> {
  const bounded = boundResult(result);
  if ((bounded.kind !== 'text' && bounded.kind !== 'wrote') || bounded.artifacts.length === 0) {
    return bounded;
  }
  return bounded.withArtifacts((await redactJson(redactor, bounded.artifacts)) as readonly ToolArtifact[]);
}

/** The judged answer with what may be told of a thrown error, free of secrets and of advice to write twice. */
async function tellable(
  judged: JudgedCall,
  landed: readonly LandedWrite[],
  redactor: Redactor,
): Promise<ToolResult> {
  const { result, failure } = judged;
  const checked = result.withContent(await redactOrWithhold(redactor, result.content));
  if (failure?.kind === 'threw') {
    const frame = await messageFrame(failure.error, redactor);
    return frame === null ? checked : checked.withContent(`${checked.content} ${frame}`);
  }
  // Only an answer of the tool's own can get here with such advice; the write it names has landed.
  if (checked.isError && checked.target !== null && advisesRetry(checked.content)) {
    const records = landed.length > 0 ? landed : [{ target: checked.target, mark: null }];
    return checked.withContent(writtenThenFailed(records, null));
  }
  return checked;
}

/** One call of a tool while it runs, and what its content session knows. */
export class RunningCall {
  readonly call: PreparedCall;
  readonly tool: Tool;
  readonly #segment: Segment;
  readonly #controller = new AbortController();
  readonly #session: ContentSession;
  readonly #content: CallContent;

  constructor(segment: Segment, call: PreparedCall, { tool }: RegisteredTool) {
    this.#segment = segment;
    this.call = call;
    this.tool = tool;
    const { actor, runId } = segment.journal.run;
    const { signal } = this.#controller;
    this.#session = segment.host.content.open({ actor, runId, callId: call.callId, signal });
    this.#content = openCallContent(this.#session);
  }

  async settle(deadline: CallDeadline): Promise<Settlement> {
    const { host, cancel } = this.#segment;
    const controller = this.#controller;
    // A cancelled run aborts its tool's signal, and still waits for it: what the tool did must be known.
    const onCancel = (): void => {
      controller.abort(cancel.reason);
    };
    cancel.addEventListener('abort', onCancel, { once: true });
    let isAbandoned = false;
    const running = async (): Promise<unknown> => {
      try {
        const value = await this.#run(deadline);
        if (isAbandoned) this.#endLate({ kind: 'returned', value });
        return value;
      } catch (error) {
        if (isAbandoned) this.#endLate({ kind: 'threw', error });
        throw error;
      }
    };
    const settlement = await withinDeadline<unknown>(
      {
        deadlineMs: deadline.ms,
        timer: host.time,
        cancel: NEVER,
        controller,
        grace: () => waitFor(host.time, host.limits.callGraceMs),
      },
      running,
    );
    isAbandoned = settlement.kind === 'unsettled';
    cancel.removeEventListener('abort', onCancel);
    return settlement;
  }

  #run(deadline: CallDeadline): unknown {
    const { host, journal } = this.#segment;
    const { actor, runId } = journal.run;
    const { callId } = this.call;
    const shared = {
      actor,
      runId,
      callId,
      signal: this.#controller.signal,
      deadline: deadline.at,
      logger: host.logger,
      clock: host.time,
    };
    // A fresh copy of what was approved: nothing that a preview did to its own copy can be in it.
    const input = inputOf(this.call);
    const { reader, writer } = this.#content;
    return isWriterTool(this.tool)
      ? this.tool.execute(input, Object.freeze<WriterContext>({ ...shared, content: writer }))
      : this.tool.execute(input, Object.freeze<ReaderContext>({ ...shared, content: reader }));
  }

  landed(): readonly LandedWrite[] {
    return this.#ask('landed', () => [...this.#session.landed()], []);
  }

  notes(): readonly string[] {
    return this.#ask('notes', () => [...this.#session.notes()], []);
  }

  hasFailedWrite(): boolean {
    return this.#ask('failedWrite', () => this.#content.hasFailedWrite(), true);
  }

  pendingWrites(): number {
    return this.#ask('pendingWrites', () => this.#content.pendingWrites(), 0);
  }

  // The handler is the host's own object; a broken one must not lose the tool's answer.
  #ask<T>(what: string, read: () => T, otherwise: T): T {
    try {
      return read();
    } catch (error) {
      this.#segment.host.logger.error('The content handler threw when it was asked about a call.', {
        what,
        error: errorClass(error),
      });
      return otherwise;
    }
  }

  #endLate(settled: Exclude<Settlement, { kind: 'unsettled' }>): void {
    keepLateEnd(this.#segment, this.call, settled, this.landed());
  }
}
