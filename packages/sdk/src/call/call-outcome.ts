import type { LandedWrite } from '../content/safe-content-handler.js';
import { isWrite } from '../effect/tool-effect.js';
import { effectOf } from '../tool/effect-of.js';
import { errorClass } from '../failure/thrown-value.js';
import { ToolResult } from '../result/tool-result.js';
import type { WriteTarget } from '../target/write-target.js';
import type { Tool } from '../tool/tool.js';
import type { Settled } from './call-deadline.js';
import {
  brokenContract,
  failedReader,
  nameRecords,
  unknownOutcome,
  withToolsWords,
  writtenThenFailed,
} from './call-wording.js';

/** Whether a call is known to have written, known not to have, or neither. */
export type CallOutcome = 'landed' | 'not_landed' | 'unknown';

/** How a tool's `execute` ended. */
export type Settlement = Settled<unknown>;

/** Why a call has no answer of the tool's own. */
export type CallFailure =
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'deadline' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'contract_violation'; readonly rule: ContractRule; readonly found: string };

/** The promises of a tool that can be checked on its answer. */
export type ContractRule =
  | 'answers-a-tool-result'
  | 'writer-returns-target'
  | 'reader-returns-no-target'
  | 'nothing-claimed-after-a-write'
  | 'waits-for-its-writes';

/** What the content handler knows of the call, whatever the tool says. */
export interface CallEvidence {
  readonly landed: readonly LandedWrite[];
  readonly hasFailedWrite: boolean;
  /** Writes that had not settled when the tool answered. */
  readonly pendingWrites?: number;
}

export interface JudgedCall {
  readonly result: ToolResult;
  readonly outcome: CallOutcome;
  readonly failure: CallFailure | null;
}

/**
 * The three answers to "did it happen?". A read-only tool has nothing that could land, so whatever
 * happens to it is `not_landed`, unless it names a record all the same.
 */
export function judgeCall(tool: Tool, settlement: Settlement, evidence: CallEvidence): JudgedCall {
  switch (settlement.kind) {
    case 'returned':
      return judgeAnswer(tool, settlement.value, evidence);
    case 'threw':
      return judgeThrow(tool, settlement.error, evidence);
    case 'unsettled':
      return judgeUnsettled(tool, settlement.why, evidence);
  }
}

function judgeAnswer(tool: Tool, value: unknown, evidence: CallEvidence): JudgedCall {
  if (!ToolResult.is(value)) {
    return violation(tool, 'answers-a-tool-result', describe(value), null, evidence);
  }
  return isWrite(effectOf(tool))
    ? judgeWriterAnswer(tool, value, evidence)
    : judgeReaderAnswer(tool, value, evidence);
}

function judgeReaderAnswer(tool: Tool, result: ToolResult, evidence: CallEvidence): JudgedCall {
  const allowed = result.kind === 'text' || result.kind === 'refused' || result.kind === 'error';
  if (!allowed || result.target !== null) {
    return violation(tool, 'reader-returns-no-target', result.kind, result.target, evidence);
  }
  return { result, outcome: 'not_landed', failure: null };
}

function judgeWriterAnswer(tool: Tool, result: ToolResult, evidence: CallEvidence): JudgedCall {
  const { pendingWrites = 0 } = evidence;
  if (pendingWrites > 0) {
    const found = `${result.kind} while ${String(pendingWrites)} write(s) had not settled`;
    return violation(tool, 'waits-for-its-writes', found, null, evidence);
  }
  switch (result.kind) {
    case 'text':
      return violation(tool, 'writer-returns-target', result.kind, null, evidence);
    case 'refused':
    case 'unchanged':
      return evidence.landed.length > 0
        ? violation(tool, 'nothing-claimed-after-a-write', result.kind, null, evidence)
        : { result, outcome: 'not_landed', failure: null };
    case 'wrote':
      return { result, outcome: 'landed', failure: null };
    case 'error':
      return result.target === null
        ? judgeNamelessError(result.content, evidence)
        : { result, outcome: 'landed', failure: null };
  }
}

// The tool did not say which record; where the handler knows, the answer names it after all.
function judgeNamelessError(content: string, evidence: CallEvidence): JudgedCall {
  const target = knownTarget(evidence);
  if (target === null) {
    const told = withToolsWords(unknownOutcome(evidence.landed), content);
    return { result: ToolResult.error(told), outcome: 'unknown', failure: null };
  }
  const told = withToolsWords(writtenThenFailed(evidence.landed, null), content);
  return { result: ToolResult.error(told, { target }), outcome: 'landed', failure: null };
}

function judgeThrow(tool: Tool, error: unknown, evidence: CallEvidence): JudgedCall {
  const failure: CallFailure = { kind: 'threw', error };
  const thrown = errorClass(error);
  if (!isWrite(effectOf(tool))) {
    return { result: ToolResult.error(failedReader(tool.name, thrown)), outcome: 'not_landed', failure };
  }
  const target = knownTarget(evidence);
  if (target === null) {
    return {
      result: ToolResult.error(unknownOutcome(evidence.landed, thrown)),
      outcome: 'unknown',
      failure,
    };
  }
  return {
    result: ToolResult.error(writtenThenFailed(evidence.landed, thrown), { target }),
    outcome: 'landed',
    failure,
  };
}

function judgeUnsettled(tool: Tool, why: 'deadline' | 'cancelled', evidence: CallEvidence): JudgedCall {
  const reason = why === 'deadline' ? 'no answer within the deadline' : 'cancelled before it answered';
  const failure: CallFailure = { kind: why };
  return isWrite(effectOf(tool))
    ? { result: ToolResult.error(unknownOutcome(evidence.landed, reason)), outcome: 'unknown', failure }
    : { result: ToolResult.error(failedReader(tool.name, reason)), outcome: 'not_landed', failure };
}

function violation(
  tool: Tool,
  rule: ContractRule,
  found: string,
  claimed: WriteTarget | null,
  evidence: CallEvidence,
): JudgedCall {
  const failure: CallFailure = { kind: 'contract_violation', rule, found };
  const target = claimed ?? knownTarget(evidence);
  if (target !== null) {
    const records = nameRecords(evidence.landed.length > 0 ? evidence.landed : [{ target, mark: null }]);
    const told = brokenContract(tool.name, `It wrote ${records}.`);
    return { result: ToolResult.error(told, { target }), outcome: 'landed', failure };
  }
  const isWriter = isWrite(effectOf(tool));
  const told = brokenContract(
    tool.name,
    isWriter ? unknownOutcome(evidence.landed) : 'Its answer was dropped.',
  );
  return { result: ToolResult.error(told), outcome: isWriter ? 'unknown' : 'not_landed', failure };
}

/** The last record that landed, unless it is open what became of another write of the call. */
function knownTarget(evidence: CallEvidence): WriteTarget | null {
  const isOpen = evidence.hasFailedWrite || (evidence.pendingWrites ?? 0) > 0;
  return isOpen ? null : (evidence.landed.at(-1)?.target ?? null);
}

function describe(value: unknown): string {
  if (value === null || value === undefined) {
    return String(value);
  }
  return typeof value === 'object' ? 'an object that no factory of ToolResult made' : `a ${typeof value}`;
}
