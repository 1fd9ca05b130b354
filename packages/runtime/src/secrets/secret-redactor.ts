import { REDACTED, type Redactor } from './redactor.js';
import { SECRET_SHAPES, type SecretShape } from './secret-shapes.js';
import { findSecrets, type SecretRange } from './secretlint-rules.js';

export interface SecretRedactorOptions {
  /** Shapes of the host's own, beside those that come with this package. */
  readonly shapes?: readonly SecretShape[];
}

/**
 * Takes out what has the shape of a secret: what the recommended rules of secretlint know, and what they
 * miss, such as a lone AWS key id or the credentials of a URL. A secret without a shape, such as a password
 * in a sentence, cannot be told from other words.
 */
export function secretRedactor(options: SecretRedactorOptions = {}): Redactor {
  const shapes = [...SECRET_SHAPES, ...(options.shapes ?? [])];
  return {
    async redact(text) {
      // The shapes come first: they cut more narrowly, so that the host of a URL stays readable.
      const narrowed = shapes.reduce(takeOut, text);
      return withoutRanges(narrowed, await findSecrets(narrowed));
    },
  };
}

function takeOut(text: string, { pattern }: SecretShape): string {
  return text.replace(pattern, (match: string, ...rest: unknown[]) => {
    const groups = rest.at(-1);
    const parts = typeof groups === 'object' && groups !== null ? Object.values(groups) : [];
    const secret: unknown = parts.find((part) => typeof part === 'string');
    if (typeof secret !== 'string') {
      return REDACTED;
    }
    // A group stands at the end of its match, or before the separator that ends it.
    const at = match.lastIndexOf(secret);
    return secret === REDACTED ? match : match.slice(0, at) + REDACTED + match.slice(at + secret.length);
  });
}

/** The text with each range replaced. Ranges that overlap count as one. */
function withoutRanges(text: string, ranges: readonly SecretRange[]): string {
  let kept = '';
  let end = 0;
  for (const [from, to] of [...ranges].sort((one, other) => one[0] - other[0])) {
    if (from >= end) {
      kept += text.slice(end, from) + REDACTED;
    }
    end = Math.max(end, to);
  }
  return kept + text.slice(end);
}
