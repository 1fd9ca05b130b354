import type { LandedWrite } from '../content/safe-content-handler.js';
import { printableLine } from '../failure/printable-line.js';
import { advisesRetry } from './retry-advice.js';

// Every text here reaches a model. None of them may advise another attempt: a call whose write landed,
// or may have landed, must not be repeated on the strength of its own error.

const MAX_RECORDS = 3;

/** The records by name, at most three of them: `pages:12, pages:13 and 4 more`. */
export function nameRecords(landed: readonly LandedWrite[]): string {
  const names = landed
    .slice(0, MAX_RECORDS)
    .map(({ target }) => printableLine(`${target.table}:${String(target.uid)}`));
  const rest = landed.length - names.length;
  return rest > 0 ? `${names.join(', ')} and ${String(rest)} more` : names.join(', ');
}

export function unknownOutcome(landed: readonly LandedWrite[], why?: string): string {
  const known = landed.length > 0 ? ` Known to be written: ${nameRecords(landed)}.` : '';
  return (
    `The outcome of this call is unknown${why === undefined ? '' : ` (${why})`}: ` +
    `it may or may not have written.${known} Read the record before anything is written again.`
  );
}

export function writtenThenFailed(landed: readonly LandedWrite[], why: string | null): string {
  return (
    `The call wrote ${nameRecords(landed)}, and a later step failed${why === null ? '' : ` (${why})`}. ` +
    'Do not repeat the write.'
  );
}

/** Puts what is known first, then what the tool said, unless that advises another attempt. */
export function withToolsWords(known: string, content: string): string {
  return advisesRetry(content)
    ? `${known}\n\nWhat the tool said is withheld, because it advises another attempt.`
    : `${known}\n\nThe tool said: ${content}`;
}

export function failedReader(toolName: string, why: string): string {
  return `The tool "${toolName}" failed (${why}). It is read-only, so nothing was written.`;
}

export function brokenContract(toolName: string, consequence: string): string {
  return `The tool "${toolName}" answered in a way that its declaration does not allow. ${consequence}`;
}

export function declinedCall(reason: string | null): string {
  return `The call was declined and nothing was done${reason === null ? '' : `: ${reason}`}.`;
}

export function cancelledBeforeStart(): string {
  return 'The call was cancelled before it started, and nothing was done.';
}

export function couldNotStart(why: string): string {
  return `The call could not be started (${why}), and nothing was done.`;
}

export function uncheckedArguments(why: string): string {
  return `The arguments could not be checked (${why}), and nothing was done.`;
}

const MAX_NOTES = 3;

/**
 * What the model is told: the tool's own answer, bounded, and after it at most three notes of the
 * content handler. The notes are not cut with the answer.
 */
export function answerWithNotes(content: string, notes: readonly string[], maxBytes: number): string {
  const told = notes.slice(0, MAX_NOTES).map((note) => printableLine(note));
  const rest = notes.length - told.length;
  if (rest > 0) {
    told.push(`(${String(rest)} more in the log)`);
  }
  return [boundContent(content, maxBytes), ...(told.length > 0 ? ['', ...told] : [])].join('\n');
}

/** Cuts a text at a code point so that it has at most so many bytes of UTF-8, and says that it did. */
export function boundContent(content: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(content);
  if (bytes.length <= maxBytes) {
    return content;
  }
  const notice = `\n[cut: the answer has ${String(bytes.length)} bytes]`;
  const kept = bytes.subarray(0, Math.max(0, maxBytes - notice.length));
  // A streaming decode holds an incomplete code point back instead of replacing it.
  return new TextDecoder().decode(kept, { stream: true }) + notice;
}
