import { init, parse } from '@guanmingchiu/sqlparser-ts';

import { CatalogueError } from '../errors.js';
import { isSaidByModel, textPartsOf, type AbstractValue } from '../model/abstract-value.js';
import type { SqlDialect } from '../model/library-file.js';
import { cannotSay, dependsOn, joinSequence, reads, worseOf, type Judgement } from './judgement.js';
import { judgeStatementTokens, type DatabasePlace } from './sql-statements.js';
import { findChanges } from './sql-syntax.js';
import { HOLE_NAME, splitStatements, tokenizeSql, type SqlStatementText } from './sql-tokens.js';

/** Reads one statement into the parser's tree; throws when the text is not of the dialect. */
export type SqlParser = (text: string, dialect: SqlDialect) => unknown;

export interface SqlOptions {
  readonly dialect?: SqlDialect;
  readonly where?: DatabasePlace;
  /** Holes are parameters (a tagged template), not text that is pasted in. */
  readonly areHolesParameters?: boolean;
  /** Null: judge by tokens alone. Default: the parser of `prepareSqlParser`, once it is there. */
  readonly parser?: SqlParser | null;
}

let prepared: SqlParser | null = null;

/**
 * Loads the SQL parser (WebAssembly, some tens of milliseconds). Until then SQL is judged by its
 * tokens, which is as sound about writes and coarser about whether they converge.
 */
export async function prepareSqlParser(): Promise<void> {
  if (prepared !== null) return;
  try {
    await init();
  } catch (error) {
    throw new CatalogueError(
      'PARSER_UNAVAILABLE',
      'Loading the SQL parser failed: its WebAssembly module could not be started. Reinstall @guanmingchiu/sqlparser-ts, or classify by tokens with `parser: null`.',
      { cause: error },
    );
  }
  prepared = (text, dialect) => parse(text, dialect);
}

/** What running a text of SQL does, all its statements together. Never throws. */
export function classifySql(sql: string | AbstractValue, options: SqlOptions = {}): Judgement {
  const where = options.where ?? 'remote';
  const value: AbstractValue = typeof sql === 'string' ? { kind: 'constant', value: sql } : sql;
  const parts = textPartsOf(value);
  if (parts === null) return cannotSay(where, 'the SQL text is not known');
  if (parts.every((part) => part.trim() === '') && parts.length > 1) {
    return dependsOn(value, '0', cannotSay(where, 'the SQL text is not known'), 'is SQL that changes data');
  }
  const dialect = options.dialect ?? 'generic';
  const text = parts.join(HOLE_NAME);
  const statements = splitStatements(text, tokenizeSql(text, dialect === 'mysql'));
  const parser = options.parser === undefined ? prepared : options.parser;
  const judgements = statements.map((statement) => judgeStatement(statement, dialect, where, parser));
  const joined = joinSequence(judgements, reads('nothing', 'pure', 'the SQL text is empty'));
  // A tagged piece that begins no statement is a fragment, to be put into another one.
  if (options.areHolesParameters === true && joined.effect === 'unknown' && isFragment(statements)) {
    return reads('nothing', 'pure', 'it is a fragment of SQL');
  }
  const hasPastedHole = parts.length > 1 && options.areHolesParameters !== true;
  // What a model says, as it says it, may end the statement and begin another one.
  if (hasPastedHole && joined.effect === 'none' && isSaidByModel(value)) {
    return dependsOn(
      value,
      '0',
      cannotSay(where, joined.reason),
      'puts a statement into the SQL text that changes data',
    );
  }
  if (joined.effect === 'unknown' && parts.length > 1) {
    return dependsOn(value, '0', joined, 'puts a statement into the SQL text that changes data');
  }
  return hasPastedHole && joined.effect === 'none' ? { ...joined, confidence: 'by-name' } : joined;
}

const FRAGMENT_START =
  /^(WHERE|AND|OR|NOT|ON|ORDER|GROUP|HAVING|LIMIT|OFFSET|JOIN|LEFT|RIGHT|INNER|CROSS|FULL|UNION|RETURNING|CASE|EXISTS|IN|LIKE|ILIKE|BETWEEN|IS|AS|ASC|DESC|COALESCE|COUNT|LOWER|UPPER|NOW|NULL|TRUE|FALSE|INTERVAL|CAST|\*|,|[(])$/;

function isFragment(statements: readonly SqlStatementText[]): boolean {
  const first = statements[0]?.tokens[0];
  if (statements.length !== 1 || first === undefined) return false;
  const isName =
    first.kind === 'quoted-name' ||
    first.kind === 'string' ||
    first.kind === 'number' ||
    first.kind === 'hole';
  const second = statements[0]?.tokens[1]?.text ?? '';
  const isCall = second === '(' && !/^(CALL|EXEC|EXECUTE)$/.test(first.upper);
  return isName || isCall || FRAGMENT_START.test(first.upper) || /^[=<>+.-]$/.test(second);
}

function judgeStatement(
  statement: SqlStatementText,
  dialect: SqlDialect,
  where: DatabasePlace,
  parser: SqlParser | null,
): Judgement {
  const byTokens = judgeStatementTokens(statement.tokens, where);
  // Only row changes and calls need the tree: what else a statement does, its first words say.
  const tree = parser === null ? null : parseLeniently(statement.text, dialect, parser);
  if (tree === null || isOverruled(statement)) return byTokens;
  const { changes, uncertain } = findChanges(tree, where);
  if (changes.length > 0) return joinSequence(changes, byTokens);
  const [doubt] = uncertain;
  if (doubt !== undefined) return worseOf(byTokens, doubt);
  return byTokens;
}

/** Statements that hold a query which they don't run, or which runs later. */
function isOverruled({ tokens }: SqlStatementText): boolean {
  const first = tokens[0]?.upper ?? '';
  return /^(EXPLAIN|DESCRIBE|DESC|CREATE|ALTER|GRANT|REVOKE|DROP|PREPARE|COPY|PRAGMA|DO|DENY|COMMENT)$/.test(
    first,
  );
}

const FALLBACK_DIALECTS: readonly SqlDialect[] = ['generic', 'postgresql', 'mysql', 'sqlite'];

function parseLeniently(text: string, dialect: SqlDialect, parser: SqlParser): unknown {
  const dialects = new Set([dialect, ...FALLBACK_DIALECTS]);
  for (const candidate of dialects) {
    try {
      return parser(text, candidate);
    } catch {
      // The next dialect may know the syntax; the tokens decide when none does.
    }
  }
  return null;
}
