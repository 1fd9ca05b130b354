type ParsedInput = Readonly<Record<string, unknown>>;

/**
 * A copy of parsed arguments for code that must not change what runs afterwards. Objects and arrays
 * are copied; what a schema made of its own (a URL, an instance) is passed on as it is.
 */
export function copyInput(input: ParsedInput): ParsedInput {
  return copyValue(input, new Map()) as ParsedInput;
}

// Copies by object, so that a value that contains itself is copied once.
function copyValue(value: unknown, copies: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const known = copies.get(value);
  if (known !== undefined) {
    return known;
  }
  if (value instanceof Date) {
    return new Date(value);
  }
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    copies.set(value, items);
    for (const item of value as readonly unknown[]) {
      items.push(copyValue(item, copies));
    }
    return items;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    return value;
  }
  const fields: Record<string, unknown> = {};
  copies.set(value, fields);
  for (const [name, field] of Object.entries(value)) {
    // Defined rather than assigned: an argument may be named `__proto__`.
    Object.defineProperty(fields, name, {
      value: copyValue(field, copies),
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
  return fields;
}
