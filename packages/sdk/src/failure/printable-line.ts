// Controls, format characters (bidirectional, zero-width, tags), separators, lone surrogates, and what
// renders as nothing: they can hide or reorder text.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u3164\uffa0]|[\u115f\u1160]|[\u{e0100}-\u{e01ef}]/gu;

/** Makes one line of text safe to show: every control, bidirectional or invisible character becomes a space. */
export function printableLine(text: string): string {
  return text.replace(UNPRINTABLE, ' ');
}

/** Cuts a text to at most so many UTF-16 code units, at a code point, and marks the cut with `…`. */
export function cutLine(text: string, maxLength: number): string {
  if (text.length <= maxLength) {
    return text;
  }
  let kept = '';
  for (const point of text.slice(0, maxLength)) {
    if (kept.length + point.length > maxLength - 1) {
      break;
    }
    kept += point;
  }
  return `${kept}…`;
}
