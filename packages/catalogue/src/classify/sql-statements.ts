import type { Convergence } from '../model/effect.js';
import { cannotSay, reads, writes, type Judgement } from './judgement.js';
import { isRandomSqlFunction, judgeSqlFunction } from './sql-functions.js';
import type { SqlToken } from './sql-tokens.js';

/** Where the database is: in a file of this machine, or elsewhere. */
export type DatabasePlace = 'local' | 'remote';

const QUERY_WORDS = new Set(
  'SELECT VALUES TABLE FROM SHOW DESCRIBE DESC HELP SUMMARIZE PIVOT UNPIVOT FETCH LIST LS HANDLER EXISTS WATCH CHECKSUM CHECK GET'.split(
    ' ',
  ),
);

/** What only this connection or transaction sees. */
const CONTROL_WORDS = new Set(
  'BEGIN START COMMIT END ROLLBACK ABORT SAVEPOINT RELEASE SET RESET USE LISTEN UNLISTEN DISCARD DEALLOCATE DECLARE CLOSE LOCK UNLOCK PREPARE ATTACH DETACH LOAD PRINT GO WAITFOR CONNECT DISCONNECT MOVE OPEN'.split(
    ' ',
  ),
);

/**
 * Upkeep that changes no data. PostgreSQL allows it in a read-only transaction: its
 * `ClassifyUtilityCommandAsReadOnly` says that these "don't change the database state in a way that
 * would affect pg_dump output".
 */
const UPKEEP_WORDS = new Set(
  'VACUUM ANALYZE ANALYSE REINDEX CLUSTER CHECKPOINT OPTIMIZE CACHE UNCACHE'.split(' '),
);

/** Statements that set something to a stated state, or fail when it is there. */
const DEFINITION_WORDS: Readonly<Record<string, 'ensure' | 'set' | 'delete' | 'run' | 'append' | 'send'>> = {
  CREATE: 'ensure',
  ALTER: 'set',
  DROP: 'delete',
  UNDROP: 'ensure',
  TRUNCATE: 'delete',
  RENAME: 'set',
  COMMENT: 'set',
  GRANT: 'set',
  REVOKE: 'set',
  REASSIGN: 'set',
  SECURITY: 'set',
  REFRESH: 'set',
  IMPORT: 'append',
  EXPORT: 'set',
  BACKUP: 'append',
  RESTORE: 'set',
  KILL: 'delete',
  SHUTDOWN: 'run',
  RESTART: 'run',
  FLUSH: 'set',
  PURGE: 'delete',
  INSTALL: 'ensure',
  UNINSTALL: 'delete',
  UPDATE_STATISTICS: 'set',
  SYSTEM: 'set',
  NOTIFY: 'send',
  PUT: 'set',
  REMOVE: 'delete',
  RM: 'delete',
  DENY: 'set',
  REPAIR: 'set',
};

/** SQLite pragmas that write into the database file when they are given a value. */
const PERSISTENT_PRAGMA =
  /^(user_version|application_id|schema_version|auto_vacuum|encoding|page_size|writable_schema)$/i;

/** Stored procedures of SQL Server that only report. */
const REPORTING_PROCEDURE =
  /^\[?(sys\.|dbo\.)?\]?\[?(sp_(help\w*|columns\w*|tables\w*|who2?|spaceused|databases|depends|fkeys|pkeys|lock|stored_procedures|server_info|statistics|describe_\w+|readerrorlog|monitor|configure_get)|xp_(msver|fixeddrives|readerrorlog|loginconfig))\]?$/i;

/**
 * What a statement does, from its tokens alone: sound about whether it can write, coarse about
 * whether it converges. Holes stand for names and values, except where a statement begins with one.
 */
export function judgeStatementTokens(tokens: readonly SqlToken[], where: DatabasePlace): Judgement {
  const [first] = tokens;
  if (first === undefined) return reads('nothing', 'pure', 'the SQL text is empty');
  const inner = judgeWritesInside(tokens, where);
  if (first.kind === 'hole') {
    return inner ?? cannotSay(where, 'the SQL text begins with something that is not known');
  }
  if (first.kind === 'symbol' && first.text === '(') {
    return inner ?? reads(where, 'read', 'the SQL text queries');
  }
  const word = first.upper;
  if (word === 'EXPLAIN' || ((word === 'DESCRIBE' || word === 'DESC') && isQueryStart(tokens[1]))) {
    return judgeExplain(tokens, where);
  }
  if (word === 'WITH') return inner ?? reads(where, 'read', 'the SQL text queries');
  if (word === 'PRAGMA') return judgePragma(tokens, where);
  if (word === 'COPY') return judgeCopy(tokens, where);
  if (word === 'DO') return judgeBlock(tokens, where);
  if (word === 'CALL')
    return cannotSay(where, 'the SQL text calls a stored procedure, whose body is not here');
  if (word === 'EXEC' || word === 'EXECUTE') return judgeExecute(tokens, where);
  if (word === 'LOAD' && ['DATA', 'XML'].includes(tokens[1]?.upper ?? '')) {
    return writes(where, 'append', 'the SQL text loads rows');
  }
  if (word === 'SET' && ['GLOBAL', 'PERSIST'].includes(tokens[1]?.upper ?? '')) {
    return writes(where, 'set', 'the SQL text sets a global variable');
  }
  if (inner !== null) return inner;
  if (isTemporary(tokens)) return writes('session', 'ensure', 'the SQL text makes a temporary table');
  const definition = Object.hasOwn(DEFINITION_WORDS, word) ? DEFINITION_WORDS[word] : undefined;
  if (definition !== undefined) {
    return writes(where, definition, `the SQL text begins with ${word}`);
  }
  if (where === 'local' && word === 'ATTACH') {
    return cannotSay(where, 'ATTACH opens a database file, and makes one that is not there');
  }
  if (CONTROL_WORDS.has(word)) return reads(where, 'control', `${word} touches the connection alone`);
  if (where === 'local' && word === 'VACUUM') {
    return writes(where, 'set', 'VACUUM writes the database file anew, or another one');
  }
  if (UPKEEP_WORDS.has(word)) return reads(where, 'control', `${word} changes no data`);
  if (QUERY_WORDS.has(word)) return reads(where, 'read', 'the SQL text queries');
  return cannotSay(where, `the SQL text begins with ${first.text.slice(0, 40)}, which is no known statement`);
}

/** Statements that change rows, wherever in the text they stand; null when there is none. */
function judgeWritesInside(tokens: readonly SqlToken[], where: DatabasePlace): Judgement | null {
  const isDefinition = ['CREATE', 'ALTER', 'GRANT', 'REVOKE', 'DROP', 'DENY', 'COMMENT'].includes(
    tokens[0]?.upper ?? '',
  );
  if (isDefinition) return null;
  let uncertain: Judgement | null = null;
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token?.kind !== 'word') continue;
    const previous = tokens[index - 1]?.upper ?? '';
    const next = tokens[index + 1];
    const found = judgeChangeAt(tokens, index, previous, next, where);
    if (found !== null) return found;
    if (next?.text === '(' && previous !== 'INTO') {
      const called = judgeSqlFunction(qualifiedName(tokens, index), where);
      if (called?.certainty === 'always' && called.effect !== 'none') return called;
      uncertain ??= called?.effect === 'unknown' ? called : null;
    }
  }
  return uncertain;
}

function judgeChangeAt(
  tokens: readonly SqlToken[],
  index: number,
  previous: string,
  next: SqlToken | undefined,
  where: DatabasePlace,
): Judgement | null {
  const rest = tokens.slice(index + 1);
  switch (tokens[index]?.upper) {
    case 'INSERT':
      if (next === undefined || next.text === '(' || next.text === ',') return null;
      return writes(where, 'create', 'the SQL text inserts rows', { converges: insertConvergence(rest) });
    case 'REPLACE':
      if (next?.upper !== 'INTO' && !(index === 0 && next?.kind !== 'symbol')) return null;
      return writes(where, 'upsert', 'the SQL text replaces rows');
    case 'MERGE':
      if (next?.upper !== 'INTO' && index !== 0) return null;
      return writes(where, 'upsert', 'the SQL text merges rows', { converges: 'unknown' });
    case 'UPDATE':
      if (['FOR', 'KEY', 'DO', 'ON', 'OR', 'AFTER', 'BEFORE', 'THEN', 'OF', ','].includes(previous))
        return null;
      if (next === undefined || next.text === '(' || next.text === ',' || next.text === ')') return null;
      return writes(where, 'set', 'the SQL text updates rows', { converges: updateConvergence(rest) });
    case 'DELETE':
      if (['ON', 'OR', 'THEN', 'FOR'].includes(previous)) return null;
      if (next?.upper !== 'FROM' && index !== 0) return null;
      return rest.some(({ upper }) => upper === 'LIMIT')
        ? writes(where, 'pop', 'the SQL text deletes whichever row comes first', { converges: 'unknown' })
        : writes(where, 'delete', 'the SQL text deletes rows');
    case 'TRUNCATE':
      return next?.upper === 'TABLE' ? writes(where, 'delete', 'the SQL text empties a table') : null;
    case 'INTO':
      return judgeIntoAt(tokens, index, where);
    default:
      return null;
  }
}

/** `SELECT … INTO table`; `INTO @variable` and `INTO :bind` go to the connection. */
function judgeIntoAt(tokens: readonly SqlToken[], index: number, where: DatabasePlace): Judgement | null {
  const before = tokens.slice(0, index);
  const opener = before.findLast(({ upper }) =>
    ['SELECT', 'INSERT', 'MERGE', 'REPLACE', 'RETURNING', 'FETCH'].includes(upper),
  );
  const target = tokens[index + 1];
  if (opener?.upper !== 'SELECT' || target === undefined) return null;
  if (/^[@:]/.test(target.text) || target.kind === 'string') return null;
  if (['OUTFILE', 'DUMPFILE'].includes(target.upper))
    return writes(where, 'ensure', 'the SQL text writes a file of the server');
  if (/^(#|TEMP$|TEMPORARY$)/.test(target.upper))
    return writes('session', 'ensure', 'the SQL text fills a temporary table');
  return writes(where, 'ensure', 'the SQL text selects into a new table');
}

function insertConvergence(rest: readonly SqlToken[]): Convergence {
  const words = rest.map(({ upper }) => upper);
  if (words[0] === 'IGNORE' || (words[0] === 'OR' && ['IGNORE', 'REPLACE'].includes(words[1] ?? '')))
    return 'yes';
  if (words[0] === 'OVERWRITE') return 'yes';
  const conflict = words.findIndex(
    (word, index) => word === 'ON' && ['CONFLICT', 'DUPLICATE'].includes(words[index + 1] ?? ''),
  );
  if (conflict === -1)
    return words.some((word, index) => word === 'NOT' && words[index + 1] === 'EXISTS') ? 'yes' : 'no';
  const after = words.slice(conflict);
  const isRandom = rest.some(({ text, kind }) => kind === 'word' && isRandomSqlFunction(text));
  if (!isRandom && after.some((word, index) => word === 'DO' && after[index + 1] === 'NOTHING')) return 'yes';
  return 'unknown';
}

/** `n = n + …` doesn't converge; what is more subtle is left to the parser. */
function updateConvergence(rest: readonly SqlToken[]): Convergence {
  for (let index = 0; index + 3 < rest.length; index += 1) {
    const [name, equals, same, operator] = rest.slice(index, index + 4);
    if (equals?.text !== '=' || name?.upper !== same?.upper || name === undefined || name.kind === 'hole')
      continue;
    const isCompared = rest
      .slice(index + 4)
      .some(({ upper }, at, all) => upper === name.upper && all[at + 1]?.text === '=');
    if (/^[-+*/|]$/.test(operator?.text ?? '') && !isCompared) return 'no';
  }
  return 'unknown';
}

function judgeExplain(tokens: readonly SqlToken[], where: DatabasePlace): Judgement {
  const start = tokens.findIndex(
    ({ upper, kind }, index) => index > 0 && (isStatementWord(upper) || kind === 'hole'),
  );
  const options = start === -1 ? tokens : tokens.slice(0, start);
  const analyze = options.findIndex(({ upper }) => upper === 'ANALYZE' || upper === 'ANALYSE');
  const isOff = ['FALSE', 'OFF', '0'].includes(options[analyze + 1]?.upper ?? '');
  if (analyze === -1 || isOff || start === -1) return reads(where, 'read', 'EXPLAIN runs nothing');
  return judgeStatementTokens(tokens.slice(start), where);
}

const STATEMENT_WORD =
  /^(SELECT|WITH|INSERT|UPDATE|DELETE|MERGE|REPLACE|VALUES|TABLE|EXECUTE|CREATE|DECLARE|REFRESH)$/;

function isStatementWord(upper: string): boolean {
  return STATEMENT_WORD.test(upper);
}

function isQueryStart(token: SqlToken | undefined): boolean {
  return token !== undefined && /^(SELECT|WITH|INSERT|UPDATE|DELETE|ANALYZE)$/.test(token.upper);
}

function judgePragma(tokens: readonly SqlToken[], where: DatabasePlace): Judgement {
  const equals = tokens.findIndex(({ text }) => text === '=');
  const name = (equals === -1 ? tokens[1] : tokens[equals - 1])?.text.replace(/["'`]/g, '') ?? '';
  const qualified = tokens[2]?.text === '.' ? (tokens[3]?.text ?? '') : name;
  const isPersistent = PERSISTENT_PRAGMA.test(qualified);
  if (tokens[1]?.kind === 'hole') return cannotSay(where, 'the name of the PRAGMA is not known');
  if (isPersistent && (equals !== -1 || tokens.some(({ text }) => text === '('))) {
    return writes(where, 'set', `PRAGMA ${qualified} sets a value of the database file`);
  }
  if (/^incremental_vacuum$/i.test(qualified)) {
    return writes(where, 'set', 'PRAGMA incremental_vacuum shrinks the database file');
  }
  return equals === -1
    ? reads(where, 'read', `PRAGMA ${qualified} reads`)
    : reads(where, 'control', `PRAGMA ${qualified} sets up the connection`);
}

function judgeCopy(tokens: readonly SqlToken[], where: DatabasePlace): Judgement {
  let depth = 0;
  for (const token of tokens) {
    if (token.text === '(') depth += 1;
    else if (token.text === ')') depth -= 1;
    else if (depth === 0 && token.upper === 'FROM') return writes(where, 'append', 'COPY loads rows');
    else if (depth === 0 && token.upper === 'STDOUT') return reads(where, 'read', 'COPY to the client reads');
    else if (depth === 0 && token.upper === 'INTO')
      return writes(where, 'append', 'COPY loads rows', { converges: 'unknown' });
  }
  return writes(where, 'set', 'COPY writes a file of the server');
}

function judgeBlock(tokens: readonly SqlToken[], where: DatabasePlace): Judgement {
  const body = tokens.find(({ kind }) => kind === 'string')?.text ?? '';
  const isWriting =
    /\b(insert\s+into|update|delete\s+from|truncate|create|alter|drop|merge|copy|notify|perform|execute)\b/i.test(
      body,
    );
  return isWriting
    ? writes(where, 'write', 'the DO block changes data')
    : cannotSay(where, 'the DO block runs procedural code');
}

function judgeExecute(tokens: readonly SqlToken[], where: DatabasePlace): Judgement {
  const name = tokens
    .slice(1, 6)
    .filter(({ kind, text }) => kind !== 'symbol' || text === '.')
    .map(({ text }) => text)
    .join('');
  if (REPORTING_PROCEDURE.test(name)) return reads(where, 'read', `${name} reports`);
  return cannotSay(where, 'the SQL text executes something whose body is not here');
}

function isTemporary(tokens: readonly SqlToken[]): boolean {
  const words = tokens.slice(0, 5).map(({ upper }) => upper);
  if (words[0] !== 'CREATE') return false;
  return (
    words.includes('TEMP') || words.includes('TEMPORARY') || (words[1] === 'TABLE' && tokens[2]?.text === '#')
  );
}

/** `schema.name` where the token at `index` is the last part. */
function qualifiedName(tokens: readonly SqlToken[], index: number): string {
  const name = tokens[index]?.text ?? '';
  const schema = tokens[index - 2];
  return tokens[index - 1]?.text === '.' && schema !== undefined ? `${schema.text}.${name}` : name;
}
