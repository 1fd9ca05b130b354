import { errorClass, get } from './thrown-value.js';

// The message of a database error quotes the statement, its values or the key that collided.
const CLASS =
  /^(?:Drizzle\w*Error|Libsql\w*Error|Sqlite\w*Error|SQLite\w*Error|DatabaseError|PostgresError|QueryFailedError|Mongo\w*Error|BulkWriteError|MongoBulkWriteError|Sequelize\w*|ConnectionError|RequestError|\w*DriverException|Prisma\w*Error|Knex\w*Error|NeonDbError|PlanetScale\w*Error|DBError|UniqueViolationError|ForeignKeyViolationError|NotNullViolationError|CheckViolationError|ConstraintViolationError)$/u;
// SQLite's own codes, MySQL's, MongoDB's, Oracle's, and the SQLSTATE classes.
const CODE = /^(?:(?:SQLITE|ER|ORA|NJS)[_-]\w+|(?:\d{2}|HV|P0|XX|F0)[0-9A-Z]{3})$/u;
const STATEMENT_FIELDS = ['sql', 'sqlState', 'sqlMessage', 'sqlstate'] as const;
const WRAPPED_IN = ['cause', 'original', 'parent', 'driverError', 'originalError'] as const;
const MAX_DEPTH = 5;

/** Whether a thrown value, or one that it wraps, is a database's own error as the common drivers make them. */
export function isDatabaseError(thrown: unknown): boolean {
  return isDatabaseErrorAt(thrown, 0);
}

function isDatabaseErrorAt(thrown: unknown, depth: number): boolean {
  if (typeof thrown !== 'object' || thrown === null || depth >= MAX_DEPTH) {
    return false;
  }
  const code = get(thrown, 'code');
  const name = get(thrown, 'name');
  if (
    CLASS.test(errorClass(thrown)) ||
    (typeof name === 'string' && CLASS.test(name)) ||
    ((typeof code === 'string' || typeof code === 'number') && CODE.test(String(code))) ||
    STATEMENT_FIELDS.some((field) => typeof get(thrown, field) === 'string') ||
    (get(thrown, 'query') !== undefined &&
      (get(thrown, 'params') !== undefined || get(thrown, 'parameters') !== undefined))
  ) {
    return true;
  }
  const several = get(thrown, 'errors');
  const wrapped = [
    ...WRAPPED_IN.map((field) => get(thrown, field)),
    ...(Array.isArray(several) ? (several as readonly unknown[]).slice(0, 10) : []),
  ];
  return wrapped.some((inner) => inner !== thrown && isDatabaseErrorAt(inner, depth + 1));
}
