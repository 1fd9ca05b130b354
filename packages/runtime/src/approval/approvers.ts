import type { Actor, MaybePromise, ToolEffect, Viewer } from '@toolwright/sdk';

/** What a person wants to approve. */
export interface ApprovalAttempt {
  readonly runId: string;
  readonly callId: string;
  readonly tool: string;
  readonly effect: ToolEffect;
  /** On whose behalf the run acts. */
  readonly actor: Actor;
}

/** The host's say in who may approve. No answer, or a throw, means no. */
export interface Approvers {
  mayApprove(person: Viewer, attempt: ApprovalAttempt): MaybePromise<boolean>;
}

/** Everybody may approve but the run's own actor. The default: four eyes on every write. */
export const anyoneElse: Approvers = { mayApprove: (person, { actor }) => person.id !== actor.id };

/** Everybody may approve, the run's own actor included: right for a chat, whose user confirms. */
export const anyone: Approvers = { mayApprove: () => true };
