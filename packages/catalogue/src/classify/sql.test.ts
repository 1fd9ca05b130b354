import { beforeAll, describe, expect, it } from 'vitest';

import { constant, UNKNOWN, type AbstractValue } from '../model/abstract-value.js';
import type { SqlDialect } from '../model/library-file.js';
import { classifySql, prepareSqlParser } from './sql.js';

beforeAll(prepareSqlParser);

type Row = readonly [dialect: SqlDialect, sql: string, effect: string, kind: string, converges: string];

const READS: readonly Row[] = [
  ['generic', 'SELECT * FROM users WHERE id = ?', 'none', 'read', 'yes'],
  ['postgresql', 'select id from t where a = $1 -- delete from t', 'none', 'read', 'yes'],
  ['postgresql', "SELECT 'DELETE FROM t; INSERT INTO t' AS text", 'none', 'read', 'yes'],
  ['postgresql', 'SELECT $$ drop table t $$', 'none', 'read', 'yes'],
  ['postgresql', 'WITH a AS (SELECT 1) SELECT * FROM a', 'none', 'read', 'yes'],
  ['postgresql', 'SELECT * FROM t FOR UPDATE', 'none', 'read', 'yes'],
  ['postgresql', 'TABLE users', 'none', 'read', 'yes'],
  ['postgresql', 'VALUES (1), (2)', 'none', 'read', 'yes'],
  ['postgresql', '(SELECT 1) UNION (SELECT 2)', 'none', 'read', 'yes'],
  ['postgresql', 'EXPLAIN DELETE FROM t', 'none', 'read', 'yes'],
  ['postgresql', 'EXPLAIN (ANALYZE false, BUFFERS) DELETE FROM t', 'none', 'read', 'yes'],
  ['postgresql', 'EXPLAIN ANALYZE SELECT * FROM t', 'none', 'read', 'yes'],
  ['postgresql', 'COPY (SELECT 1) TO STDOUT', 'none', 'read', 'yes'],
  ['postgresql', "SELECT set_config('search_path', 'a', true)", 'none', 'read', 'yes'],
  ['postgresql', "SELECT replace(name, 'a', 'b'), jsonb_set(d, '{a}', '1') FROM t", 'none', 'read', 'yes'],
  ['postgresql', 'BEGIN; SELECT 1; COMMIT', 'none', 'control', 'yes'],
  ['postgresql', 'SET search_path TO x', 'none', 'control', 'yes'],
  ['postgresql', 'VACUUM ANALYZE t', 'none', 'control', 'yes'],
  ['postgresql', 'SELECT update_count, "delete" FROM inserts', 'none', 'read', 'yes'],
  ['sqlite', 'PRAGMA table_info(users)', 'none', 'read', 'yes'],
  ['sqlite', 'PRAGMA foreign_keys = ON', 'none', 'control', 'yes'],
  ['sqlite', 'EXPLAIN QUERY PLAN SELECT 1', 'none', 'read', 'yes'],
  ['sqlite', 'SELECT * FROM [order] WHERE [delete] = 1', 'none', 'read', 'yes'],
  ['mysql', 'SHOW TABLES', 'none', 'read', 'yes'],
  ['mysql', 'DESCRIBE users', 'none', 'read', 'yes'],
  ['mysql', 'SELECT `update` FROM `insert` # drop table t', 'none', 'read', 'yes'],
  ['mysql', 'SELECT a INTO @x FROM t', 'none', 'read', 'yes'],
  ['mssql', 'SELECT TOP 10 * FROM [dbo].[users] WITH (NOLOCK)', 'none', 'read', 'yes'],
  ['mssql', 'EXEC sp_help users', 'none', 'read', 'yes'],
  ['clickhouse', 'SELECT 1 FORMAT JSON', 'none', 'read', 'yes'],
  ['duckdb', 'FROM t SELECT a', 'none', 'read', 'yes'],
  ['duckdb', 'SUMMARIZE t', 'none', 'read', 'yes'],
  ['generic', '', 'none', 'pure', 'yes'],
  ['generic', ' ; -- nothing', 'none', 'pure', 'yes'],
];

const WRITES: readonly Row[] = [
  ['postgresql', 'INSERT INTO t (a) VALUES ($1)', 'remote', 'create', 'no'],
  ['postgresql', 'INSERT INTO t (id) VALUES ($1) ON CONFLICT DO NOTHING', 'remote', 'create', 'yes'],
  [
    'postgresql',
    'INSERT INTO t (id, n) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET n = EXCLUDED.n',
    'remote',
    'create',
    'yes',
  ],
  [
    'postgresql',
    'INSERT INTO t (id, n) VALUES ($1, 1) ON CONFLICT (id) DO UPDATE SET n = t.n + 1',
    'remote',
    'create',
    'no',
  ],
  [
    'postgresql',
    'INSERT INTO t (id, a) VALUES (gen_random_uuid(), $1) ON CONFLICT (id) DO NOTHING',
    'remote',
    'create',
    'no',
  ],
  [
    'postgresql',
    'INSERT INTO t (id, a) VALUES (gen_random_uuid(), $1) ON CONFLICT (a) DO NOTHING',
    'remote',
    'create',
    'yes',
  ],
  [
    'postgresql',
    'INSERT INTO t (a) SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM t WHERE a = $1)',
    'remote',
    'create',
    'yes',
  ],
  ['sqlite', 'INSERT OR IGNORE INTO t VALUES (?)', 'remote', 'create', 'yes'],
  ['sqlite', 'INSERT OR REPLACE INTO t VALUES (?, ?)', 'remote', 'upsert', 'yes'],
  ['mysql', 'INSERT IGNORE INTO t VALUES (?)', 'remote', 'create', 'yes'],
  ['mysql', 'REPLACE INTO t VALUES (?)', 'remote', 'upsert', 'yes'],
  ['mysql', 'INSERT INTO t (a) VALUES (?) ON DUPLICATE KEY UPDATE n = n + 1', 'remote', 'create', 'no'],
  ['mysql', 'INSERT INTO t (a) VALUES (?) ON DUPLICATE KEY UPDATE n = VALUES(n)', 'remote', 'create', 'yes'],
  ['generic', 'UPDATE t SET n = n + 1 WHERE id = ?', 'remote', 'set', 'no'],
  ['generic', 'UPDATE t SET n = ? WHERE id = ?', 'remote', 'set', 'yes'],
  [
    'postgresql',
    'UPDATE t SET a = COALESCE($1, a), updated_at = now() WHERE id = $2',
    'remote',
    'set',
    'yes',
  ],
  ['postgresql', 'UPDATE t SET done = NOT done WHERE id = $1', 'remote', 'set', 'no'],
  ['postgresql', 'UPDATE t SET tags = array_append(tags, $1) WHERE id = $2', 'remote', 'set', 'no'],
  ['postgresql', 'UPDATE t SET log = log || $1 WHERE id = $2', 'remote', 'set', 'no'],
  [
    'postgresql',
    'UPDATE t SET version = version + 1, a = $1 WHERE id = $2 AND version = $3',
    'remote',
    'set',
    'yes',
  ],
  ['postgresql', 'UPDATE t SET a = b + 1 WHERE id = $1', 'remote', 'set', 'yes'],
  ['generic', 'DELETE FROM t WHERE id = ?', 'remote', 'delete', 'yes'],
  [
    'postgresql',
    'DELETE FROM q WHERE id = (SELECT id FROM q ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING *',
    'remote',
    'pop',
    'no',
  ],
  ['postgresql', 'WITH x AS (DELETE FROM a RETURNING *) SELECT * FROM x', 'remote', 'delete', 'yes'],
  [
    'postgresql',
    'WITH x AS (INSERT INTO a VALUES (1) RETURNING id) SELECT * FROM x',
    'remote',
    'create',
    'no',
  ],
  ['postgresql', "SELECT nextval('s')", 'remote', 'increment', 'no'],
  ['postgresql', "SELECT pg_catalog.pg_notify('c', 'm')", 'remote', 'send', 'no'],
  ['postgresql', "SELECT cron.schedule('n', '* * * * *', 'select 1')", 'remote', 'set', 'yes'],
  ['postgresql', 'SELECT * INTO backup FROM t', 'remote', 'ensure', 'yes'],
  ['postgresql', 'EXPLAIN ANALYZE DELETE FROM t', 'remote', 'delete', 'yes'],
  ['postgresql', 'EXPLAIN (ANALYZE, BUFFERS) INSERT INTO t VALUES (1)', 'remote', 'create', 'no'],
  ['postgresql', 'COPY t FROM STDIN', 'remote', 'append', 'no'],
  ['postgresql', "COPY t TO '/var/t.csv'", 'remote', 'set', 'yes'],
  ['postgresql', 'TRUNCATE t', 'remote', 'delete', 'yes'],
  ['postgresql', 'CREATE TABLE IF NOT EXISTS t (a int)', 'remote', 'ensure', 'yes'],
  ['postgresql', 'ALTER TABLE t ADD COLUMN b int', 'remote', 'set', 'yes'],
  ['postgresql', 'REFRESH MATERIALIZED VIEW v', 'remote', 'set', 'yes'],
  ['postgresql', "NOTIFY c, 'm'", 'remote', 'send', 'no'],
  ['postgresql', 'SELECT 1; DROP TABLE t', 'remote', 'delete', 'yes'],
  [
    'postgresql',
    'CREATE TRIGGER a BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION f()',
    'remote',
    'ensure',
    'yes',
  ],
  [
    'postgresql',
    'MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET a = s.a WHEN NOT MATCHED THEN INSERT (a) VALUES (s.a)',
    'remote',
    'upsert',
    'yes',
  ],
  ['mysql', "SELECT * FROM t INTO OUTFILE '/tmp/x'", 'remote', 'ensure', 'yes'],
  ['mysql', '/*!40000 DROP TABLE t */', 'remote', 'delete', 'yes'],
  ['mysql', 'SET GLOBAL max_connections = 5', 'remote', 'set', 'yes'],
  ['mysql', "LOAD DATA INFILE 'x' INTO TABLE t", 'remote', 'append', 'no'],
  ['sqlite', 'PRAGMA user_version = 3', 'remote', 'set', 'yes'],
  [
    'sqlite',
    'CREATE TRIGGER a AFTER INSERT ON t BEGIN UPDATE t SET n = 1; DELETE FROM u; END',
    'remote',
    'ensure',
    'yes',
  ],
  ['mssql', 'INSERT INTO t OUTPUT inserted.id VALUES (1)', 'remote', 'create', 'no'],
  ['mssql', 'DECLARE @x int = 1 DELETE FROM t WHERE id = @x', 'remote', 'delete', 'yes'],
  ['mssql', 'IF EXISTS (SELECT 1 FROM t) UPDATE t SET a = 1', 'remote', 'set', 'yes'],
  ['clickhouse', 'ALTER TABLE t DELETE WHERE a = 1', 'remote', 'set', 'yes'],
  ['oracle', 'BEGIN INSERT INTO t VALUES (1); COMMIT; END;', 'remote', 'create', 'no'],
  ['postgresql', 'SELECT * FROM a; INSERT INTO t DEFAULT VALUES', 'remote', 'create', 'no'],
];

const UNDECIDED: readonly (readonly [string, SqlDialect])[] = [
  ['CALL refresh_all()', 'postgresql'],
  ['EXEC dbo.DoThings 1', 'mssql'],
  ['EXECUTE prepared(1)', 'postgresql'],
  ['SELECT increment_counter($1)', 'postgresql'],
  ['SELECT * FROM public.send_invoice($1)', 'postgresql'],
  ['GIBBERISH and more', 'generic'],
];

describe('classifySql', () => {
  it.each([...READS, ...WRITES])('by the parser, %s: %s', (dialect, sql, effect, kind, converges) => {
    const found = classifySql(sql, { dialect });
    expect({ effect: found.effect, kind: found.kind, converges: found.converges }).toEqual({
      effect,
      kind,
      converges,
    });
    expect(found.certainty).toBe('always');
  });

  it.each([...READS, ...WRITES])('by tokens alone, %s: %s', (dialect, sql, effect, kind, converges) => {
    const found = classifySql(sql, { dialect, parser: null });
    expect(found.effect).toBe(effect);
    // Coarser, never bolder.
    expect([converges, 'unknown']).toContain(found.converges);
    expect(kind).not.toBe('');
  });

  it.each(UNDECIDED)('can not say what %s does', (sql, dialect) => {
    for (const parser of [undefined, null] as const) {
      const found = classifySql(sql, { dialect, ...(parser === null ? { parser } : {}) });
      expect([found.effect, found.certainty]).toEqual(['unknown', 'undecided']);
    }
  });

  it('is a local write when the database is a file', () => {
    expect(classifySql('DELETE FROM t', { where: 'local' }).effect).toBe('local');
  });

  it('keeps a temporary table in the session', () => {
    expect(classifySql('CREATE TEMP TABLE t AS SELECT 1', { dialect: 'postgresql' }).effect).toBe('session');
  });

  it('names the tool argument when the whole text comes from it', () => {
    const found = classifySql({ kind: 'input', path: 'query' });
    expect(found.certainty).toBe('undecided');
    expect(found.condition?.input).toBe('query');
    expect(found.reason).toContain('can write when `query`');
  });

  it('names the tool argument when EXPLAIN ANALYZE runs it', () => {
    const value: AbstractValue = {
      kind: 'template',
      parts: [constant('EXPLAIN ANALYZE '), { kind: 'input', path: 'sql' }],
    };
    const found = classifySql(value, { dialect: 'postgresql' });
    expect([found.certainty, found.condition?.input]).toEqual(['undecided', 'sql']);
  });

  it('reads when EXPLAIN of a text from elsewhere runs nothing', () => {
    const value: AbstractValue = { kind: 'template', parts: [constant('EXPLAIN '), UNKNOWN] };
    expect(classifySql(value).effect).toBe('none');
  });

  it.each(['EXPLAIN ', 'SELECT * FROM notes WHERE id = ', "SELECT '"])(
    'is undecided when an argument is pasted behind %s',
    (text) => {
      const input: AbstractValue = { kind: 'input', path: 'sql' };
      const value: AbstractValue = { kind: 'template', parts: [constant(text), input, constant(' ')] };
      expect(classifySql(value)).toMatchObject({ effect: 'unknown', condition: { input: 'sql' } });
      expect(classifySql(value, { areHolesParameters: true }).effect).toBe('none');
    },
  );

  it.each([
    ['VACUUM', 'local'],
    ["VACUUM INTO 'copy.db'", 'local'],
    ['PRAGMA user_version = 4', 'local'],
    ['PRAGMA incremental_vacuum(10)', 'local'],
    ["ATTACH 'other.db' AS other", 'unknown'],
    ['PRAGMA table_info(notes)', 'none'],
    ['PRAGMA foreign_keys = ON', 'none'],
  ])('says of %s in a database file that its effect is %s', (text, effect) => {
    expect(classifySql(text, { dialect: 'sqlite', where: 'local' }).effect).toBe(effect);
  });

  it('is by-name when a hole is pasted into a query, and proven when it is a parameter', () => {
    const value: AbstractValue = {
      kind: 'template',
      parts: [constant('SELECT * FROM '), UNKNOWN, constant(' WHERE a = 1')],
    };
    expect(classifySql(value)).toMatchObject({ effect: 'none', confidence: 'by-name' });
    expect(classifySql(value, { areHolesParameters: true })).toMatchObject({
      effect: 'none',
      confidence: 'proven',
    });
  });

  it('sees the insert when the table is a hole', () => {
    const value: AbstractValue = {
      kind: 'template',
      parts: [constant('INSERT INTO '), UNKNOWN, constant(' VALUES (?)')],
    };
    expect(classifySql(value)).toMatchObject({ effect: 'remote', certainty: 'always', kind: 'create' });
  });

  it('sees the write when the text begins with a hole', () => {
    const value: AbstractValue = {
      kind: 'template',
      parts: [UNKNOWN, constant(' INSERT INTO t VALUES (1)')],
    };
    expect(classifySql(value).effect).toBe('remote');
  });

  it('never throws, whatever the text', () => {
    for (const text of [
      "'",
      '"',
      '/*',
      '$$',
      '[',
      '$a$',
      "E'",
      '((((',
      '\u0000',
      'select '.repeat(5000),
      '('.repeat(20_000),
    ]) {
      expect(() => classifySql(text)).not.toThrow();
      expect(() => classifySql(text, { dialect: 'mysql' })).not.toThrow();
    }
  });
});
