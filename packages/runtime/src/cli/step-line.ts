import type { ApprovalStep, Step, StoredTarget } from '../audit/step.js';

/** What a step says, in one line; it may be long. */
export function stepLine(step: Step): string {
  switch (step.kind) {
    case 'request':
      return step.messages.at(-1)?.content ?? '';
    case 'model':
      return step.calls.length === 0
        ? step.content
        : `calls ${step.calls.map(({ callId, tool, arguments: input, refusal }) => `${tool} ${input ?? `(refused: ${refusal?.reason ?? 'unknown'})`} [${callId}]`).join(', ')}`;
    case 'tool':
      return `${step.tool} [${step.callId}] ${step.ending}: ${step.result.kind}${step.outcome === null ? '' : `, ${step.outcome}`}${step.errorClass === null ? '' : ` (${step.errorClass})`}: ${step.result.content}`;
    case 'write_target':
      return `${step.tool} [${step.callId}] wrote ${recordLine(step)}`;
    case 'note':
      return `[${step.callId}] ${step.text}`;
    case 'approval':
      return approvalLine(step);
    case 'denied':
      return `${step.tool} [${step.callId}] did not run (${step.reason})`;
    case 'resolution':
      return `${step.tool} [${step.callId}] ${step.outcome}${step.target === null ? '' : ` as ${recordLine(step.target)}`}, found by ${step.by}${because(step.reason)}`;
    case 'failure':
      return `${step.detail}: ${step.message}`;
  }
}

export function recordLine({ table, uid }: StoredTarget): string {
  return `${table}:${String(uid)}`;
}

function approvalLine(step: ApprovalStep): string {
  switch (step.phase) {
    case 'requested':
      return `${step.tool} [${step.callId}] waits for a person (${step.reasons.join(', ')}): ${step.preview.lines.join(' / ')}`;
    case 'waived':
      return `${step.tool} [${step.callId}] runs without a person, by policy`;
    case 'approved':
    case 'declined':
      return `[${step.callId}] ${step.phase} by ${step.by}${because(step.reason)}`;
  }
}

function because(reason: string | null): string {
  return reason === null ? '' : `: ${reason}`;
}
