import { RuntimeError, type RuntimeErrorCode } from '../../../errors.js';

/**
 * What PostgreSQL, or the way there, said. The server's message is kept only where it names no value of a row.
 */
export class PostgresFailure extends Error {
  override readonly name = 'PostgresFailure';
  /** A SQLSTATE, a code of the operating system such as `ECONNREFUSED`, or empty. */
  readonly postgresCode: string;
  /** Whether the server itself refused, so that it is known what became of the transaction: nothing. */
  readonly isAnswer: boolean;
  /** Whether the server said it, be it with its last breath. */
  readonly isFromServer: boolean;

  constructor(error: unknown) {
    const { code, isServer, severity, constraint, message } = read(error);
    const mayShow = !isServer || SHOWN_CLASSES.has(code.slice(0, 2));
    const named = constraint === '' ? '' : `, constraint ${constraint}`;
    super(mayShow ? message : `the server answered ${code}${named}`);
    this.postgresCode = code;
    this.isAnswer = isServer && severity === 'ERROR';
    this.isFromServer = isServer;
  }
}

/** Classes of SQLSTATE whose messages speak of connections, resources, rights and statements, not of values. */
const SHOWN_CLASSES = new Set(['08', '25', '28', '3D', '3F', '40', '42', '53', '55', '57', '58']);

interface Explanation {
  readonly when: RegExp;
  readonly code: RuntimeErrorCode;
  readonly explanation: string;
}

const EXPLANATIONS: readonly Explanation[] = [
  {
    when: /^28/,
    code: 'STORE_UNAVAILABLE',
    explanation: 'the server did not accept the user or the password. Correct them in the URL.',
  },
  {
    when: /^3D/,
    code: 'STORE_UNAVAILABLE',
    explanation: 'the server has no database of this name. Create it, or correct the URL.',
  },
  {
    when: /^42501$/,
    code: 'STORE_UNAVAILABLE',
    explanation:
      'the user may not do this. Grant the user CREATE on the database (or create the schema and make the user its owner).',
  },
  {
    when: /^42P01$/,
    code: 'STORE_UNAVAILABLE',
    explanation:
      'a table of the store is missing. Open the store again, which migrates it, or restore a backup.',
  },
  {
    when: /^25006$/,
    code: 'STORE_READ_ONLY',
    explanation:
      'the server takes no writes. Connect to the primary, with default_transaction_read_only off.',
  },
  {
    when: /^53[12]/,
    code: 'STORE_FULL',
    explanation: 'the server has no disk or memory left. Nothing of it was stored. Make room on the server.',
  },
  {
    when: /^53300$/,
    code: 'STORE_UNAVAILABLE',
    explanation:
      'the server has no connection left. Lower maxConnections, or raise max_connections on the server.',
  },
  {
    when: /^23/,
    code: 'STORE_CONSTRAINT',
    explanation:
      'a row breaks a rule of the schema. Nothing of it was stored. Look at the cause for which one.',
  },
  {
    when: /^(55P03|57014)$/,
    code: 'STORE_UNAVAILABLE',
    explanation:
      'it took too long. Look for a session that holds a lock (pg_stat_activity), or raise statementTimeoutMs.',
  },
  {
    when: /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOENT|57P03)$/,
    code: 'STORE_UNAVAILABLE',
    explanation: 'no server answers there. Check host and port in the URL, and that the server runs.',
  },
];

const OTHER: Omit<Explanation, 'when'> = {
  code: 'STORE_UNAVAILABLE',
  explanation:
    'the server did not do it, or the connection to it broke. Look at the cause and at the log of the server.',
};

/** The error for what PostgreSQL said about an action, such as `open the store`. */
export function postgresError(action: string, place: string, error: unknown): RuntimeError {
  const cause = error instanceof PostgresFailure ? error : new PostgresFailure(error);
  const { code, explanation } = EXPLANATIONS.find(({ when }) => when.test(cause.postgresCode)) ?? OTHER;
  const named = cause.postgresCode === '' ? '' : ` (${cause.postgresCode})`;
  return new RuntimeError(code, `Cannot ${action} ${place}: ${explanation}${named}`, { cause });
}

function read(error: unknown): {
  code: string;
  isServer: boolean;
  severity: string;
  constraint: string;
  message: string;
} {
  const fields: Readonly<Record<string, unknown>> =
    typeof error === 'object' && error !== null ? (error as Readonly<Record<string, unknown>>) : {};
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const severity = text(fields['severity']);
  // An attempt at several addresses of one name fails with all of their errors.
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : undefined;
  return {
    code: text(fields['code']),
    isServer: severity !== '',
    severity,
    constraint: text(fields['constraint']),
    message: text(first instanceof Error ? first.message : fields['message']) || 'no message',
  };
}
