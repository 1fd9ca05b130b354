import type { ToolArtifact, ToolEffect, ToolResultKind } from '@toolwright/sdk';
import type { FailureClass } from '../failure/failure-class.js';
import type { ModelFinish, ModelMessage } from '../model/model.js';
import type { CallRefusal, PreparedCall } from './prepared-call.js';

/** What is known about whether a write call wrote. A read has none. */
export type WriteOutcome = 'landed' | 'not_landed' | 'unknown';

/** A record by table and uid, as plain JSON. */
export interface StoredTarget {
  readonly table: string;
  readonly uid: string | number;
}

/** What the run was asked to do; the first step of every run. */
export interface RequestStep {
  readonly kind: 'request';
  readonly messages: readonly ModelMessage[];
}

/** One answer of the model, with each call's arguments as they were parsed, once. */
export interface ModelStep {
  readonly kind: 'model';
  /** 1 for the first answer of the run. */
  readonly round: number;
  readonly content: string;
  readonly calls: readonly PreparedCall[];
  readonly finish: ModelFinish;
  readonly model: string | null;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null;
}

/** A tool's result as it is stored, after it was bounded. `content` is what the model was told. */
export interface StoredResult {
  readonly kind: ToolResultKind;
  readonly content: string;
  readonly isError: boolean;
  readonly artifacts: readonly ToolArtifact[];
  readonly target: StoredTarget | null;
}

/** How a call ended: it answered, it threw, it passed its deadline, or it broke its contract. */
export type CallEnding = 'answered' | 'threw' | 'timed_out' | 'broke_contract';

/** How a tool broke its contract, with the answer that it gave, bounded; null when it was no result. */
export interface ContractBreach {
  readonly rule: string;
  readonly found: string;
  readonly answer: StoredResult | null;
}

/** A call that ran. */
export interface ToolStep {
  readonly kind: 'tool';
  readonly callId: string;
  readonly tool: string;
  readonly effect: ToolEffect;
  readonly argumentsDigest: string;
  readonly result: StoredResult;
  /** Null for a read. */
  readonly outcome: WriteOutcome | null;
  readonly ending: CallEnding;
  /** The class of what was thrown, never its message. */
  readonly errorClass: string | null;
  readonly breach: ContractBreach | null;
  /** Every record that the content handler knows to have landed during the call, in order. */
  readonly landed: readonly StoredTarget[];
  /** ISO 8601. The step's own `at` is when it was recorded. */
  readonly startedAt: string;
}

/** Which record a call wrote. Stored in one unit with the call's tool step. */
export interface WriteTargetStep extends StoredTarget {
  readonly kind: 'write_target';
  readonly callId: string;
  readonly tool: string;
  /** The content system's history mark, see ContentHistory.mark; null without one. */
  readonly mark: string | null;
}

/** Something that the model is told beside a tool's answer, or that only the log has. */
export interface NoteStep {
  readonly kind: 'note';
  readonly callId: string;
  readonly text: string;
  readonly isInAnswer: boolean;
}

/** Why a person is asked, beyond the policy's word. Shown on the card. */
export type PauseReason = 'policy' | 'repeats_unknown' | 'repeats_write';

/** A call waits for a person. The digest binds the decision to exactly what is stored here. */
export interface ApprovalRequestedStep {
  readonly kind: 'approval';
  readonly phase: 'requested';
  readonly callId: string;
  readonly tool: string;
  readonly effect: ToolEffect;
  readonly toolVersion: string;
  readonly argumentsDigest: string;
  readonly reasons: readonly PauseReason[];
  readonly preview: { readonly lines: readonly string[]; readonly isCut: boolean };
  readonly digest: string;
  /** ISO 8601, or null when the pause does not expire. */
  readonly expiresAt: string | null;
}

/** A person decided about the request with this digest. */
export interface ApprovalDecidedStep {
  readonly kind: 'approval';
  readonly phase: 'approved' | 'declined';
  readonly callId: string;
  readonly digest: string;
  /** The id of the person who decided. */
  readonly by: string;
  /** Why, in one line; the model is told the reason of a declined call. */
  readonly reason: string | null;
}

/** The host's policy let a write run without a person. */
export interface ApprovalWaivedStep {
  readonly kind: 'approval';
  readonly phase: 'waived';
  readonly callId: string;
  readonly tool: string;
}

export type ApprovalStep = ApprovalRequestedStep | ApprovalDecidedStep | ApprovalWaivedStep;

/**
 * A person looked what became of a write whose outcome was not known. Where it landed, the record's own step is stored
 * with it.
 */
export interface ResolutionStep {
  readonly kind: 'resolution';
  readonly callId: string;
  readonly tool: string;
  readonly outcome: 'landed' | 'not_landed';
  readonly target: StoredTarget | null;
  /** The id of the person who looked. */
  readonly by: string;
  readonly reason: string | null;
}

/** Why a call never ran. */
export type DenialReason =
  | CallRefusal['reason']
  | 'declined'
  | 'approval_expired'
  | 'approval_void'
  | 'tool_changed'
  | 'content_unavailable'
  | 'cancelled';

/** A call that never ran. A denied write has not landed. */
export interface DeniedStep {
  readonly kind: 'denied';
  readonly callId: string;
  readonly tool: string;
  readonly effect: ToolEffect;
  readonly reason: DenialReason;
  /** What the model was told. */
  readonly answer: string;
}

/** What a failed run failed with. */
export type FailureDetail =
  | 'contract_violation'
  | 'audit_lost'
  | 'store_unavailable'
  | 'rounds_exhausted'
  | 'model_failed'
  | 'cancelled'
  | 'write_interrupted'
  | 'lease_lost';

/** The run ended without an answer. */
export interface FailureStep {
  readonly kind: 'failure';
  readonly detail: FailureDetail;
  readonly failureClass: FailureClass;
  readonly isRetryable: boolean;
  readonly message: string;
  readonly callId: string | null;
}

/** What a step says, before the run gave it its place. */
export type StepBody =
  | RequestStep
  | ModelStep
  | ToolStep
  | WriteTargetStep
  | NoteStep
  | ApprovalStep
  | DeniedStep
  | ResolutionStep
  | FailureStep;

export type StepKind = StepBody['kind'];

/** One entry of a run's append-only trace. Plain JSON. */
export type Step<Body extends StepBody = StepBody> = Body & {
  /** 1, 2, 3, … without a gap within the run. */
  readonly seq: number;
  /** ISO 8601. */
  readonly at: string;
};
