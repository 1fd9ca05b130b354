// C0, DEL and C1 can only come from a mistake or an attack on a log, and PostgreSQL keeps no NUL; no database keeps half of a
// surrogate pair as it is: two names that differ in one would become the same.
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;

/** Whether every database keeps a name as it is: no control character in it, and no half of a surrogate pair. */
export function isStorableName(name: string): boolean {
  return !UNSTORABLE.test(name);
}
