import { SdkError } from '../errors.js';
import { isStorableName } from './storable-name.js';

const MAX_LENGTH = 255;

/**
 * Which record a tool wrote: a table and a uid, and nothing else.
 *
 * Instances are frozen and branded, so an object literal of the same shape is not a write target.
 * Make one with {@link WriteTarget.of}.
 */
export class WriteTarget {
  // A private member brands the type; a private constructor alone would not.
  readonly #brand = true;
  /** Table or collection, 1 to 255 characters, no control characters and no half of a surrogate pair. */
  readonly table: string;
  /** A string of 1 to 255 characters as in `table`, or a positive safe integer. Compared as strings. */
  readonly uid: string | number;

  private constructor(table: string, uid: string | number) {
    assertTable(table);
    assertUid(uid);
    this.table = table;
    this.uid = uid;
    Object.freeze(this);
  }

  /**
   * @throws SdkError with code `INVALID_WRITE_TARGET` when the table or the uid is out of its range.
   */
  static of(table: string, uid: string | number): WriteTarget {
    return new WriteTarget(table, uid);
  }

  /** Whether a value was made by {@link WriteTarget.of} of this copy of the SDK. */
  static is(value: unknown): value is WriteTarget {
    return typeof value === 'object' && value !== null && #brand in value;
  }

  /** Whether two targets name the same record. The uid `12` and the uid `"12"` are the same. */
  equals(other: WriteTarget): boolean {
    return this.table === other.table && String(this.uid) === String(other.uid);
  }
}

function assertTable(table: unknown): void {
  assertName('table', table, 'a string');
}

function assertUid(uid: unknown): void {
  const expected = 'a positive safe integer or a non-empty string';
  if (typeof uid !== 'number') {
    assertName('uid', uid, expected);
  } else if (!Number.isSafeInteger(uid) || uid <= 0) {
    throw invalid('uid', expected, String(uid));
  }
}

function assertName(field: 'table' | 'uid', value: unknown, expected: string): void {
  if (typeof value !== 'string') {
    throw invalid(field, expected, value === null ? 'null' : typeof value);
  }
  if (value.length === 0 || value.length > MAX_LENGTH) {
    throw invalid(field, `1 to ${String(MAX_LENGTH)} characters long`, `${String(value.length)} characters`);
  }
  if (!isStorableName(value)) {
    throw invalid(field, 'free of control characters and of halves of surrogate pairs', 'at least one');
  }
}

function invalid(field: string, expected: string, found: string): SdkError {
  return new SdkError(
    'INVALID_WRITE_TARGET',
    `Cannot make a write target: expected ${field} to be ${expected}, found ${found}. ` +
      'Name the one record that the call wrote.',
  );
}
