/** A token of SQL text. Comments are none; what stands in quotes is one token. */
export interface SqlToken {
  readonly kind: 'word' | 'quoted-name' | 'string' | 'number' | 'symbol' | 'hole';
  readonly text: string;
  /** In capitals, for words. */
  readonly upper: string;
  readonly start: number;
  readonly end: number;
}

/** What stands for a hole of a template: a name that no schema has. */
export const HOLE_NAME = 'toolwright_hole';

/** One statement: its tokens, without the semicolon, and its text. */
export interface SqlStatementText {
  readonly tokens: readonly SqlToken[];
  readonly text: string;
}

const SPACE = /\s/;
const WORD_START = /[A-Za-z_\u0080-\uffff@:$]/;
const WORD_PART = /[A-Za-z0-9_$\u0080-\uffff]/;

/**
 * Reads SQL of any dialect into tokens. It never fails: what is unclosed ends with the text.
 * MySQL's executable comments are read as code. `#` starts a comment in MySQL alone, because it is an
 * operator elsewhere.
 */
export function tokenizeSql(text: string, isMysql = false): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  let at = 0;
  const push = (kind: SqlToken['kind'], end: number): void => {
    const slice = text.slice(at, end);
    const isHole = kind === 'word' && slice.toLowerCase().includes(HOLE_NAME);
    tokens.push({ kind: isHole ? 'hole' : kind, text: slice, upper: slice.toUpperCase(), start: at, end });
    at = end;
  };
  while (at < text.length) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    if (SPACE.test(char)) at += 1;
    else if (char === '-' && next === '-') at = endOfLine(text, at);
    else if (char === '#' && isMysql) at = endOfLine(text, at);
    else if (char === '/' && next === '*') {
      if (text.charAt(at + 2) === '!') at = afterDigits(text, at + 3);
      else at = endOfBlockComment(text, at);
    } else if (char === '*' && next === '/') at += 2;
    else if (char === "'")
      push('string', endOfQuoted(text, at, "'", isMysql || isEscapeString(tokens, text, at)));
    else if (char === '"') push('quoted-name', endOfQuoted(text, at, '"', isMysql));
    else if (char === '`') push('quoted-name', endOfQuoted(text, at, '`', false));
    else if (char === '[' && isBracketName(text, at)) push('quoted-name', text.indexOf(']', at) + 1);
    else if (char === '$' && dollarTag(text, at) !== null) push('string', endOfDollarQuoted(text, at));
    else if (/[0-9]/.test(char)) push('number', endWhile(text, at, /[0-9A-Za-z_.]/));
    else if (WORD_START.test(char) && (char !== ':' || WORD_PART.test(next))) {
      push('word', endWhile(text, at + 1, WORD_PART));
    } else push('symbol', at + 1);
  }
  return tokens;
}

/** Splits at semicolons; the body of a trigger, a routine or a block stays with its head. */
export function splitStatements(text: string, tokens: readonly SqlToken[]): readonly SqlStatementText[] {
  const statements: SqlStatementText[] = [];
  let current: SqlToken[] = [];
  const close = (): void => {
    const first = current[0];
    const last = current[current.length - 1];
    if (first !== undefined && last !== undefined) {
      statements.push({ tokens: current, text: text.slice(first.start, last.end) });
    }
    current = [];
  };
  for (const token of tokens) {
    if (token.kind === 'symbol' && token.text === ';' && !hasBody(current)) close();
    else current.push(token);
  }
  close();
  return statements;
}

/** Whether a statement runs on over its semicolons. */
function hasBody(tokens: readonly SqlToken[]): boolean {
  const first = tokens[0]?.upper;
  if (first === 'CREATE' || first === 'ALTER') {
    const isRoutine = tokens
      .slice(1, 8)
      .some(({ upper }) => ['TRIGGER', 'FUNCTION', 'PROCEDURE', 'PACKAGE', 'EVENT'].includes(upper));
    return isRoutine && tokens.some(({ upper }) => upper === 'BEGIN');
  }
  if (first !== 'BEGIN') return false;
  const second = tokens[1];
  return second !== undefined && !TRANSACTION_WORDS.has(second.upper);
}

const TRANSACTION_WORDS = new Set([
  'TRANSACTION',
  'TRAN',
  'WORK',
  'DEFERRED',
  'IMMEDIATE',
  'EXCLUSIVE',
  'CONCURRENT',
  'ISOLATION',
  'READ',
  'NOT',
  'DEFERRABLE',
  ';',
]);

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end + 1;
}

function endOfBlockComment(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text.startsWith('/*', at)) {
      depth += 1;
      at += 1;
    } else if (text.startsWith('*/', at)) {
      depth -= 1;
      at += 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

function endOfQuoted(text: string, from: number, quote: string, hasBackslash: boolean): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (hasBackslash && char === '\\') at += 1;
    else if (char === quote) {
      if (text.charAt(at + 1) !== quote) return at + 1;
      at += 1;
    }
  }
  return text.length;
}

/** PostgreSQL's `E'…'`, in which a backslash escapes. */
function isEscapeString(tokens: readonly SqlToken[], text: string, at: number): boolean {
  const before = tokens[tokens.length - 1];
  return before?.end === at && before.upper === 'E' && text.charAt(at) === "'";
}

/** `[name]` of SQL Server and SQLite, as opposed to a subscript or an array. */
function isBracketName(text: string, at: number): boolean {
  const end = text.indexOf(']', at);
  if (end === -1) return false;
  const before = text.charAt(at - 1);
  return !/[\w)\]]/.test(before) && /^[A-Za-z_][^[\]'",]*$/.test(text.slice(at + 1, end));
}

function dollarTag(text: string, at: number): string | null {
  return /^\$(?:[A-Za-z_]\w*)?\$/.exec(text.slice(at, at + 66))?.[0] ?? null;
}

function endOfDollarQuoted(text: string, at: number): number {
  const tag = dollarTag(text, at) ?? '$$';
  const end = text.indexOf(tag, at + tag.length);
  return end === -1 ? text.length : end + tag.length;
}

function endWhile(text: string, from: number, part: RegExp): number {
  let at = from;
  while (at < text.length && part.test(text.charAt(at))) at += 1;
  return at;
}

function afterDigits(text: string, from: number): number {
  return endWhile(text, from, /[0-9]/);
}
