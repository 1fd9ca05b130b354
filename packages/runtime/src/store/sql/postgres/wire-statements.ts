import { RuntimeError } from '../../../errors.js';
import type { Statement } from '../../unit.js';

/** What tells the refusal of an expectation from every other error of the server. */
const REFUSAL = 'toolwright rows';
const REFUSAL_STATE = '22P02';
const REFUSAL_MESSAGE = new RegExp(`"${REFUSAL} (\\d+)"`);

/** A connection keeps so many statements prepared at most; the store has fewer that come again. */
const MAX_PREPARED = 200;

/** A statement as the server is sent it. */
export interface WireStatement {
  /** Under which a connection keeps it prepared; null for one that is not worth it. */
  readonly name: string | null;
  readonly text: string;
  /** What sees the statements before it only when it is not prepared before they ran: a read, or one of a new table. */
  readonly isLate: boolean;
  /** Whether its answer has rows that are the statement's own. */
  readonly hasRows: boolean;
  /** What is left to look at in its answer: how many rows; null where any number does. */
  readonly expected: number | null;
  /** Whether its answer is one row with the number of rows that it touched. */
  readonly isCounted: boolean;
}

/** How many rows a statement touched that was expected to touch another number; null for every other error. */
export function refusedRows(code: string, error: unknown): number | null {
  const message = error instanceof Error ? error.message : '';
  const rows = code === REFUSAL_STATE ? REFUSAL_MESSAGE.exec(message)?.[1] : undefined;
  return rows === undefined ? null : Number(rows);
}

/**
 * Statements with what is expected of them made a part of their SQL: the server itself breaks a unit off, so that
 * nobody has to look at an answer before the rest is sent.
 */
export class WireStatements {
  readonly #known = new Map<string, { uses: number; wire: WireStatement }>();
  #named = 0;

  of(unit: readonly Statement[]): readonly WireStatement[] {
    // Where nothing else is changed, a statement that touches nothing leaves nothing to take back. That is an answer
    // without an error, which would stand in the log of the server each time that two workers want one run.
    const isOneChange = unit.filter(({ sql }) => kindOf(sql) !== 'select').length === 1;
    return unit.map((statement) => this.#of(statement, isOneChange && kindOf(statement.sql) !== 'select'));
  }

  #of({ sql, rows }: Statement, isOnlyChange: boolean): WireStatement {
    const key = `${rows} ${isOnlyChange} ${sql}`;
    let known = this.#known.get(key);
    if (known === undefined) {
      if (this.#known.size >= MAX_PREPARED) {
        return wireStatement(sql, rows, isOnlyChange);
      }
      known = { uses: 0, wire: wireStatement(sql, rows, isOnlyChange) };
      this.#known.set(key, known);
    }
    known.uses += 1;
    if (known.uses === 2) {
      this.#named += 1;
      known.wire = { ...known.wire, name: `unit_${this.#named}` };
    }
    return known.wire;
  }
}

function wireStatement(sql: string, rows: number | 'any', isOnlyChange: boolean): WireStatement {
  const kind = kindOf(sql);
  const isRead = kind === 'select';
  const isLate = isRead || kind === 'other';
  const hasRows = isRead || /\breturning\b/i.test(sql);
  if (rows === 'any') {
    return { name: null, text: sql, isLate, hasRows, isCounted: false, expected: null };
  }
  if (kind === 'other') {
    throw new RuntimeError(
      'INTERNAL',
      'Cannot store in PostgreSQL: expected a statement with a number of rows to begin with select, insert, update or ' +
        `delete, found ${JSON.stringify(sql.slice(0, 40))}. Say rows: 'any', or write it as one of them.`,
    );
  }
  const wire = { name: null, isLate, hasRows, isCounted: !hasRows, expected: rows };
  const refuse = `('${REFUSAL} ' || n)::int`;
  if (hasRows) {
    const found = `with found as (${sql}), counted as (select count(*) as n from found)`;
    const nothing = isOnlyChange ? 'when n = 0 then false ' : '';
    const all = `case ${nothing}when n = ${rows} then n > 0 else ${refuse} = 0 end`;
    return { ...wire, text: `${found} select found.* from counted left join found on true where ${all}` };
  }
  const counted = `with found as (${sql} returning 1), counted as (select count(*) as n from found)`;
  const isFine = isOnlyChange ? `n in (0, ${rows})` : `n = ${rows}`;
  return {
    ...wire,
    text: `${counted} select case when ${isFine} then n else ${refuse} end as n from counted`,
  };
}

function kindOf(sql: string): 'select' | 'change' | 'other' {
  const verb = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? '';
  if (verb === 'select') return 'select';
  return ['insert', 'update', 'delete'].includes(verb) ? 'change' : 'other';
}
