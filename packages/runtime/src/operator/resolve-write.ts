import { WriteTarget, isWrite, printableLine } from '@toolwright/sdk';
import type { StoredRun } from '../audit/run-journal.js';
import { RunState } from '../audit/run-state.js';
import type { ResolutionStep, StepBody } from '../audit/step.js';
import { RuntimeError } from '../errors.js';
import type { RunSummary, WriteResolution } from './run-operations.js';

const MAX_REASON_LENGTH = 300;

/** A write of the run whose outcome nobody knows. */
interface UnresolvedWrite {
  readonly callId: string;
  readonly tool: string;
}

/**
 * The steps that say what a person found out: the resolution, and the record where there is one, in one unit.
 *
 * @throws RuntimeError with code `RUN_NOT_RESOLVABLE`.
 */
export function resolutionSteps(
  { run, status, steps }: StoredRun,
  openWrite: RunSummary['openWrite'],
  resolution: WriteResolution,
): readonly StepBody[] {
  if (status === 'running' || status === 'queued') {
    throw notResolvable(run.runId, 'a run that rests', `one that is ${status}`, 'Cancel it first, or wait.');
  }
  const { callId, tool } = unresolvedWrite(run.runId, RunState.from(steps), openWrite, resolution.callId);
  const { outcome, by, reason } = resolution;
  const target = outcome.kind === 'landed' ? storable(run.runId, outcome.target) : null;
  const step: ResolutionStep = {
    kind: 'resolution',
    callId,
    tool,
    outcome: outcome.kind,
    target,
    by: printableLine(by),
    reason: reason === null ? null : printableLine(reason).slice(0, MAX_REASON_LENGTH),
  };
  return target === null ? [step] : [step, { kind: 'write_target', callId, tool, ...target, mark: null }];
}

function unresolvedWrite(
  runId: string,
  state: RunState,
  openWrite: RunSummary['openWrite'],
  wanted: string | undefined,
): UnresolvedWrite {
  const known = state.ran.filter(({ outcome, effect }) => outcome === 'unknown' && isWrite(effect));
  const all: readonly UnresolvedWrite[] = [...(openWrite === null ? [] : [openWrite]), ...known];
  const matching = wanted === undefined ? all : all.filter(({ callId }) => callId === wanted);
  const [only] = matching;
  if (only === undefined || matching.length > 1) {
    const found = matching.length > 1 ? 'several' : 'none';
    const named = all.map(({ callId, tool }) => `${callId} (${tool})`).join(', ');
    throw notResolvable(
      runId,
      wanted === undefined ? 'one write without a known outcome' : `call "${wanted}" to be such a write`,
      found,
      named === '' ? 'There is nothing to resolve.' : `Name one of ${named}.`,
    );
  }
  return { callId: only.callId, tool: only.tool };
}

function storable(runId: string, target: { readonly table: string; readonly uid: string | number }) {
  try {
    const { table, uid } = WriteTarget.of(target.table, target.uid);
    return { table, uid };
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    throw notResolvable(runId, 'a record by table and uid', 'something else', message, error);
  }
}

function notResolvable(
  runId: string,
  expected: string,
  found: string,
  remedy: string,
  cause?: unknown,
): RuntimeError {
  return new RuntimeError(
    'RUN_NOT_RESOLVABLE',
    `Cannot resolve a write of run "${runId}": expected ${expected}, found ${found}. ${remedy}`,
    cause === undefined ? undefined : { cause },
  );
}
