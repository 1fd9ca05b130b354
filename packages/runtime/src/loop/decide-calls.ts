import {
  ToolEffect,
  boundPreview,
  errorClass,
  isWrite,
  producePreview,
  type Preview,
  type Tool,
} from '@toolwright/sdk';
import { openCallContent, withinDeadline } from '@toolwright/sdk/call';
import { approvalDigest } from '../approval/approval-binding.js';
import type { PreparedCall } from '../audit/prepared-call.js';
import type { OpenCall, RunState } from '../audit/run-state.js';
import type { ApprovalRequestedStep, ApprovalWaivedStep, PauseReason } from '../audit/step.js';
import type { Segment } from './loop-host.js';
import { inputOf } from './prepared-input.js';
import { redactOrWithhold } from '../secrets/redactor.js';
import type { RegisteredTool } from './tool-registry.js';

/**
 * Asks the policy about every declared write of the turn that was not asked about yet, before any call
 * of the turn runs. Answers with what is to be recorded.
 */
export async function askPolicy(
  segment: Segment,
): Promise<readonly (ApprovalRequestedStep | ApprovalWaivedStep)[]> {
  const { state } = segment.recorder;
  const asked: (ApprovalRequestedStep | ApprovalWaivedStep)[] = [];
  for (const open of state.openCalls) {
    const registered = askable(segment, open.call);
    if (registered === null || open.isWaived || open.request !== null) {
      continue;
    }
    const reasons = repeats(state, open);
    if (reasons.length === 0 && (await isWaivedByPolicy(segment, open.call, registered.tool))) {
      asked.push({ kind: 'approval', phase: 'waived', callId: open.call.callId, tool: open.call.tool });
    } else {
      asked.push(
        await requestApproval(segment, open.call, registered, reasons.length > 0 ? reasons : ['policy']),
      );
    }
  }
  return asked;
}

/** Whether a request still waits for its person. */
export function isPending(open: OpenCall, now: Date): boolean {
  return open.request !== null && open.decision === null && !isExpired(open.request, now);
}

export function isExpired(request: ApprovalRequestedStep, now: Date): boolean {
  return request.expiresAt !== null && Date.parse(request.expiresAt) <= now.getTime();
}

/**
 * Whether something happened since the decision that the person could not know: an identical call ended
 * without a known outcome. Then the decision is asked for anew.
 */
export function isOutdated(state: RunState, { call, askedAtSeq }: OpenCall): boolean {
  return state.ran.some(
    (step) => step.seq > askedAtSeq && step.outcome === 'unknown' && isIdentical(step, call),
  );
}

/** Asks a person: produces the preview now, in the run's own actor context, and binds it to the call. */
export async function requestApproval(
  segment: Segment,
  call: PreparedCall,
  registered: RegisteredTool,
  reasons: readonly PauseReason[],
): Promise<ApprovalRequestedStep> {
  const { time, limits } = segment.host;
  const preview = await previewOf(segment, call, registered.tool);
  const expires = limits.pauseExpiresMs;
  return {
    kind: 'approval',
    phase: 'requested',
    callId: call.callId,
    tool: call.tool,
    effect: call.effect,
    toolVersion: call.toolVersion,
    argumentsDigest: call.argumentsDigest,
    reasons,
    preview,
    digest: approvalDigest(segment.journal.run.runId, call, preview),
    expiresAt: expires === null ? null : new Date(time.now().getTime() + expires).toISOString(),
  };
}

/** The tool of a declared write that can still run as it was called; null for every other call. */
function askable(segment: Segment, call: PreparedCall): RegisteredTool | null {
  const registered = segment.host.registry.get(call.tool);
  const isSame = registered?.version === call.toolVersion && registered.effect === call.effect;
  return registered !== undefined && isSame && call.refusal === null && isWrite(call.effect)
    ? registered
    : null;
}

function isIdentical(
  one: Pick<PreparedCall, 'tool' | 'argumentsDigest'>,
  other: Pick<PreparedCall, 'tool' | 'argumentsDigest'>,
): boolean {
  return one.tool === other.tool && one.argumentsDigest === other.argumentsDigest;
}

/** What makes a person necessary whatever the policy says. */
function repeats(state: RunState, { call }: OpenCall): readonly PauseReason[] {
  const earlier = state.ran.filter((step) => isIdentical(step, call));
  if (earlier.some(({ outcome }) => outcome === 'unknown')) {
    return ['repeats_unknown'];
  }
  const siblings = state.openCalls.slice(
    0,
    state.openCalls.findIndex((open) => open.call === call),
  );
  const isRepeated =
    earlier.some(({ outcome }) => outcome === 'landed') ||
    siblings.some((open) => open.call.refusal === null && isIdentical(open.call, call));
  // An idempotent write converges; anything else would do it all a second time.
  return isRepeated && call.effect === ToolEffect.NON_IDEMPOTENT_WRITE ? ['repeats_write'] : [];
}

async function isWaivedByPolicy(segment: Segment, call: PreparedCall, tool: Tool): Promise<boolean> {
  const { actor, runId, correlationId } = segment.journal.run;
  if (!isWrite(call.effect)) {
    return false;
  }
  try {
    const answer: unknown = await segment.host.policy.decide({
      tool: call.tool,
      effect: call.effect,
      isDestructive: !('destructive' in tool) || tool.destructive !== false,
      actor,
      runId,
      correlationId,
      callId: call.callId,
      input: inputOf(call),
    });
    return answer === 'proceed';
  } catch (error) {
    segment.host.logger.error('The approval policy threw, so the call waits for a person.', {
      runId,
      correlationId,
      tool: call.tool,
      error: errorClass(error),
    });
    return false;
  }
}

async function previewOf(segment: Segment, call: PreparedCall, tool: Tool): Promise<Preview> {
  const { host, journal, cancel } = segment;
  const { actor, runId } = journal.run;
  const { callId } = call;
  const controller = new AbortController();
  const { signal } = controller;
  const deadlineMs = host.limits.previewTimeoutMs;
  const settled = await withinDeadline(
    { deadlineMs, timer: host.time, cancel, controller, grace: () => Promise.resolve() },
    () => {
      const content = openCallContent(host.content.open({ actor, runId, callId, signal })).reader;
      const deadline = new Date(host.time.now().getTime() + deadlineMs);
      return producePreview(
        tool,
        inputOf(call),
        Object.freeze({
          actor,
          runId,
          callId,
          signal,
          deadline,
          logger: host.logger,
          clock: host.time,
          content,
        }),
      );
    },
  );
  if (settled.kind === 'threw') {
    return boundPreview([`The preview failed (${errorClass(settled.error)}).`]);
  }
  if (settled.kind === 'unsettled') {
    return boundPreview(['The preview did not answer in time.']);
  }
  const { lines, isCut } = settled.value;
  // All lines at once: a key of several lines is none in any of them.
  const checked = await redactOrWithhold(host.redactor, lines.join('\n'));
  const preview = boundPreview(checked.split('\n'));
  return { lines: preview.lines, isCut: isCut || preview.isCut };
}
