import type { AbstractValue, CatalogueValue } from '@toolwright/catalogue';

/** Where in a library a value comes from: how the catalogue of effects knows it. */
export interface LibraryOrigin {
  /** As imported; `globalThis` for globals. */
  readonly module: string;
  /** From the module on: names, `()` for what a call gives, `new()` for an instance. */
  readonly path: readonly string[];
  /** The catalogue's own view of it; null where it knows nothing of it. */
  readonly value: CatalogueValue | null;
  /** The call or construction that gave it, with its arguments; null for an export or a member of one. */
  readonly made: MadeValue | null;
}

export type MadeValue = Extract<AbstractValue, { kind: 'made' }>;

/** A text that was put together, the JSON of a value, or a sum: what its parts are. */
export type TextParts<V> =
  | { readonly kind: 'template'; readonly parts: readonly V[] }
  | { readonly kind: 'json'; readonly value: V }
  /** A number that is another one plus or minus something. */
  | { readonly kind: 'sum'; readonly of: V };

const KEYS = new WeakMap<LibraryOrigin, string>();

/** Two origins with one key are the same. */
export function originKey(origin: LibraryOrigin | null): string {
  if (origin === null) {
    return '';
  }
  let key = KEYS.get(origin);
  if (key === undefined) {
    const made = origin.made === null ? '' : JSON.stringify(origin.made.arguments, printable);
    key = `${origin.module}#${origin.path.join('.')}#${origin.value?.types.join(',') ?? ''}#${made}`;
    KEYS.set(origin, key);
  }
  return key;
}

function printable(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${String(value)}n` : value === undefined ? 'undefined' : value;
}
