import { AsyncLocalStorage } from 'node:async_hooks';
import type { HistoryAuthor } from '@toolwright/sdk';
import type { PayloadRequest } from 'payload';

/** The group of hidden fields that {@link toolwrightHistory} adds to whatever has versions. */
export const ORIGIN_FIELD = 'toolwright';

/** Who stored a state of a record. */
export interface Origin {
  readonly by: 'run' | 'outside';
  /** The run's id; null for `outside`. */
  readonly run: string | null;
  /** Of whom Payload knew that they were logged in: `collection:id`. It stays in Payload. */
  readonly user: string | null;
}

// Not the run's own frame: what a hook left behind writes after the run has ended, and is the run's work all the same.
const toolRuns = new AsyncLocalStorage<string>();

/** Runs an operation of Payload as the work of a tool's run: what it stores, and what its hooks store, is the run's. */
export function asWorkOf<T>(runId: string, operation: () => T): T {
  return toolRuns.run(runId, operation);
}

/** The origin of what is stored by the calling code, from the place it runs at and not from anything it was sent. */
export function currentOrigin(req: Partial<PayloadRequest> | undefined): Origin {
  const run = toolRuns.getStore() ?? null;
  const user = req?.user ?? null;
  return {
    by: run === null ? 'outside' : 'run',
    run,
    user: user === null ? null : `${user.collection}:${String(user.id)}`,
  };
}

/** The origin that a version, or what stands for one, was stored with; null where nobody noted it. */
export function readOrigin(value: unknown): Origin | null {
  const { by, run, user } = (value ?? {}) as Partial<Record<keyof Origin, unknown>>;
  if (by === 'outside' || (by === 'run' && typeof run === 'string')) {
    return {
      by,
      run: by === 'run' ? (run as string) : null,
      user: typeof user === 'string' ? user : null,
    };
  }
  return null;
}

/** Whom a history names. */
export function authorOf(origin: Origin | null): HistoryAuthor {
  if (origin === null) {
    return { kind: 'unknown' };
  }
  return origin.run === null ? { kind: 'outside' } : { kind: 'run', runId: origin.run };
}
