import type { ContentSession, LandedWrite, SafeContentHandler } from '../content/safe-content-handler.js';
import type { Actor, Clock, Logger, ReaderContext, WriterContext } from '../context/tool-context.js';
import { isWrite, type ToolEffect } from '../effect/tool-effect.js';
import { errorClass } from '../failure/thrown-value.js';
import { boundPreview, producePreview, type Preview } from '../preview/preview.js';
import { ToolResult } from '../result/tool-result.js';
import { effectOf, isWriterTool } from '../tool/effect-of.js';
import { parseArguments, type ParsedArguments } from '../tool/parse-arguments.js';
import type { Tool } from '../tool/tool.js';
import {
  NOT_ASKED,
  askApproval,
  type ApprovalRequest,
  type ApproveCall,
  type CallApproval,
} from './call-approval.js';
import { openCallContent, type CallContent } from './call-content.js';
import { onAbort, withinDeadline, type Settled } from './call-deadline.js';
import { judgeCall, type CallFailure, type CallOutcome } from './call-outcome.js';
import type { Timer } from './call-timer.js';
import { cancelledBeforeStart, couldNotStart, declinedCall, uncheckedArguments } from './call-wording.js';

type ParsedInput = Readonly<Record<string, unknown>>;

/** What a host brings to one call of one tool. */
export interface CallHost {
  readonly content: SafeContentHandler;
  readonly actor: Actor;
  readonly runId: string;
  readonly callId: string;
  /** Cancels the call. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
  /** How long `execute` may take; the preview may take as long again. */
  readonly deadlineMs: number;
  /** How long a tool may still settle after its signal aborted. Resolves when that time is over. */
  readonly grace: () => Promise<void>;
  /** Null leaves the question to somebody else; the preview is then not produced. */
  readonly approve: ApproveCall | null;
}

/** One call from its arguments to its outcome. */
export interface CallRecord {
  readonly toolName: string;
  readonly effect: ToolEffect;
  /** The arguments as parsed, which is what ran; null when they were refused. */
  readonly input: ParsedInput | null;
  readonly preview: Preview | null;
  readonly approval: CallApproval;
  readonly result: ToolResult;
  readonly outcome: CallOutcome;
  readonly landed: readonly LandedWrite[];
  readonly notes: readonly string[];
  /** Null when the answer is the tool's own, or the call was refused before it ran. */
  readonly failure: CallFailure | null;
}

/**
 * Runs one call: parses the arguments once, asks for approval with the preview, executes within the
 * deadline and judges the outcome. Never rejects for what a tool does.
 */
export async function callTool(tool: Tool, rawArguments: unknown, host: CallHost): Promise<CallRecord> {
  const base = {
    toolName: tool.name,
    effect: effectOf(tool),
    input: null,
    preview: null,
    approval: NOT_ASKED,
  };
  let parsed: ParsedArguments;
  try {
    parsed = await parseArguments(tool, rawArguments);
  } catch (error) {
    host.logger.error('arguments could not be parsed', { tool: tool.name, error: errorClass(error) });
    const refusal = uncheckedArguments(errorClass(error instanceof Error ? (error.cause ?? error) : error));
    return notRun(base, refusal, { kind: 'threw', error });
  }
  if (!parsed.ok) {
    return notRun(base, parsed.refusal);
  }
  const { input } = parsed;
  const before = await prepare(tool, input, host);
  const known = { ...base, input, preview: before.preview, approval: before.approval };
  if (host.signal.aborted) {
    return notRun(known, cancelledBeforeStart(), { kind: 'cancelled' });
  }
  if (before.approval.status === 'declined') {
    return notRun(known, declinedCall(before.approval.reason));
  }
  let call: OpenCall;
  try {
    call = openCall(host);
  } catch (error) {
    host.logger.error('content could not be opened', { tool: tool.name, error: errorClass(error) });
    return notRun(known, couldNotStart(errorClass(error)), { kind: 'threw', error });
  }
  return { ...known, ...(await execute(tool, input, call, host)) };
}

type Known = Pick<CallRecord, 'toolName' | 'effect' | 'input' | 'preview' | 'approval'>;

function notRun(known: Known, refusal: string, failure: CallFailure | null = null): CallRecord {
  const result = ToolResult.refused(refusal);
  return { ...known, result, outcome: 'not_landed', landed: [], notes: [], failure };
}

/** Preview and approval of a declared write, in that order: nobody decides on a preview still to come. */
async function prepare(
  tool: Tool,
  input: ParsedInput,
  host: CallHost,
): Promise<Pick<CallRecord, 'preview' | 'approval'>> {
  const { approve, actor, runId, callId, signal } = host;
  const effect = effectOf(tool);
  if (!isWrite(effect) || approve === null || signal.aborted) {
    return { preview: null, approval: NOT_ASKED };
  }
  const preview = await previewOf(tool, input, host);
  const request = {
    toolName: tool.name,
    effect,
    input: copyOf(input),
    preview,
    actor,
    runId,
    callId,
    signal,
  };
  return { preview, approval: await decide(approve, request) };
}

async function previewOf(tool: Tool, input: ParsedInput, host: CallHost): Promise<Preview> {
  let why = 'no answer within the deadline';
  try {
    const call = openCall(host);
    const settled = await call.within(() => producePreview(tool, copyOf(input), call.readerContext));
    if (settled.kind === 'returned') {
      return settled.value;
    }
    why = settled.kind === 'threw' ? errorClass(settled.error) : why;
  } catch (error) {
    why = errorClass(error);
  }
  return boundPreview([`The preview failed (${why}).`]);
}

async function decide(approve: ApproveCall, request: ApprovalRequest): Promise<CallApproval> {
  let forget = (): void => undefined;
  const cancelled = new Promise<CallApproval>((resolve) => {
    forget = onAbort(request.signal, () => {
      resolve(NOT_ASKED);
    });
  });
  try {
    return await Promise.race([askApproval(approve, request), cancelled]);
  } finally {
    forget();
  }
}

async function execute(
  tool: Tool,
  input: ParsedInput,
  call: OpenCall,
  host: CallHost,
): Promise<Pick<CallRecord, 'result' | 'outcome' | 'failure' | 'landed' | 'notes'>> {
  let isLeftBehind = false;
  const settlement = await call.within<unknown>(async () => {
    try {
      return await (isWriterTool(tool)
        ? tool.execute(input, call.writerContext)
        : tool.execute(input, call.readerContext));
    } finally {
      if (isLeftBehind) {
        reportLateEnd(tool, call, host);
      }
    }
  });
  isLeftBehind = settlement.kind === 'unsettled';
  const landed = [...call.session.landed()];
  const notes = [...call.session.notes()];
  const { content } = call;
  const evidence = {
    landed,
    hasFailedWrite: content.hasFailedWrite(),
    pendingWrites: content.pendingWrites(),
  };
  return { ...judgeCall(tool, settlement, evidence), landed, notes };
}

// The model was told that the outcome is unknown; what landed since is for a person.
function reportLateEnd(tool: Tool, call: OpenCall, { runId, callId, logger }: CallHost): void {
  const landed = call.session.landed().map(({ target }) => `${target.table}:${String(target.uid)}`);
  logger.warn('tool ended after its call had gone on without it', { tool: tool.name, runId, callId, landed });
}

interface OpenCall {
  readonly session: ContentSession;
  readonly content: CallContent;
  readonly readerContext: ReaderContext;
  readonly writerContext: WriterContext;
  /** Runs the tool's code within the deadline that the contexts name. */
  within<T>(run: () => T | Promise<T>): Promise<Settled<T>>;
}

function openCall(host: CallHost): OpenCall {
  const { actor, runId, callId, clock, timer, logger, deadlineMs, grace } = host;
  const controller = new AbortController();
  const { signal } = controller;
  const session = host.content.open({ actor, runId, callId, signal });
  const content = openCallContent(session);
  const deadline = new Date(clock.now().getTime() + deadlineMs);
  const shared = { actor, runId, callId, signal, deadline, logger, clock };
  return {
    session,
    content,
    readerContext: Object.freeze({ ...shared, content: content.reader }),
    writerContext: Object.freeze({ ...shared, content: content.writer }),
    within: (run) => withinDeadline({ deadlineMs, timer, cancel: host.signal, controller, grace }, run),
  };
}

// A preview or an approver that changes what it was shown must not change what runs.
function copyOf(input: ParsedInput): ParsedInput {
  try {
    return structuredClone(input);
  } catch {
    // A schema may produce what cannot be cloned (a function, a class instance with a private member).
    return input;
  }
}
