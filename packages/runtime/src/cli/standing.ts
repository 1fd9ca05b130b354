import type { RunSummary } from '../operator/run-operations.js';

/** What a person should know of a run beside its status, in one line. */
export function standing(run: RunSummary): string {
  const { deadLetter, failure, openWrite, hasLateEvidence, isCancelRequested, requeues, dueAt } = run;
  const parts = [
    deadLetter === null ? failure : `dead letter: ${deadLetter.reason}, ${deadLetter.detail ?? 'unknown'}`,
    openWrite === null ? null : `open write of ${openWrite.tool}`,
    hasLateEvidence ? 'late evidence' : null,
    isCancelRequested && run.status === 'running' ? 'cancellation asked for' : null,
    requeues === 0 ? null : `put back ${String(requeues)}x`,
    dueAt === null ? null : `due ${dueAt}`,
  ];
  return parts.filter((part) => part !== null).join('; ');
}
