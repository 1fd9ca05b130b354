import type { RunRecord } from '../audit/run-journal.js';
import type { RunState } from '../audit/run-state.js';
import { isPending } from '../loop/decide-calls.js';
import type { LoopEnd } from '../loop/loop-end.js';
import type { Pause, RunResult, WriteReport } from './run-result.js';

/** The calls of a run that wait for a decision, in the model's order. */
export function pausesOf(runId: string, state: RunState, now: Date): readonly Pause[] {
  return state.openCalls.flatMap((open): Pause[] => {
    const { request, call } = open;
    if (request === null || !isPending(open, now)) {
      return [];
    }
    const { tool, effect, reasons, digest, expiresAt } = request;
    return [{ runId, callId: call.callId, tool, effect, reasons, digest, expiresAt }];
  });
}

export function toRunResult(run: RunRecord, state: RunState, end: LoopEnd, now: Date): RunResult {
  const { runId, correlationId } = run;
  const base = { runId, correlationId, writes: writesOf(state) };
  switch (end.kind) {
    case 'completed':
      return {
        ...base,
        status: 'completed',
        answer: state.answer?.content ?? '',
        finish: state.answer?.finish ?? 'other',
      };
    case 'paused':
      return { ...base, status: 'paused', pauses: pausesOf(runId, state, now) };
    case 'failed': {
      const { detail, failureClass, isRetryable, message, callId } = end.failure;
      const failure = { detail, failureClass, isRetryable, message, callId };
      return { ...base, status: 'failed', failure, error: end.error };
    }
    case 'cancelled':
    case 'lost':
      return { ...base, status: end.kind };
  }
}

function writesOf(state: RunState): readonly WriteReport[] {
  return state.ran.flatMap(({ callId, tool, outcome, target }) =>
    outcome === null ? [] : [{ callId, tool, outcome, target }],
  );
}
