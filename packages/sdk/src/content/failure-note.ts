import { isDatabaseError } from '../failure/database-error.js';
import { cutLine, printableLine } from '../failure/printable-line.js';
import { errorClass, messageOf } from '../failure/thrown-value.js';
import { advisesRetry } from '../call/retry-advice.js';
import type { MaybePromise } from '../tool/tool.js';

/** Most characters of a note. */
export const MAX_NOTE_LENGTH = 300;
const MAX_SOURCE_LENGTH = 100;
const MAX_CLASS_LENGTH = 60;
// A longer message is a dump of something, and not worth a redactor's time.
const MAX_MESSAGE_LENGTH = 20_000;

/**
 * Takes the secrets out of a foreign message before it is noted or logged; null withholds it altogether.
 */
export type RedactMessage = (message: string, error: unknown) => MaybePromise<string | null>;

/** A failure around a write, as it may be shown. */
export interface Failure {
  /** The code that failed. */
  readonly source: string;
  readonly errorClass: string;
  /** Null when it is withheld or there is none. */
  readonly message: string | null;
}

/**
 * Whether the writes were stored when something failed. `unsure`: the run ended without proof of that,
 * so a note must not claim it.
 */
export type NotePhase = 'stored' | 'unsure';

/** Describes a failure. Whatever the redactor or the classifier does, this does not reject. */
export async function describeFailure(
  source: string,
  error: unknown,
  ports: { readonly redact: RedactMessage; readonly isDatabaseError: (error: unknown) => boolean },
): Promise<Failure> {
  return { source, errorClass: errorClass(error), message: await shownMessage(error, ports) };
}

async function shownMessage(
  error: unknown,
  ports: { readonly redact: RedactMessage; readonly isDatabaseError: (error: unknown) => boolean },
): Promise<string | null> {
  try {
    const message = messageOf(error);
    if (
      message === null ||
      message.length > MAX_MESSAGE_LENGTH ||
      isDatabaseError(error) ||
      ports.isDatabaseError(error)
    ) {
      return null;
    }
    const redacted: unknown = await ports.redact(message, error);
    return typeof redacted === 'string' && redacted.trim() !== '' ? redacted : null;
  } catch {
    return null;
  }
}

/** One line in a fixed frame, at most 300 characters, for the answer of the tool. */
export function noteLine(failure: Failure, phase: NotePhase): string {
  const source = quoted(failure.source, MAX_SOURCE_LENGTH);
  const thrown = cutLine(printableLine(failure.errorClass), MAX_CLASS_LENGTH);
  const frame = (message: string): string =>
    phase === 'stored'
      ? `Note: the write was stored when ${source} failed (${thrown}${message}). The answer above stands.`
      : `Note: ${source} failed at the end of a write (${thrown}${message}). The answer above says what is known of the write.`;
  const { message } = failure;
  if (message === null || advisesRetry(message)) {
    return frame('');
  }
  const room = MAX_NOTE_LENGTH - frame(': ').length;
  return frame(`: ${quoted(message, room)}`);
}

// Double quotes delimit foreign text, so there are none inside of it.
function quoted(text: string, maxLength: number): string {
  // Cut before the clean-up too: the rest would be thrown away in any case.
  const inner = printableLine(text.slice(0, maxLength * 4))
    .replaceAll('"', "'")
    .replace(/ {2,}/gu, ' ')
    .trim();
  return `"${cutLine(inner, maxLength - 2)}"`;
}
