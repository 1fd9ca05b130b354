import { errorClass, type Logger, type MaybePromise } from '@toolwright/sdk';
import type { DeadLetter } from '../operator/run-operations.js';
import type { Pause } from '../run/run-result.js';

/** A run waits for a person. */
export interface PauseNotice {
  readonly runId: string;
  readonly correlationId: string;
  /** On whose behalf the run acts. */
  readonly actor: { readonly id: string };
  readonly pauses: readonly Pause[];
}

/** A run that nothing retries any more: a person has to look at it. */
export interface DeadLetterNotice extends DeadLetter {
  readonly runId: string;
  readonly correlationId: string;
  readonly actor: { readonly id: string };
  /** The write whose outcome nobody knows, where one is open. */
  readonly openWrite: { readonly callId: string; readonly tool: string } | null;
}

/**
 * How the host is told what needs a person. A hook that fails is logged and changes nothing. A process that dies right
 * after the store took a pause or a dead letter tells nobody: the store has it, so a list of paused runs and dead
 * letters misses none.
 */
export interface RunHooks {
  onPause?(notice: PauseNotice): MaybePromise<void>;
  onDeadLetter?(notice: DeadLetterNotice): MaybePromise<void>;
}

/** Calls a hook, waits for it, and logs what it throws. Never rejects. */
export async function tell(
  logger: Logger,
  hook: 'onPause' | 'onDeadLetter',
  runId: string,
  call: () => MaybePromise<void> | undefined,
): Promise<void> {
  try {
    await call();
  } catch (error) {
    logger.error('A hook of the host failed; the run is as it was.', {
      hook,
      runId,
      error: errorClass(error),
    });
  }
}
