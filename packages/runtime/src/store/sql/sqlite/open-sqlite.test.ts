import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RuntimeError } from '../../../errors.js';
import type { Statement, UnitRunner } from '../../unit.js';
import { SCHEMA_VERSION } from '../migrations.js';
import { assertDurable } from './open-connection.js';
import { openSqlite, type SqliteOptions } from './open-sqlite.js';

const NOBODY = 65_534;
const insert = (callId: string, runId = 'run_1'): Statement => ({
  sql: "insert into ratings values (?, ?, 'helpful', 1)",
  parameters: [runId, callId],
  rows: 1,
});
const pragma = (text: string): Statement => ({ sql: `pragma ${text}`, parameters: [], rows: 'any' });

describe('openSqlite', () => {
  let directory: string;
  let file: string;
  const opened: UnitRunner[] = [];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'toolwright-sqlite-'));
    file = join(directory, 'runs.db');
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((units) => units.close()));
    await rm(directory, { recursive: true });
  });

  const open = async (options: Partial<SqliteOptions> = {}): Promise<UnitRunner> => {
    const units = await openSqlite({ file, ...options });
    opened.push(units);
    return units;
  };
  const refusal = async (options: Partial<SqliteOptions> = {}): Promise<RuntimeError> => {
    const error: unknown = await open(options).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(RuntimeError);
    return error as RuntimeError;
  };

  it('sets what a fence relies on when it opens a new file', async () => {
    const units = await open();

    const outcome = await units.run(
      ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout', 'fullfsync'].map(pragma),
    );

    expect(outcome).toMatchObject({
      kind: 'committed',
      rows: [
        [{ journal_mode: 'wal' }],
        [{ synchronous: 2 }],
        [{ foreign_keys: 1 }],
        [{ timeout: 5_000 }],
        [{ fullfsync: 1 }],
      ],
    });
  });

  it('sets it again when the file was left with weaker settings', async () => {
    await (await open()).close();
    const other = new Database(file);
    other.pragma('journal_mode = delete');
    other.close();

    const outcome = await (await open()).run([pragma('journal_mode'), pragma('synchronous')]);

    expect(outcome).toMatchObject({ rows: [[{ journal_mode: 'wal' }], [{ synchronous: 2 }]] });
  });

  it.each([
    ['journal_mode', 'journal_mode = memory'],
    ['synchronous', 'synchronous = normal'],
    ['foreign_keys', 'foreign_keys = off'],
  ])('asserts %s when it could not be set', (name, weaken) => {
    const database = new Database(file);
    database.pragma('journal_mode = wal');
    database.pragma('synchronous = full');
    expect(() => assertDurable(database)).not.toThrow();

    database.pragma(weaken);

    expect(() => assertDurable(database)).toThrow(expect.objectContaining({ code: 'STORE_NOT_DURABLE' }));
    expect(() => assertDurable(database)).toThrow(name);
    database.close();
  });

  it('refuses a file and leaves it alone when it is not a database', async () => {
    const text = 'These are my notes, and nobody should overwrite them. '.repeat(100);
    await writeFile(file, text);

    const error = await refusal();

    expect(error.code).toBe('STORE_NOT_A_DATABASE');
    expect(error.message).toContain('file of its own');
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('refuses a directory when a file is expected', async () => {
    const error = await refusal({ file: directory });

    expect(error).toMatchObject({
      code: 'STORE_NOT_A_DATABASE',
      message: expect.stringContaining('a directory'),
    });
  });

  it('refuses a path and names the directory to create when there is none', async () => {
    const error = await refusal({ file: join(directory, 'missing', 'runs.db') });

    expect(error.code).toBe('STORE_UNAVAILABLE');
    expect(error.message).toContain(join(directory, 'missing'));
  });

  it.each([[':memory:'], [''], ['a\0b'], [7 as unknown as string]])(
    'refuses the configuration when file is %j',
    async (wrong) => {
      expect((await refusal({ file: wrong })).code).toBe('INVALID_CONFIGURATION');
    },
  );

  it.each([[-1], [0.5], [NaN]])(
    'refuses the configuration when busyTimeoutMs is %d',
    async (busyTimeoutMs) => {
      expect((await refusal({ busyTimeoutMs })).code).toBe('INVALID_CONFIGURATION');
    },
  );

  it.each([
    ['no table of migrations', 'create table runs (id text)'],
    ['another table of migrations', 'create table migrations (id integer, batch integer)'],
  ])('refuses a database and leaves it alone when it has %s', async (_what, sql) => {
    const foreign = new Database(file);
    foreign.exec(sql);
    foreign.close();
    const before = await readFile(file);

    const error = await refusal();

    expect(error.code).toBe('STORE_OF_ANOTHER');
    expect(await readFile(file)).toEqual(before);
  });

  it('leaves the file alone when its schema is newer', async () => {
    await (await open()).close();
    const later = new Database(file);
    later.pragma('journal_mode = delete');
    later.prepare('insert into migrations values (?, ?, 1)').run(SCHEMA_VERSION + 3, 'later');
    later.close();
    const before = await readFile(file);

    const error = await refusal();

    expect(error.code).toBe('STORE_SCHEMA_NEWER');
    expect(error.cause).toMatchObject({ message: expect.stringContaining(`found ${SCHEMA_VERSION + 3}`) });
    expect(await readFile(file)).toEqual(before);
  });

  it.each([
    ['file', 0o444, 0o755],
    ['directory', 0o644, 0o555],
  ])('refuses a store when it may only read the %s', async (_what, fileMode, directoryMode) => {
    await (await open()).close();
    await chmod(file, fileMode);
    await chmod(directory, directoryMode);

    const error = await asOrdinaryUser(() => refusal());

    expect(error.code).toBe('STORE_READ_ONLY');
    expect(error.message).toContain('write permission');
    await chmod(directory, 0o755);
  });

  it('refuses a new store when its directory may only be read', async () => {
    await chmod(directory, 0o555);

    expect((await asOrdinaryUser(() => refusal())).code).toBe('STORE_READ_ONLY');
    await chmod(directory, 0o755);
  });

  it('opens an empty file when somebody has created it before', async () => {
    await writeFile(file, '');

    expect(await (await open()).run([insert('call_1')])).toMatchObject({ kind: 'committed' });
  });

  it('fails a unit as read-only, and stores nothing, when writing is no longer allowed', async () => {
    const units = await open();
    await units.run([pragma('query_only = on')]);

    expect(await units.run([insert('call_1')])).toMatchObject({
      kind: 'failed',
      cause: { code: 'STORE_READ_ONLY' },
    });
  });

  it('stores nothing of a unit, and goes on with the others, when the disk is full', async () => {
    const units = await open();
    await units.run([pragma('max_page_count = 40')]);

    const outcomes = await Promise.all([
      units.run([insert('call_1')]),
      units.run([insert('call_2'), insert('call_3', 'x'.repeat(500_000))]),
      units.run([insert('call_4')]),
    ]);

    expect(outcomes).toMatchObject([
      { kind: 'committed' },
      { kind: 'failed', cause: { code: 'STORE_FULL' } },
      { kind: 'committed' },
    ]);
    expect(await units.read({ sql: 'select call_id from ratings order by call_id', parameters: [] })).toEqual(
      [{ call_id: 'call_1' }, { call_id: 'call_4' }],
    );
  });

  it('says that the file cannot be opened when something is in the way of its log', async () => {
    await mkdir(`${file}-wal`);

    const error = await refusal();

    expect(error).toMatchObject({ name: 'RuntimeError', code: 'STORE_UNAVAILABLE' });
  });

  it('fails units, and stores nothing, when another process keeps the lock for too long', async () => {
    const units = await open({ busyTimeoutMs: 20 });
    const other = new Database(file);
    other.exec('begin immediate');

    const blocked = await units.run([insert('call_1')]);
    other.exec('rollback');
    other.close();

    expect(blocked).toMatchObject({ kind: 'failed', cause: { code: 'STORE_UNAVAILABLE' } });
    expect(String((blocked as { cause: unknown }).cause)).toContain('busyTimeoutMs');
    expect(await units.run([insert('call_1')])).toMatchObject({ kind: 'committed' });
  });

  it('acknowledges nothing, and takes nothing more, when its thread dies', async () => {
    const units = await open();

    const outcomes = await Promise.all([
      units.run([insert('call_1')]),
      units.run([insert('call_2'), { sql: 'commit', parameters: [], rows: 'any' }]),
      units.run([insert('call_3')]),
    ]);
    const later = await units.run([insert('call_4')]);

    expect(outcomes).toMatchObject([
      { kind: 'unknown', cause: { code: 'STORE_UNAVAILABLE' } },
      { kind: 'unknown', cause: { code: 'STORE_UNAVAILABLE' } },
      { kind: 'unknown', cause: { code: 'STORE_UNAVAILABLE' } },
    ]);
    expect(later).toMatchObject({ kind: 'failed', cause: { code: 'STORE_UNAVAILABLE' } });
    // What had been committed is found by reading back, which is what `unknown` asks for.
    expect(await units.read({ sql: 'select call_id from ratings order by call_id', parameters: [] })).toEqual(
      [{ call_id: 'call_1' }, { call_id: 'call_2' }],
    );
  });

  it('keeps what was acknowledged when it is opened again', async () => {
    const first = await open();
    await first.run([insert('call_1')]);
    await first.close();

    expect(await (await open()).read({ sql: 'select count(*) as n from ratings', parameters: [] })).toEqual([
      { n: 1 },
    ]);
  });

  /** Root may write everywhere, so permissions are tried as somebody else who owns the files. */
  async function asOrdinaryUser<T>(action: () => Promise<T>): Promise<T> {
    if (process.geteuid?.() !== 0) {
      return action();
    }
    await chown(directory, NOBODY, NOBODY);
    await chown(file, NOBODY, NOBODY).catch(() => undefined);
    process.seteuid?.(NOBODY);
    try {
      return await action();
    } finally {
      process.seteuid?.(0);
    }
  }
});
