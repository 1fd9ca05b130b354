import { CompactEncrypt, compactDecrypt, decodeProtectedHeader, type ProtectedHeaderParameters } from 'jose';
import { RuntimeError } from '../../errors.js';
import type { SealPlace, StepSealer } from './step-sealer.js';

/** A key by its name. */
export interface EncryptionKey {
  /** Stands in the clear beside what it seals: a name such as `2026-01`, never a part of the secret. */
  readonly id: string;
  /** 32 random bytes, or their base64 (`openssl rand -base64 32`). */
  readonly secret: Uint8Array | string;
}

/** Keys of a store. */
export interface EncryptionKeys {
  /** The first one seals; all of them open. */
  readonly keys: readonly EncryptionKey[];
}

/*
 * Each text gets a content key of its own, wrapped by the host's: no counter of nonces has to be kept among
 * processes, however much one key seals.
 */
const WRAP = 'A256KW';
const CIPHER = 'A256GCM';
const KEY_BYTES = 32;
const MAX_ID_LENGTH = 100;

/**
 * Seals with JSON Web Encryption. The place stands in the protected header, which the cipher authenticates, so a
 * text that was moved to another run, step or call does not open.
 *
 * @throws RuntimeError with code `INVALID_CONFIGURATION` when a key is not one; it shows nothing of it.
 */
export function jweStepSealer({ keys }: EncryptionKeys): StepSealer {
  const secrets = new Map(keys.map((key) => [assertId(key.id), secretOf(key)]));
  const [current] = secrets.keys();
  if (current === undefined || secrets.size !== keys.length) {
    throw invalid('keys with an id of its own each', keys.length === 0 ? 'none' : 'an id twice');
  }
  return {
    seal(place, text) {
      return new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: WRAP, enc: CIPHER, kid: current, ...claims(place) })
        .encrypt(secretFor(secrets, current, place));
    },
    async open(place, sealed) {
      const header = headerOf(sealed);
      const kid = header?.kid;
      if (header === null || typeof kid !== 'string') {
        throw wrongKey(place, 'text that is not sealed');
      }
      const secret = secretFor(secrets, kid, place);
      let opened: Awaited<ReturnType<typeof compactDecrypt>>;
      try {
        opened = await compactDecrypt(sealed, secret, {
          keyManagementAlgorithms: [WRAP],
          contentEncryptionAlgorithms: [CIPHER],
        });
      } catch (error) {
        throw wrongKey(place, `that the key "${kid}" does not open it, or that it was changed`, error);
      }
      const { run, seq, calls } = opened.protectedHeader;
      if (JSON.stringify({ run, seq, calls }) !== JSON.stringify(claims(place))) {
        throw wrongKey(place, 'text that was sealed for another step');
      }
      return new TextDecoder().decode(opened.plaintext);
    },
    isCurrent: (sealed) => headerOf(sealed)?.kid === current,
  };
}

function claims({ runId, seq, callIds }: SealPlace): Readonly<Record<string, unknown>> {
  return { run: runId, seq, calls: [...callIds] };
}

function headerOf(sealed: string): ProtectedHeaderParameters | null {
  try {
    return decodeProtectedHeader(sealed);
  } catch {
    return null;
  }
}

function secretFor(secrets: ReadonlyMap<string, Uint8Array>, kid: string, place: SealPlace): Uint8Array {
  const secret = secrets.get(kid);
  if (secret === undefined) {
    throw wrongKey(place, `that it is sealed with the key ${JSON.stringify(kid.slice(0, MAX_ID_LENGTH))}`);
  }
  return secret;
}

function assertId(id: unknown): string {
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID_LENGTH) {
    throw invalid(`each key to have an id of 1 to ${String(MAX_ID_LENGTH)} characters`, typeof id);
  }
  return id;
}

function secretOf({ id, secret }: EncryptionKey): Uint8Array {
  const bytes = typeof secret === 'string' ? Buffer.from(secret, 'base64') : secret;
  // What was found is told by its length alone.
  if (!(bytes instanceof Uint8Array) || bytes.length !== KEY_BYTES) {
    const found = bytes instanceof Uint8Array ? `${String(bytes.length)} bytes` : typeof bytes;
    throw invalid(`the secret of key "${id}" to be ${String(KEY_BYTES)} bytes, or their base64`, found);
  }
  return Uint8Array.from(bytes);
}

function invalid(expected: string, found: string): RuntimeError {
  return new RuntimeError(
    'INVALID_CONFIGURATION',
    `Cannot encrypt the store: expected ${expected}, found ${found}. Make a secret with \`openssl rand -base64 32\`.`,
  );
}

function wrongKey({ runId, seq }: SealPlace, found: string, cause?: unknown): RuntimeError {
  return new RuntimeError(
    'WRONG_KEY',
    `Cannot read step ${String(seq)} of run "${runId}": expected text that one of the keys opens, found ${found}. ` +
      'Nothing was changed. Give the store the keys that the run was stored with, the newest one first.',
    cause === undefined ? undefined : { cause },
  );
}
