/** Why a value could not be kept. */
export type JsonDropReason = 'too_large' | 'too_deep' | 'not_json';

/** A plain copy of a value as JSON would hold it, or why there is none. */
export type BoundedJson =
  | { readonly ok: true; readonly value: unknown; readonly bytes: number }
  | { readonly ok: false; readonly reason: JsonDropReason };

/** Unwinds the copy; never leaves this module. */
class Dropped extends Error {
  readonly reason: JsonDropReason;

  constructor(reason: JsonDropReason) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Copies foreign data into plain JSON within a budget of bytes and depth. The copy is cut off from the
 * original, so that a later mutation changes nothing, and nothing in the value can make it throw: a
 * cycle, a BigInt, a throwing getter, `toJSON` or Proxy ends in `ok: false`.
 */
export function boundedJson(
  value: unknown,
  limits: { readonly maxBytes: number; readonly maxDepth: number },
): BoundedJson {
  const budget = { left: limits.maxBytes };
  try {
    const copy = copyValue(value, '', 0, limits.maxDepth, budget);
    if (copy === undefined) {
      return { ok: false, reason: 'not_json' };
    }
    return { ok: true, value: copy, bytes: limits.maxBytes - budget.left };
  } catch (error) {
    return { ok: false, reason: error instanceof Dropped ? error.reason : 'not_json' };
  }
}

interface Budget {
  left: number;
}

function spend(budget: Budget, bytes: number): void {
  budget.left -= bytes;
  if (budget.left < 0) {
    throw new Dropped('too_large');
  }
}

function copyValue(value: unknown, key: string, depth: number, maxDepth: number, budget: Budget): unknown {
  switch (typeof value) {
    case 'string':
      return copyText(value, budget);
    case 'boolean':
      spend(budget, value ? 4 : 5);
      return value;
    case 'number':
      spend(budget, Number.isFinite(value) ? String(value).length : 4);
      return Number.isFinite(value) ? value : null;
    case 'bigint':
      throw new Dropped('not_json');
    case 'object':
      return value === null ? copyNull(budget) : copyObject(value, key, depth, maxDepth, budget);
    default:
      return undefined;
  }
}

function copyNull(budget: Budget): null {
  spend(budget, 4);
  return null;
}

function copyText(text: string, budget: Budget): string {
  // The length in UTF-16 units is a lower bound, so a huge text is refused before it is encoded.
  if (text.length > budget.left) {
    throw new Dropped('too_large');
  }
  spend(budget, Buffer.byteLength(JSON.stringify(text), 'utf8'));
  return text;
}

function copyObject(value: object, key: string, depth: number, maxDepth: number, budget: Budget): unknown {
  // A cycle ends here too.
  if (depth >= maxDepth) {
    throw new Dropped('too_deep');
  }
  const toJson: unknown = (value as { readonly toJSON?: unknown }).toJSON;
  if (typeof toJson === 'function') {
    const replaced: unknown = toJson.call(value, key);
    return copyValue(replaced, key, depth + 1, maxDepth, budget);
  }
  spend(budget, 2);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (let index = 0; index < value.length; index += 1) {
      spend(budget, index === 0 ? 0 : 1);
      items.push(copyValue(value[index], String(index), depth + 1, maxDepth, budget) ?? copyNull(budget));
    }
    return items;
  }
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const member = copyValue(
      (value as Readonly<Record<string, unknown>>)[name],
      name,
      depth + 1,
      maxDepth,
      budget,
    );
    if (member !== undefined) {
      spend(budget, Buffer.byteLength(JSON.stringify(name), 'utf8') + 2);
      // Defined, not assigned: the name `__proto__` must stay data.
      Object.defineProperty(copy, name, {
        value: member,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
  }
  return copy;
}
