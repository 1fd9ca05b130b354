import {
  errorClass,
  isWrite,
  isWriterTool,
  type ContentSession,
  type LandedWrite,
  type ReaderContext,
  type ToolResult,
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
import { waitFor } from '../time/time-source.js';
import { boundResult } from './bound-result.js';
import type { CallReport } from './call-report.js';
import { messageFrame } from './foreign-failure.js';
import { keepLateEnd } from './late-end.js';
import type { Segment } from './loop-host.js';
import { redactOrWithhold, type Redactor } from './redactor.js';
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

/** Runs one prepared call under its deadline and reports what is known about it. Never throws. */
export async function executeCall(
  segment: Segment,
  call: PreparedCall,
  registered: RegisteredTool,
  deadline: CallDeadline,
): Promise<CallReport> {
  const { host } = segment;
  const startedAt = host.time.now().toISOString();
  const running = new RunningCall(segment, call, registered, deadline);
  const settlement = await running.settle();
  const landed = running.landed();
  const evidence = {
    landed,
    hasFailedWrite: running.hasFailedWrite(),
    pendingWrites: running.pendingWrites(),
  };
  const judged = judgeCall(registered.tool, settlement, evidence);
  const told = await tellable(judged, landed, host.redactor);
  return {
    result: boundResult(told),
    outcome: isWrite(call.effect) || judged.outcome !== 'not_landed' ? judged.outcome : null,
    ending: judged.failure === null ? 'answered' : ENDINGS[judged.failure.kind],
    errorClass: judged.failure?.kind === 'threw' ? errorClass(judged.failure.error) : null,
    landed,
    notes: running.notes(),
    breach: breachOf(call.tool, judged.failure),
    startedAt,
  };
}

const ENDINGS: Readonly<Record<CallFailure['kind'], CallEnding>> = {
  threw: 'threw',
  deadline: 'timed_out',
  cancelled: 'timed_out',
  contract_violation: 'broke_contract',
};

function breachOf(tool: string, failure: CallFailure | null): string | null {
  return failure?.kind === 'contract_violation'
    ? `The tool "${tool}" broke its contract (${failure.rule}): found ${failure.found}.`
    : null;
}

/** The judged answer with what may be told of a thrown error, free of secrets and of advice to write twice. */
async function tellable(
  judged: JudgedCall,
  landed: readonly LandedWrite[],
  redactor: Redactor | null,
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
class RunningCall {
  readonly #segment: Segment;
  readonly #call: PreparedCall;
  readonly #registered: RegisteredTool;
  readonly #deadline: CallDeadline;
  #session: ContentSession | null = null;
  #content: CallContent | null = null;

  constructor(segment: Segment, call: PreparedCall, registered: RegisteredTool, deadline: CallDeadline) {
    this.#segment = segment;
    this.#call = call;
    this.#registered = registered;
    this.#deadline = deadline;
  }

  async settle(): Promise<Settlement> {
    const { host, cancel } = this.#segment;
    const controller = new AbortController();
    // A cancelled run aborts its tool's signal, and still waits for it: what the tool did must be known.
    const onCancel = (): void => {
      controller.abort(cancel.reason);
    };
    cancel.addEventListener('abort', onCancel, { once: true });
    let isAbandoned = false;
    const running = async (): Promise<unknown> => {
      try {
        const value = await this.#run(controller.signal);
        if (isAbandoned) this.#endLate({ kind: 'returned', value });
        return value;
      } catch (error) {
        if (isAbandoned) this.#endLate({ kind: 'threw', error });
        throw error;
      }
    };
    const settlement = await withinDeadline<unknown>(
      {
        deadlineMs: this.#deadline.ms,
        timer: host.time,
        cancel: new AbortController().signal,
        controller,
        grace: () => waitFor(host.time, host.limits.callGraceMs),
      },
      running,
    );
    isAbandoned = settlement.kind === 'unsettled';
    cancel.removeEventListener('abort', onCancel);
    return settlement;
  }

  #run(signal: AbortSignal): unknown {
    const { host, journal } = this.#segment;
    const { actor, runId } = journal.run;
    const { callId } = this.#call;
    const session = host.content.open({ actor, runId, callId, signal });
    this.#session = session;
    const content = openCallContent(session);
    this.#content = content;
    const shared = {
      actor,
      runId,
      callId,
      signal,
      deadline: this.#deadline.at,
      logger: host.logger,
      clock: host.time,
    };
    // A fresh copy of what was approved: nothing that a preview did to its own copy can be in it.
    const input = JSON.parse(this.#call.arguments ?? '{}') as Record<string, unknown>;
    const { tool } = this.#registered;
    return isWriterTool(tool)
      ? tool.execute(input, Object.freeze<WriterContext>({ ...shared, content: content.writer }))
      : tool.execute(input, Object.freeze<ReaderContext>({ ...shared, content: content.reader }));
  }

  landed(): readonly LandedWrite[] {
    return this.#ask('landed', () => [...(this.#session?.landed() ?? [])], []);
  }

  notes(): readonly string[] {
    return this.#ask('notes', () => [...(this.#session?.notes() ?? [])], []);
  }

  hasFailedWrite(): boolean {
    return this.#ask('failedWrite', () => this.#content?.hasFailedWrite() ?? false, true);
  }

  pendingWrites(): number {
    return this.#ask('pendingWrites', () => this.#content?.pendingWrites() ?? 0, 0);
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
    keepLateEnd(this.#segment, this.#call, settled, this.landed());
  }
}
