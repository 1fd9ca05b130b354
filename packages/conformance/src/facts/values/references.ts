/**
 * Which preserved values a value derives from: `12.content` is the field `content` of the value 12,
 * `12.*` the value 12 as a whole.
 */
export type References = ReadonlySet<string>;

export const NO_REFERENCES: References = new Set();
export const WHOLE = '*';

export function reference(id: number, field: string): string {
  return `${String(id)}.${field}`;
}

export function parseReference(text: string): { readonly id: number; readonly field: string } {
  const dot = text.indexOf('.');
  return { id: Number(text.slice(0, dot)), field: text.slice(dot + 1) };
}

export function union(a: References, b: References): References {
  if (a.size === 0 || a === b) {
    return b;
  }
  if (b.size === 0) {
    return a;
  }
  let isNew = false;
  for (const one of b) {
    if (!a.has(one)) {
      isNew = true;
      break;
    }
  }
  return isNew ? new Set([...a, ...b]) : a;
}

export function referencesKey(references: References): string {
  return references.size === 0 ? '' : [...references].sort().join(',');
}
