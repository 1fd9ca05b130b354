import { shownStep } from '../../audit/shown-step.js';
import type { Step } from '../../audit/step.js';
import { RuntimeError } from '../../errors.js';
import type { Redactor } from '../../secrets/redactor.js';
import { jweStepSealer, type EncryptionKeys } from '../seal/jwe-step-sealer.js';
import type { SealPlace, StepSealer } from '../seal/step-sealer.js';
import { contentFree } from './content-free-step.js';

/** A step as its row holds it: what a trace shows, and what was taken out of it and a resume needs. */
export interface EncodedStep {
  readonly trace: string;
  readonly sealed: string | null;
}

type StepPlace = Omit<SealPlace, 'callIds'>;

/** Turns steps into what the rows hold, and back. */
export interface StepCodec {
  /** Whether it seals anything: without a key there is nothing to seal anew. */
  readonly isSealing: boolean;
  encode(runId: string, step: Step): Promise<EncodedStep>;
  /** @throws RuntimeError with code `WRONG_KEY`, or `STORE_UNAVAILABLE` when the row is no step. */
  decode(place: StepPlace, encoded: EncodedStep): Promise<Step>;
  /**
   * The row as it would be written now, or null where it is.
   *
   * @throws RuntimeError as {@link decode}.
   */
  recode(place: StepPlace, encoded: EncodedStep): Promise<EncodedStep | null>;
}

/**
 * How a store keeps what a resume needs: sealed with keys, through a sealer of the host's own, or in the clear,
 * which a host has to say in so many words.
 */
export type Encryption = EncryptionKeys | StepSealer | 'none';

/** @throws RuntimeError with code `INVALID_CONFIGURATION` when it is neither keys, a sealer nor `'none'`. */
export function stepCodec(encryption: Encryption, redactor: Redactor): StepCodec {
  if (encryption === 'none') {
    return plainStepCodec(redactor);
  }
  const given: unknown = encryption;
  if (typeof given === 'object' && given !== null && ('keys' in given || 'seal' in given)) {
    return sealedStepCodec('keys' in encryption ? jweStepSealer(encryption) : encryption);
  }
  throw new RuntimeError(
    'INVALID_CONFIGURATION',
    "Cannot make a store: expected encryption to be { keys }, a sealer, or 'none', found something else. The exact " +
      "arguments of calls and paused runs are stored; say 'none' where they may stand there in the clear.",
  );
}

/**
 * Steps in the clear. The trace has the secrets of arguments taken out even so, and the exact step stands beside it
 * where the two differ.
 */
function plainStepCodec(redactor: Redactor): StepCodec {
  return {
    isSealing: false,
    async encode(_runId, step) {
      const exact = JSON.stringify(step);
      const trace = JSON.stringify(await shownStep(step, redactor));
      return { trace, sealed: trace === exact ? null : exact };
    },
    decode: (place, { trace, sealed }) => {
      if (sealed === null || isPlain(sealed)) {
        return Promise.resolve(parseStep(place, sealed ?? trace));
      }
      return Promise.reject(
        new RuntimeError(
          'WRONG_KEY',
          `Cannot read step ${String(place.seq)} of run "${place.runId}": it is sealed, and no key was given. Nothing was ` +
            'changed. Give the store the keys that the run was stored with.',
        ),
      );
    },
    recode: () => Promise.resolve(null),
  };
}

/** Steps whose content is sealed. A row in the clear is not taken for one: anybody could have written it. */
function sealedStepCodec(sealer: StepSealer): StepCodec {
  const encode = async (runId: string, step: Step): Promise<EncodedStep> => {
    const trace = contentFree(step);
    if (trace === null) {
      return { trace: JSON.stringify(step), sealed: null };
    }
    const place = { runId, seq: step.seq, callIds: callIdsOf(step) };
    return { trace: JSON.stringify(trace), sealed: await sealer.seal(place, JSON.stringify(step)) };
  };
  return {
    isSealing: true,
    encode,
    async decode(place, { trace, sealed }) {
      const shown = parseStep(place, trace);
      if (sealed === null && contentFree(shown) === null) {
        return shown;
      }
      if (sealed === null || isPlain(sealed)) {
        throw new RuntimeError(
          'WRONG_KEY',
          `Cannot read step ${String(place.seq)} of run "${place.runId}": expected a sealed one, found it in the clear. ` +
            'Nothing was changed. Where the store had no keys before, seal what it has with `toolwright-runtime rotate-key`.',
        );
      }
      return parseStep(place, await sealer.open({ ...place, callIds: callIdsOf(shown) }, sealed));
    },
    async recode(place, { trace, sealed }) {
      const shown = parseStep(place, trace);
      if (sealed === null && contentFree(shown) === null) {
        return null;
      }
      if (sealed === null || isPlain(sealed)) {
        return encode(place.runId, parseStep(place, sealed ?? trace));
      }
      if (sealer.isCurrent(sealed)) {
        return null;
      }
      return encode(
        place.runId,
        parseStep(place, await sealer.open({ ...place, callIds: callIdsOf(shown) }, sealed)),
      );
    },
  };
}

/** Sealed text is base64url with dots; a step in the clear is an object. */
function isPlain(sealed: string): boolean {
  return sealed.startsWith('{');
}

function callIdsOf(step: Step): readonly string[] {
  if (step.kind === 'model') {
    return step.calls.map(({ callId }) => callId);
  }
  return 'callId' in step && step.callId !== null ? [step.callId] : [];
}

function parseStep({ runId, seq }: StepPlace, text: string): Step {
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
