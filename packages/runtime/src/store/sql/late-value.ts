import { RuntimeError } from '../../errors.js';
import type { SqlValue } from '../unit.js';

/** What a statement is filled in with each time that it is used. */
export type StatementValues = Readonly<Record<string, SqlValue>>;

/** Stands for a parameter in a query that is compiled once and used with other values each time. */
export class LateValue {
  readonly read: (values: StatementValues) => SqlValue;

  constructor(read: (values: StatementValues) => SqlValue) {
    this.read = read;
  }

  /** It has no value while the query is built, so nothing may be computed with it there. */
  [Symbol.toPrimitive](): never {
    throw new RuntimeError(
      'INTERNAL',
      'Cannot build the shape of a statement: expected a value to be passed on, found that it was computed with. ' +
        'Compute before the shape is asked for, or in SQL.',
    );
  }
}

export type MaybeLate = SqlValue | LateValue;

/** Parameters as a database takes them. */
export function filled(parameters: readonly MaybeLate[], values: StatementValues): readonly SqlValue[] {
  return parameters.map((parameter) => (parameter instanceof LateValue ? parameter.read(values) : parameter));
}
