import { describe, expect, it } from 'vitest';
import { THROWN } from '../content/fixtures/thrown-values.js';
import { isDatabaseError } from './database-error.js';

function named(name: string, fields: object = {}): Error {
  return Object.assign(new Error('x'), { name }, fields);
}

describe('isDatabaseError', () => {
  it.each<[string, unknown]>([
    ['better-sqlite3', named('SqliteError', { code: 'SQLITE_CONSTRAINT_UNIQUE' })],
    ['libsql', named('LibsqlError', { code: 'SQLITE_BUSY' })],
    ['pg', named('error', { code: '23505', severity: 'ERROR' })],
    ['postgres.js', named('PostgresError', { code: '42P01' })],
    ['pg, an exception raised by a function', named('error', { code: 'P0001' })],
    ['mysql2', named('Error', { code: 'ER_DUP_ENTRY', sqlState: '23000' })],
    ['mongodb', named('MongoServerError', { code: 11000 })],
    ['Sequelize', named('SequelizeUniqueConstraintError')],
    ['TypeORM', named('QueryFailedError', { query: 'insert', parameters: [] })],
    ['Drizzle', named('DrizzleQueryError', { query: 'insert', params: [] })],
    ['Prisma', named('PrismaClientKnownRequestError', { code: 'P2002' })],
    ['MikroORM', named('UniqueConstraintViolationDriverException')],
    ['Objection', named('UniqueViolationError')],
    ['Oracle', named('Error', { code: 'ORA-00001' })],
    ['a statement in it', named('Error', { sql: 'insert into t' })],
    ['a wrapped one', new Error('x', { cause: new Error('y', { cause: named('SqliteError') }) })],
    ['an original', named('Error', { original: named('error', { code: '23505' }) })],
    ['one of several', new AggregateError([new Error('x'), named('SqliteError')])],
  ])('knows the errors of %s', (_what, error) => {
    expect(isDatabaseError(error)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['an error', new Error('x')],
    ['a TypeError', new TypeError('x')],
    ['a refused connection of another service', named('Error', { code: 'ECONNREFUSED' })],
    ['a missing file', named('Error', { code: 'ENOENT' })],
    ['a missing permission', named('Error', { code: 'EPERM' })],
    ['an error of Node', named('TypeError', { code: 'ERR_INVALID_ARG_TYPE' })],
    ['an HTTP status', named('HttpError', { code: 404, status: 404 })],
    ['a query without parameters', named('Error', { query: 'search words' })],
    ['a string', 'SQLITE_BUSY'],
    ['null', null],
  ])('takes no %s for one', (_what, error) => {
    expect(isDatabaseError(error)).toBe(false);
  });

  it.each(THROWN)('does not throw for %s', (_name, thrown) => {
    expect(typeof isDatabaseError(thrown())).toBe('boolean');
  });
});
