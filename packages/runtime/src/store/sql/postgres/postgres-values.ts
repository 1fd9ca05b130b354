import type pg from 'pg';
import type { SqlValue } from '../../unit.js';

type Parse = (text: string) => SqlValue;

/** The numbers of PostgreSQL's own types never change. */
const PARSERS: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  // bool: 0 and 1, as SQLite has it.
  [16, (text) => (text === 't' ? 1 : 0)],
  // bytea
  [17, (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))],
  // int8: the driver leaves it as text, so that a comparison of epochs would compare text.
  [20, parseInt8],
  // int2, int4, oid, float4, float8
  ...[21, 23, 26, 700, 701].map((oid): [number, Parse] => [oid, Number]),
]);

/** Reads values of a type as SQLite gives them out; what has no counterpart there stays text. */
export function parserOf(oid: number): Parse {
  return PARSERS.get(oid) ?? ((text) => text);
}

/** {@link parserOf}, as the driver takes it. */
export const postgresValues: pg.CustomTypesConfig = {
  getTypeParser: parserOf as typeof pg.types.getTypeParser,
};

function parseInt8(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}
