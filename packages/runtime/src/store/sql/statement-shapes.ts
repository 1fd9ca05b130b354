import type { Compilable } from 'kysely';
import type { Statement } from '../unit.js';
import { filled, LateValue, type MaybeLate, type StatementValues } from './late-value.js';

interface Shape {
  readonly sql: string;
  readonly parameters: readonly MaybeLate[];
}

/**
 * Statements that are built and compiled at their first use, and from then on only filled in: building one takes
 * longer than running it. The text of one shape stays the same string, so that a database can keep it prepared.
 */
export class StatementShapes {
  readonly #shapes = new Map<string, Shape>();

  /**
   * @param name of the shape. Whatever the build branches on is part of it; there are few of them, as none is forgotten.
   * @param values what differs from use to use
   * @param build gets a stand-in for each of the values
   */
  statement<V extends StatementValues>(
    name: string,
    values: V,
    rows: number | 'any',
    build: (late: V) => Compilable,
  ): Statement {
    let shape = this.#shapes.get(name);
    if (shape === undefined) {
      const { sql, parameters } = build(lateValues(values)).compile();
      shape = { sql, parameters: parameters as readonly MaybeLate[] };
      this.#shapes.set(name, shape);
    }
    return { sql: shape.sql, parameters: filled(shape.parameters, values), rows };
  }
}

function lateValues<V extends StatementValues>(values: V): V {
  const late = Object.keys(values).map(
    (name) => [name, new LateValue((given) => given[name] ?? null)] as const,
  );
  // They stand where a query builder takes values, which it passes on without a look at them.
  return Object.fromEntries(late) as unknown as V;
}
