import { printableLine, type ToolResult } from '@toolwright/sdk';
import { answerWithNotes } from '@toolwright/sdk/call';
import type { PreparedCall } from '../audit/prepared-call.js';
import type { ContractBreach, NoteStep, StepBody, StoredResult, WriteTargetStep } from '../audit/step.js';
import { storedTarget } from '../audit/stored-target.js';
import { MAX_CONTENT_BYTES } from './bound-result.js';
import type { CallReport } from './call-report.js';
import { redactOrWithhold, type Redactor } from '../secrets/redactor.js';

/** Most notes of one call that the model is told. */
export const MAX_NOTES_IN_ANSWER = 3;
const MAX_NOTE_LENGTH = 500;

/**
 * The steps of a call that ran, in one unit: the call itself, the record it wrote, and every note. The
 * model is told at most three notes; the trace has them all.
 */
export async function stepsOfCall(
  call: PreparedCall,
  report: CallReport,
  redactor: Redactor,
): Promise<readonly StepBody[]> {
  const notes = await Promise.all(report.notes.map((note) => noteLine(note, redactor)));
  const told = report.result.withContent(answerWithNotes(report.result.content, notes, MAX_CONTENT_BYTES));
  return [
    {
      kind: 'tool',
      callId: call.callId,
      tool: call.tool,
      effect: call.effect,
      argumentsDigest: call.argumentsDigest,
      result: storedResult(told),
      outcome: report.outcome,
      ending: report.ending,
      errorClass: report.errorClass,
      breach: storedBreach(report.breach),
      landed: report.landed.map(({ target }) => storedTarget(target)),
      startedAt: report.startedAt,
    },
    ...writeTargetOf(call, report),
    ...notes.map((text, index): NoteStep => ({
      kind: 'note',
      callId: call.callId,
      text,
      isInAnswer: index < MAX_NOTES_IN_ANSWER,
    })),
  ];
}

async function noteLine(note: string, redactor: Redactor): Promise<string> {
  const line = printableLine(await redactOrWithhold(redactor, note));
  const points = Array.from(line);
  return points.length > MAX_NOTE_LENGTH ? `${points.slice(0, MAX_NOTE_LENGTH - 1).join('')}…` : line;
}

function writeTargetOf(call: PreparedCall, report: CallReport): readonly WriteTargetStep[] {
  const { target } = report.result;
  if (target === null) {
    return [];
  }
  // The newest mark: it is what was true when the call was done with the record.
  const mark = report.landed.findLast((write) => write.target.equals(target))?.mark ?? null;
  return [{ kind: 'write_target', callId: call.callId, tool: call.tool, ...storedTarget(target), mark }];
}

function storedBreach(breach: CallReport['breach']): ContractBreach | null {
  return breach === null
    ? null
    : { ...breach, answer: breach.answer === null ? null : storedResult(breach.answer) };
}

/** A result as plain JSON for the trace. */
function storedResult({ kind, content, isError, artifacts, target }: ToolResult): StoredResult {
  return { kind, content, isError, artifacts, target: target === null ? null : storedTarget(target) };
}
