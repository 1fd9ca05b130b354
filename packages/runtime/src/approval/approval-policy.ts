import type { Actor, MaybePromise, WriteEffect } from '@toolwright/sdk';

/** One declared write that is about to run. */
export interface ApprovalQuestion {
  readonly tool: string;
  readonly effect: WriteEffect;
  /** Whether the write can destroy what was there before; a tool that does not say so can. */
  readonly isDestructive: boolean;
  readonly actor: Actor;
  readonly runId: string;
  readonly correlationId: string;
  readonly callId: string;
  /** A copy of the parsed arguments; changing it changes nothing. */
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * The host's say in whether a declared write waits for a person. Anything but `proceed`, a throw
 * included, pauses. A call that repeats a write whose outcome is unknown pauses whatever this answers.
 */
export interface ApprovalPolicy {
  decide(question: ApprovalQuestion): MaybePromise<'pause' | 'proceed'>;
}

/** Every declared write waits for a person. The default. */
export const alwaysPause: ApprovalPolicy = { decide: () => 'pause' };

/** No declared write waits for a person, save one that repeats a write of the same run. */
export const neverPause: ApprovalPolicy = { decide: () => 'proceed' };
