/**
 * What is known on a path about values that have several forms: for each subject (a result whose kind
 * is open, a field that may be empty, a variable that holds one of several values) the forms that are
 * still possible, as a bit mask. A subject without an entry can have any form.
 */
export type Guard = ReadonlyMap<number, number>;

export const NO_GUARD: Guard = new Map();

/** Forms of a field that may be empty. */
export const EMPTY = 1;
export const PRESENT = 2;

/** Both hold. Null when they contradict each other: no path has both. */
export function both(a: Guard, b: Guard): Guard | null {
  if (a.size === 0 || a === b) {
    return b;
  }
  if (b.size === 0) {
    return a;
  }
  const merged = new Map(a);
  for (const [subject, forms] of b) {
    const known = merged.get(subject);
    const left = known === undefined ? forms : known & forms;
    if (left === 0) {
      return null;
    }
    merged.set(subject, left);
  }
  return merged;
}

/** Either holds: what is known of a subject in both, joined. */
export function either(a: Guard, b: Guard): Guard {
  if (a.size === 0 || b.size === 0) {
    return NO_GUARD;
  }
  if (a === b) {
    return a;
  }
  const joined = new Map<number, number>();
  for (const [subject, forms] of a) {
    const other = b.get(subject);
    if (other !== undefined) {
      joined.set(subject, forms | other);
    }
  }
  return joined.size === 0 ? NO_GUARD : joined;
}

/** What a guard says beyond another one. */
export function beyond(guard: Guard, base: Guard): Guard {
  if (guard.size === 0 || guard === base) {
    return NO_GUARD;
  }
  let more: Map<number, number> | null = null;
  for (const [subject, forms] of guard) {
    if (base.get(subject) !== forms) {
      more ??= new Map();
      more.set(subject, forms);
    }
  }
  return more ?? NO_GUARD;
}

export function without(guard: Guard, isDropped: (subject: number) => boolean): Guard {
  let kept: Map<number, number> | null = null;
  for (const subject of guard.keys()) {
    if (isDropped(subject)) {
      kept ??= new Map(guard);
      kept.delete(subject);
    }
  }
  return kept === null ? guard : kept.size === 0 ? NO_GUARD : kept;
}

export function guardKey(guard: Guard): string {
  return guard.size === 0
    ? ''
    : [...guard]
        .sort(([a], [b]) => a - b)
        .map(([subject, forms]) => `${String(subject)}=${String(forms)}`)
        .join(',');
}
