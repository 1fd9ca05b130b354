/**
 * Strips secrets from text that leaves the run: to a model, a note, a log, a span or a preview. It is
 * asynchronous, because catalogues of secret shapes are.
 */
export interface Redactor {
  redact(text: string): Promise<string>;
}

/** What stands where a secret stood. No shape matches it, so that redacting twice changes nothing. */
export const REDACTED = '[redacted]';

const WITHHELD = '[withheld: the text could not be checked for secrets]';

/** Redacts, and withholds the text when the redactor fails: unchecked text never leaves. */
export async function redactOrWithhold(redactor: Redactor, text: string): Promise<string> {
  if (text === '') {
    return text;
  }
  try {
    const redacted: unknown = await redactor.redact(text);
    return typeof redacted === 'string' ? redacted : WITHHELD;
  } catch {
    return WITHHELD;
  }
}
