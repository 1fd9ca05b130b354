import type { EffectClass, PathFacts, ReachFacts } from '../../model/effect-facts.js';

/** From the mildest on. */
const CLASSES: readonly EffectClass[] = ['none', 'session', 'local', 'remote', 'content'];

/** What several bodies of one tool reach together; null where there is none, or one of them is not known. */
export function joinReach(parts: readonly (ReachFacts | null)[]): ReachFacts | null {
  const [first, ...more] = allOf(parts) ?? [];
  if (first === undefined) {
    return null;
  }
  return more.reduce(
    (all, one): ReachFacts => ({
      worst: CLASSES.indexOf(one.worst) > CLASSES.indexOf(all.worst) ? one.worst : all.worst,
      writes: [...all.writes, ...one.writes],
      unresolved: [...all.unresolved, ...one.unresolved],
      readsByName: [...new Set([...all.readsByName, ...one.readsByName])],
      assumed: [...new Set([...all.assumed, ...one.assumed])],
    }),
    first,
  );
}

/** The same for what the paths of each body say. */
export function joinPaths(parts: readonly (PathFacts | null)[]): PathFacts | null {
  const known = allOf(parts);
  return known === null
    ? null
    : {
        falseClaims: known.flatMap(({ falseClaims }) => falseClaims),
        claims: known.reduce((all, { claims }) => all + claims, 0),
        lateFailures: known.flatMap(({ lateFailures }) => lateFailures),
        errorTexts: known.flatMap(({ errorTexts }) => errorTexts),
      };
}

/** Null where there is none, or one of several is not known. */
export function allOf<T>(parts: readonly (T | null)[]): readonly T[] | null {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 || known.length < parts.length ? null : known;
}
