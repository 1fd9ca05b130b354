import type { Step } from '../../audit/step.js';
import { RuntimeError } from '../../errors.js';
import type { SealPlace, StepSealer } from '../step-sealer.js';

/** A step as its row holds it: what a trace shows, and what was taken out of it and a resume needs. */
export interface EncodedStep {
  readonly trace: string;
  readonly sealed: string | null;
}

/** Turns steps into what the rows hold, and back. */
export interface StepCodec {
  encode(runId: string, step: Step): Promise<EncodedStep>;
  /** @throws RuntimeError with code `WRONG_KEY`, or `STORE_UNAVAILABLE` when the row is no step. */
  decode(place: SealPlace, encoded: EncodedStep): Promise<Step>;
}

/** Steps as plain JSON: the trace is the step. A sealed copy, which another setting left, is opened. */
export function plainStepCodec(sealer: StepSealer | null = null): StepCodec {
  return {
    encode: (_runId, step) => Promise.resolve({ trace: JSON.stringify(step), sealed: null }),
    async decode(place, { trace, sealed }) {
      if (sealed === null) {
        return parseStep(place, trace);
      }
      if (sealer === null) {
        throw new RuntimeError(
          'WRONG_KEY',
          `Cannot read step ${String(place.seq)} of run "${place.runId}": it is sealed, and no key was given. ` +
            'Give the store the keys that the run was started with.',
        );
      }
      return parseStep(place, await sealer.open(place, sealed));
    },
  };
}

export function parseStep({ runId, seq }: SealPlace, text: string): Step {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(runId, seq, 'text that is no JSON', error);
  }
  const { kind, seq: found } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Step>;
  if (typeof kind !== 'string' || found !== seq) {
    throw damaged(runId, seq, `a value of kind "${String(kind)}" at ${String(found)}`);
  }
  return value as Step;
}

function damaged(runId: string, seq: number, found: string, cause?: unknown): RuntimeError {
  return new RuntimeError(
    'STORE_UNAVAILABLE',
    `Cannot read step ${String(seq)} of run "${runId}": expected a stored step, found ${found}. ` +
      'The row was changed by something else; restore the database from a copy.',
    cause === undefined ? undefined : { cause },
  );
}
