import type { Actor } from '../context/tool-context.js';
import type { WriteEffect } from '../effect/tool-effect.js';
import { printableLine } from '../failure/printable-line.js';
import type { Preview } from '../preview/preview.js';
import type { MaybePromise } from '../tool/tool.js';

/** What a person, or the port that stands for one, is asked before a declared write runs. */
export interface ApprovalRequest {
  readonly toolName: string;
  readonly effect: WriteEffect;
  /** The arguments as they were parsed, in a copy: changing it changes nothing that runs. */
  readonly input: Readonly<Record<string, unknown>>;
  /** What the call would do. A snapshot: the record can change before the call runs. */
  readonly preview: Preview;
  readonly actor: Actor;
  readonly runId: string;
  readonly callId: string;
  /** Aborts when the call is cancelled while the decision is pending. */
  readonly signal: AbortSignal;
}

/** A decision, and who made it. */
export interface ApprovalDecision {
  readonly approved: boolean;
  /** Who decided; one line. */
  readonly by?: string;
  /** Why; the model is told the reason of a declined call, one line. */
  readonly reason?: string;
}

/** Decides one call. Anything but `true` or a decision with `approved: true` declines, a throw included. */
export type ApproveCall = (request: ApprovalRequest) => MaybePromise<boolean | ApprovalDecision>;

/** What became of the approval of a call. */
export interface CallApproval {
  /** `not_asked`: a reader, a call refused before, or a host that leaves the question to its client. */
  readonly status: 'not_asked' | 'approved' | 'declined';
  readonly by: string | null;
  readonly reason: string | null;
}

export const NOT_ASKED: CallApproval = Object.freeze({ status: 'not_asked', by: null, reason: null });

const MAX_REASON_LENGTH = 300;

/** Asks, and fails closed: no clear yes is a no. */
export async function askApproval(approve: ApproveCall, request: ApprovalRequest): Promise<CallApproval> {
  let answer: unknown;
  try {
    answer = await approve(request);
  } catch {
    return { status: 'declined', by: null, reason: 'the question could not be asked' };
  }
  if (answer === true) {
    return { status: 'approved', by: null, reason: null };
  }
  if (typeof answer !== 'object' || answer === null) {
    return { status: 'declined', by: null, reason: null };
  }
  const decision = answer as Partial<Record<keyof ApprovalDecision, unknown>>;
  return {
    status: decision.approved === true ? 'approved' : 'declined',
    by: oneLine(decision.by),
    reason: oneLine(decision.reason),
  };
}

function oneLine(text: unknown): string | null {
  return typeof text === 'string' && text !== '' ? printableLine(text).slice(0, MAX_REASON_LENGTH) : null;
}
