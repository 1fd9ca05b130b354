import { RuntimeError, type RuntimeErrorCode } from '../../../errors.js';
import type { SqliteProblem } from './commit-units.js';

/** What SQLite itself said. Its message names no value, at most a table and a column. */
export class SqliteFailure extends Error {
  override readonly name = 'SqliteFailure';
  /** SQLite's extended result code, or empty where the statement never reached it. */
  readonly sqliteCode: string;

  constructor(problem: SqliteProblem) {
    super(problem.message);
    this.sqliteCode = problem.code;
  }
}

interface Explanation {
  /** Result codes by their beginning. */
  readonly when: string;
  readonly code: RuntimeErrorCode;
  readonly explanation: string;
}

const EXPLANATIONS: readonly Explanation[] = [
  {
    when: 'SQLITE_NOTADB',
    code: 'STORE_NOT_A_DATABASE',
    explanation:
      'expected a SQLite database or no file, found a file of another kind. It was not changed. Give the store a file ' +
      'of its own.',
  },
  {
    when: 'SQLITE_CORRUPT',
    code: 'STORE_NOT_A_DATABASE',
    explanation:
      'expected a whole SQLite database, found a damaged one. Stop the workers, keep a copy of the file with its -wal ' +
      'and -shm, and restore a backup.',
  },
  {
    when: 'SQLITE_READONLY',
    code: 'STORE_READ_ONLY',
    explanation:
      'expected a file and a directory that this process may write, found one that it may only read. Give the user of ' +
      'the process write permission on the directory, the file, and its -wal and -shm, or choose another place.',
  },
  {
    when: 'SQLITE_FULL',
    code: 'STORE_FULL',
    explanation:
      'expected room for it, found the disk (or the quota) full. Nothing of it was stored. Make room; runs whose lease ' +
      'has lapsed by then are disposed of by their fence.',
  },
  {
    when: 'SQLITE_BUSY',
    code: 'STORE_UNAVAILABLE',
    explanation:
      'expected the lock within the busy timeout, found that another process held it all the time. Look for a process ' +
      'that keeps a transaction open on the file (a shell, a backup), or raise busyTimeoutMs.',
  },
  {
    when: 'SQLITE_CONSTRAINT',
    code: 'STORE_CONSTRAINT',
    explanation:
      'expected rows that keep the rules of the schema, found one that breaks one. Nothing of it was stored. Look at ' +
      'the cause for which one.',
  },
  {
    when: 'SQLITE_IOERR',
    code: 'STORE_UNAVAILABLE',
    explanation:
      'expected the disk to answer, found that it failed. Check the disk and its file system (a network file system ' +
      'does not do for a store), then start the process again.',
  },
  {
    when: 'SQLITE_CANTOPEN',
    code: 'STORE_UNAVAILABLE',
    explanation:
      'expected a file that can be opened or created, found that it cannot. Check that its directory exists and that ' +
      'the process may enter it and write in it.',
  },
  {
    when: 'STORE_OF_ANOTHER',
    code: 'STORE_OF_ANOTHER',
    explanation:
      'expected the tables of a run store or an empty file, found those of something else. The file was not changed. ' +
      'Give the store a file of its own.',
  },
  {
    when: 'STORE_SCHEMA_NEWER',
    code: 'STORE_SCHEMA_NEWER',
    explanation:
      'expected a schema that this version knows, found a newer one. The file was not changed. Install the version of ' +
      '@toolwright/runtime that wrote it, or a later one.',
  },
  {
    when: 'STORE_NOT_DURABLE',
    code: 'STORE_NOT_DURABLE',
    explanation:
      'expected write-ahead logging with a sync for every commit, found that the file does not take it. Without it a ' +
      'fence could be lost with the power. Put the file on a local disk.',
  },
];

const OTHER: Omit<Explanation, 'when'> = {
  code: 'STORE_UNAVAILABLE',
  explanation: 'the database did not do it. Look at the cause.',
};

/** The error for what SQLite said about an action, such as `open the store`. */
export function sqliteError(action: string, file: string, problem: SqliteProblem): RuntimeError {
  const { code, explanation } = EXPLANATIONS.find(({ when }) => problem.code.startsWith(when)) ?? OTHER;
  const named = problem.code === '' ? '' : ` (${problem.code})`;
  return new RuntimeError(code, `Cannot ${action} ${JSON.stringify(file)}: ${explanation}${named}`, {
    cause: new SqliteFailure(problem),
  });
}
