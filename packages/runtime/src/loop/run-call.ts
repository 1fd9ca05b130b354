import { errorClass, isWrite } from '@toolwright/sdk';
import type { PreparedCall } from '../audit/prepared-call.js';
import type { LateEvidence, WriteFence } from '../audit/run-journal.js';
import { evidenceTarget, storedTarget } from '../audit/stored-target.js';
import { AuditPersistenceError, RuntimeError } from '../errors.js';
import { CANCELLED, contentUnavailable } from './answer-text.js';
import type { CallReport } from './call-report.js';
import { stepsOfCall } from './call-steps.js';
import { denied } from './denied-step.js';
import { RunningCall, deadlineOf, executeCall, openCall, type CallDeadline } from './execute-call.js';
import { LOST, failRun, failureStep, isLost, storeUnavailable, type LoopEnd } from './loop-end.js';
import type { Segment } from './loop-host.js';
import type { RegisteredTool } from './tool-registry.js';

export async function runRead(
  segment: Segment,
  call: PreparedCall,
  registered: RegisteredTool,
): Promise<LoopEnd | null> {
  const running = openCall(segment, call, registered);
  if (!(running instanceof RunningCall)) {
    return answerUnopened(segment, call, running.failedWith);
  }
  return recordCall(segment, call, await executeCall(segment, running, deadlineOf(segment, registered)));
}

/** No fence, no write; and no fence while an earlier step of the run is not stored. */
export async function runWrite(
  segment: Segment,
  call: PreparedCall,
  registered: RegisteredTool,
): Promise<LoopEnd | null> {
  if (!(await segment.recorder.isAllStored())) {
    return failRun(segment, 'store_unavailable', storeUnavailable('an earlier step'), call);
  }
  const running = openCall(segment, call, registered);
  if (!(running instanceof RunningCall)) {
    return answerUnopened(segment, call, running.failedWith);
  }
  const deadline = deadlineOf(segment, registered);
  const fence = await stampFence(segment, call, deadline);
  if (fence === null) {
    return failRun(segment, 'store_unavailable', storeUnavailable('the write fence'), call);
  }
  if (segment.cancel.aborted && !isLost(segment)) {
    // The fence stands, so it must be said that the call did not start.
    await segment.recorder.recordStep([denied(call, 'cancelled', CANCELLED)]);
    return null;
  }
  if (!fence.isHeld()) {
    return LOST;
  }
  return recordCall(segment, call, await executeCall(segment, running, deadline));
}

async function answerUnopened(segment: Segment, call: PreparedCall, why: string): Promise<null> {
  const { runId, correlationId } = segment.journal.run;
  segment.host.logger.error('The content system could not be opened for a call.', {
    runId,
    correlationId,
    callId: call.callId,
    error: why,
  });
  await segment.recorder.recordStep([denied(call, 'content_unavailable', contentUnavailable(why))]);
  return null;
}

async function stampFence(
  { journal, host }: Segment,
  { callId, tool, effect }: PreparedCall,
  { at }: CallDeadline,
): Promise<WriteFence | null> {
  try {
    const until = new Date(at.getTime() + host.limits.callGraceMs);
    return await journal.beforeWrite({ callId, tool, effect, until });
  } catch (error) {
    host.logger.error('The journal threw when it was asked for a write fence.', { error: errorClass(error) });
    return null;
  }
}

/** Records a call that ran. A write whose audit is not stored ends the run. */
async function recordCall(segment: Segment, call: PreparedCall, report: CallReport): Promise<LoopEnd | null> {
  const { recorder, host } = segment;
  if (isLost(segment)) {
    return loseRun(segment, call, report);
  }
  const steps = await stepsOfCall(call, report, host.redactor);
  const breach = report.breach === null ? null : contractViolation(call.tool, report.breach);
  const failure = breach === null ? null : failureStep('contract_violation', breach, call.callId);
  const isStored = await (failure === null
    ? recorder.recordStep(steps)
    : recorder.recordStep([...steps, failure], 'failed'));
  if (!isStored && isLost(segment)) {
    return loseRun(segment, call, report);
  }
  if (!isStored && isWrite(call.effect)) {
    const end = await failRun(segment, 'audit_lost', new AuditPersistenceError(call), call);
    if (recorder.hasUnstored) {
      await keepEvidence(segment, call, report, end.kind === 'lost' ? 'run_lost' : 'audit_lost');
    }
    return end;
  }
  return breach === null || failure === null ? null : { kind: 'failed', failure, error: breach };
}

/** Another owner has the run, so nothing is recorded on it; but this may be the only proof of a write. */
async function loseRun(segment: Segment, call: PreparedCall, report: CallReport): Promise<LoopEnd> {
  if (isWrite(call.effect) || report.result.target !== null) {
    await keepEvidence(segment, call, report, 'run_lost');
  }
  return LOST;
}

async function keepEvidence(
  { journal, host }: Segment,
  call: PreparedCall,
  report: CallReport,
  cause: LateEvidence['cause'],
): Promise<void> {
  const { target } = report.result;
  try {
    await journal.keepLateEvidence({
      callId: call.callId,
      tool: call.tool,
      cause,
      ending: report.ending === 'threw' ? 'threw' : 'answered',
      target: target === null ? null : storedTarget(target),
      landed: report.landed.map(evidenceTarget),
    });
  } catch (error) {
    const { runId, correlationId } = journal.run;
    host.logger.error('The evidence of a call could not be kept.', {
      runId,
      correlationId,
      callId: call.callId,
      error: errorClass(error),
    });
  }
}

function contractViolation(tool: string, { rule, found }: NonNullable<CallReport['breach']>): RuntimeError {
  return new RuntimeError(
    'CONTRACT_VIOLATION',
    `The tool "${tool}" broke its contract (${rule}): found ${found}. The run was stopped, and everything that is ` +
      'known about the call is in its trace. Correct the tool; the conformance command shows the path.',
  );
}
