import { ToolResult, type LandedWrite } from '@toolwright/sdk';
import type { Settlement } from '@toolwright/sdk/call';
import type { PreparedCall } from '../audit/prepared-call.js';
import type { LateEvidence } from '../audit/run-journal.js';
import { evidenceTarget, storedTarget } from '../audit/stored-target.js';
import type { Segment } from './loop-host.js';

/**
 * Keeps what a call did after the run had gone on without it. The run has told the model that the
 * outcome is unknown, and stays with that: the evidence stands beside it, for a person.
 */
export function keepLateEnd(
  segment: Segment,
  call: PreparedCall,
  settled: Exclude<Settlement, { kind: 'unsettled' }>,
  landed: readonly LandedWrite[],
): void {
  const { runId, correlationId } = segment.journal.run;
  const { logger } = segment.host;
  const target = settled.kind === 'returned' && ToolResult.is(settled.value) ? settled.value.target : null;
  const evidence: LateEvidence = {
    callId: call.callId,
    tool: call.tool,
    cause: 'after_deadline',
    ending: settled.kind === 'returned' ? 'answered' : 'threw',
    target: target === null ? null : storedTarget(target),
    landed: landed.map(evidenceTarget),
  };
  logger.warn('A call ended after the run had gone on without it.', { runId, correlationId, ...evidence });
  segment.journal.keepLateEvidence(evidence).catch(() => {
    logger.error('Late evidence of a call could not be kept.', { runId, correlationId, callId: call.callId });
  });
}
