/**
 * Strips secrets from text that leaves the run: to a model, a note, a log or a preview. It is
 * asynchronous, because catalogues of secret shapes are.
 */
export interface Redactor {
  redact(text: string): Promise<string>;
}

const WITHHELD = '[withheld: the text could not be checked for secrets]';

/** Redacts, and withholds the text when the redactor fails: unchecked text never leaves. */
export async function redactOrWithhold(redactor: Redactor | null, text: string): Promise<string> {
  if (redactor === null) {
    return text;
  }
  try {
    return await redactor.redact(text);
  } catch {
    return WITHHELD;
  }
}
