import type { Step } from '@toolwright/runtime';

/** A step of the trace as one line of text. */
export function traceLine(step: Step): string {
  return `${String(step.seq).padStart(3)}  ${step.kind.padEnd(12)} ${describe(step)}`;
}

function describe(step: Step): string {
  switch (step.kind) {
    case 'request':
      return step.messages.at(-1)?.content ?? '';
    case 'model':
      return step.calls.length === 0
        ? `answers: ${step.content}`
        : `calls ${step.calls.map(({ tool, arguments: input }) => `${tool} ${input ?? ''}`).join(', ')}`;
    case 'approval':
      return describeApproval(step);
    case 'tool':
      return `${step.tool} (${step.effect}) ${step.result.kind}${step.outcome === null ? '' : `, ${step.outcome}`}`;
    case 'write_target':
      return `${step.tool} wrote ${step.table}:${String(step.uid)}`;
    case 'note':
      return step.text;
    case 'denied':
      return `${step.tool}: ${step.reason}`;
    case 'resolution':
      return `${step.tool}: ${step.outcome}, found by ${step.by}`;
    case 'failure':
      return `${step.detail}: ${step.message}`;
  }
}

function describeApproval(step: Extract<Step, { readonly kind: 'approval' }>): string {
  switch (step.phase) {
    case 'requested':
      return `${step.tool} waits for a person`;
    case 'approved':
    case 'declined':
      return `${step.phase} by ${step.by}`;
    case 'waived':
      return `${step.tool} runs without a person, by policy`;
  }
}
