import { isWrite } from '@toolwright/sdk';
import { declinedCall } from '@toolwright/sdk/call';
import { approvalDigest } from '../approval/approval-binding.js';
import type { OpenCall } from '../audit/run-state.js';
import type { DeniedStep } from '../audit/step.js';
import { APPROVAL_EXPIRED, APPROVAL_VOID, TOOL_CHANGED, TOOL_GONE } from './answer-text.js';
import { askPolicy, isExpired, isOutdated, isPending, requestApproval } from './decide-calls.js';
import { denied } from './denied-step.js';
import { LOST, endAtBoundary, failRun, storeUnavailable, type LoopEnd } from './loop-end.js';
import type { Segment } from './loop-host.js';
import { runRead, runWrite } from './run-call.js';
import type { RegisteredTool } from './tool-registry.js';

/**
 * Answers every call of the newest turn: first all decisions, then the calls, in the model's order.
 * Answers with how the run ended, or null when the turn is answered and the run goes on.
 */
export async function answerTurn(segment: Segment): Promise<LoopEnd | null> {
  const { recorder, host } = segment;
  const asked = await askPolicy(segment);
  const isWaiting =
    asked.some(({ phase }) => phase === 'requested') ||
    recorder.state.openCalls.some((open) => isPending(open, host.time.now()));
  if (isWaiting) {
    return pauseRun(segment, asked);
  }
  if (asked.length > 0) {
    await recorder.recordStep(asked);
  }
  for (let open = recorder.state.openCalls[0]; open !== undefined; open = recorder.state.openCalls[0]) {
    const end = (await endAtBoundary(segment)) ?? (await answerCall(segment, open));
    if (end !== null) {
      return end;
    }
  }
  return null;
}

async function pauseRun(
  segment: Segment,
  unit: Parameters<Segment['recorder']['recordStep']>[0],
): Promise<LoopEnd> {
  if (segment.journal.lost.aborted) {
    return LOST;
  }
  if (await segment.recorder.recordStep(unit, 'paused')) {
    return { kind: 'paused' };
  }
  return failRun(segment, 'store_unavailable', storeUnavailable('a pause'));
}

/** Answers one call with exactly one `tool` or `denied` step. */
async function answerCall(segment: Segment, open: OpenCall): Promise<LoopEnd | null> {
  const { host, recorder } = segment;
  const { call } = open;
  if (call.refusal !== null) {
    await recorder.recordStep([denied(call, call.refusal.reason, call.refusal.answer)]);
    return null;
  }
  const registered = host.registry.get(call.tool);
  const denial = denialOf(segment, open, registered);
  if (denial !== null || registered === undefined) {
    await recorder.recordStep([denial ?? denied(call, 'not_offered', TOOL_GONE)]);
    return null;
  }
  if (!isWrite(call.effect)) {
    return runRead(segment, call, registered);
  }
  if (isOutdated(recorder.state, open)) {
    return pauseRun(segment, [await requestApproval(segment, call, registered, ['repeats_unknown'])]);
  }
  return runWrite(segment, call, registered);
}

/** Why a call that was understood must not run after all, or null. */
function denialOf(
  segment: Segment,
  open: OpenCall,
  registered: RegisteredTool | undefined,
): DeniedStep | null {
  const { call, request, decision, isWaived } = open;
  if (registered === undefined) {
    return denied(call, 'not_offered', TOOL_GONE);
  }
  if (registered.version !== call.toolVersion || registered.effect !== call.effect) {
    return denied(call, 'tool_changed', TOOL_CHANGED);
  }
  if (!isWrite(call.effect) || isWaived) {
    return null;
  }
  if (request === null) {
    // A write that nobody was asked about: nothing may excuse it.
    return denied(call, 'approval_void', APPROVAL_VOID);
  }
  if (decision === null) {
    return isExpired(request, segment.host.time.now())
      ? denied(call, 'approval_expired', APPROVAL_EXPIRED)
      : denied(call, 'approval_void', APPROVAL_VOID);
  }
  if (decision.phase === 'declined') {
    return denied(call, 'declined', declinedCall(decision.reason));
  }
  // Computed anew from what is about to run, so that nothing between the decision and now can differ.
  const digest = approvalDigest(segment.journal.run.runId, call, request.preview);
  return digest === decision.digest ? null : denied(call, 'approval_void', APPROVAL_VOID);
}
