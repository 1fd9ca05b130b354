import { closest, distance } from 'fastest-levenshtein';

const MAX_DISTANCE_SHARE = 0.5;

/** ` Did you mean "…"?` for the known word nearest to a mistyped one; empty when none is near. */
export function suggest(written: string, known: readonly string[]): string {
  if (written === '' || known.length === 0) {
    return '';
  }
  const nearest = closest(written, known);
  return distance(written, nearest) <= Math.max(2, written.length * MAX_DISTANCE_SHARE)
    ? ` Did you mean "${nearest}"?`
    : '';
}
