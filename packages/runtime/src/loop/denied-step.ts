import type { PreparedCall } from '../audit/prepared-call.js';
import type { DenialReason, DeniedStep } from '../audit/step.js';

/** The step of a call that never ran. */
export function denied(call: PreparedCall, reason: DenialReason, answer: string): DeniedStep {
  return { kind: 'denied', callId: call.callId, tool: call.tool, effect: call.effect, reason, answer };
}
