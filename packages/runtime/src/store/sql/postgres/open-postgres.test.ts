import { createServer } from 'node:net';
import type { Logger } from '@toolwright/sdk';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RuntimeError } from '../../../errors.js';
import type { Statement, UnitRunner } from '../../unit.js';
import { startCommitDroppingProxy } from '../fixtures/commit-dropping-proxy.js';
import { startPostgres, type PostgresServer } from '@toolwright/test-postgres';
import { openPostgres, type PostgresOptions } from './open-postgres.js';
import { PostgresHeartbeats } from './postgres-heartbeats.js';
import { PostgresUnits, TRIES } from './postgres-units.js';
import { PostgresWakeUps } from './postgres-wake-ups.js';

const insert = (callId: string): Statement => ({
  sql: "insert into ratings values ('run_1', $1, 'helpful', 1)",
  parameters: [callId],
  rows: 1,
});
const sleepless: Statement = { sql: 'select pg_sleep(600)', parameters: [], rows: 'any' };

describe('openPostgres', () => {
  let server: PostgresServer;
  let admin: pg.Client;
  let schema: string;
  let schemas = 0;
  const opened: UnitRunner[] = [];

  beforeAll(async () => {
    server = await startPostgres();
    admin = new pg.Client({ connectionString: server.url });
    admin.on('error', () => undefined);
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await server.stop();
  });
  beforeEach(() => {
    schemas += 1;
    schema = `store_${schemas}`;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((units) => units.close()));
  });

  const open = async (options: Partial<PostgresOptions> = {}): Promise<UnitRunner> => {
    const units = await openPostgres({ url: server.url, schema, ...options });
    opened.push(units);
    return units;
  };
  const refusal = async (options: Partial<PostgresOptions>): Promise<RuntimeError> => {
    const error: unknown = await open(options).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(RuntimeError);
    return error as RuntimeError;
  };
  const url = (change: (url: URL) => void): string => {
    const changed = new URL(server.url);
    change(changed);
    return changed.href;
  };
  const calls = async (units: UnitRunner): Promise<unknown[]> =>
    (await units.read({ sql: 'select call_id from ratings order by call_id', parameters: [] })).map(
      (row) => row['call_id'],
    );
  const sessions = async (what: string): Promise<number[]> => {
    const { rows } = await admin.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'toolwright-runtime' and ${what}`,
    );
    return rows.map(({ pid }) => pid);
  };
  const sessionsOnceThereAre = async (what: string): Promise<number[]> => {
    for (;;) {
      const pids = await sessions(what);
      if (pids.length > 0) {
        return pids;
      }
    }
  };

  it('keeps its tables in its own schema when it opens a database of others', async () => {
    await open();

    const { rows } = await admin.query<{ n: string }>(
      'select count(*) as n from information_schema.tables where table_schema = $1',
      [schema],
    );
    expect(Number(rows[0]?.n)).toBeGreaterThan(5);
    expect((await admin.query("select from pg_tables where schemaname = 'public'")).rowCount).toBe(0);
  });

  it('keeps the options of the URL when it adds its own', async () => {
    const units = await open({
      url: url(({ searchParams }) => searchParams.set('options', '-c work_mem=5MB')),
    });

    expect(
      await units.read({
        sql: "select current_setting('work_mem') as memory, current_setting('search_path') as path",
        parameters: [],
      }),
    ).toEqual([{ memory: '5MB', path: schema }]);
  });

  describe('never shows the password', () => {
    const SECRET = 'pa55-w0rd-shown-nowhere';
    it.each([
      [
        'the password is wrong',
        () => url((wrong) => void (wrong.password = SECRET)),
        'STORE_UNAVAILABLE',
        /password/,
      ],
      [
        'the user does not exist',
        () => url((wrong) => Object.assign(wrong, { username: 'nobody', password: SECRET })),
        'STORE_UNAVAILABLE',
        /user/,
      ],
      [
        'nobody listens there',
        () => `postgres://u:${SECRET}@127.0.0.1:1/db`,
        'STORE_UNAVAILABLE',
        /host and port/,
      ],
      [
        'the host has no address',
        () => `postgres://u:${SECRET}@host.invalid/db`,
        'STORE_UNAVAILABLE',
        /host and port/,
      ],
      [
        'there is no database in it',
        () => `postgres://u:${SECRET}@127.0.0.1`,
        'INVALID_CONFIGURATION',
        /database/,
      ],
      [
        'it is of another kind',
        () => `mysql://u:${SECRET}@127.0.0.1/db`,
        'INVALID_CONFIGURATION',
        /protocol/,
      ],
      ['it is no URL', () => `postgres://u:${SECRET}@[/db`, 'INVALID_CONFIGURATION', /percent-encoded/],
    ])('when %s', async (_when, makeUrl, code, message) => {
      const error = await refusal({ url: makeUrl() });

      expect(error.code).toBe(code);
      expect(error.message).toMatch(message);
      for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
        expect(JSON.stringify([cause.message, cause.stack, Object.entries(cause)])).not.toContain(SECRET);
      }
    });
  });

  it('says that the database does not exist when it does not', async () => {
    const error = await refusal({ url: url((wrong) => void (wrong.pathname = '/missing')) });

    expect(error.message).toContain('Create it');
    expect(error.cause).toMatchObject({ postgresCode: '3D000' });
  });

  it('gives up with a code when the server does not answer in time', async () => {
    const silent = createServer();
    const port = await new Promise<number>((resolve) => {
      silent.listen(0, '127.0.0.1', () => resolve((silent.address() as { port: number }).port));
    });

    const error = await refusal({ url: `postgres://u:p@127.0.0.1:${port}/db`, connectTimeoutMs: 50 });

    expect(error.code).toBe('STORE_UNAVAILABLE');
    silent.close();
  });

  it.each([
    ['default_transaction_read_only', 'on', 'STORE_READ_ONLY'],
    ['synchronous_commit', 'off', 'STORE_NOT_DURABLE'],
  ])('refuses a server when %s is %s', async (name, value, code) => {
    const weak = url(({ searchParams }) => searchParams.set('options', `-c ${name}=${value}`));

    expect((await refusal({ url: weak })).code).toBe(code);
    expect((await admin.query('select from pg_namespace where nspname = $1', [schema])).rowCount).toBe(0);
  });

  it('refuses a schema and leaves it alone when it is of another', async () => {
    await admin.query(`create schema ${schema}`);
    await admin.query(`create table ${schema}.migrations (id int, batch int)`);

    expect((await refusal({})).code).toBe('STORE_OF_ANOTHER');
    expect((await admin.query(`select from pg_tables where schemaname = '${schema}'`)).rowCount).toBe(1);
  });

  it('says which right is missing when the user may create nothing', async () => {
    await admin.query(`create role limited login password 'limited'`);
    const limited = url((changed) => Object.assign(changed, { username: 'limited', password: 'limited' }));

    const error = await refusal({ url: limited });

    expect(error.message).toContain('Grant');
    expect(error.cause).toMatchObject({ postgresCode: '42501' });
  });

  it.each([['Upper'], ['a b'], ['a"; drop schema public; --'], ['']])(
    'refuses the configuration when the schema is named %j',
    async (wrong) => {
      expect((await refusal({ schema: wrong })).code).toBe('INVALID_CONFIGURATION');
    },
  );

  it.each([['maxConnections'], ['connectTimeoutMs'], ['statementTimeoutMs']])(
    'refuses the configuration when %s is no whole number from 1 up',
    async (name) => {
      expect((await refusal({ [name]: 0 })).code).toBe('INVALID_CONFIGURATION');
      expect((await refusal({ [name]: 1.5 })).code).toBe('INVALID_CONFIGURATION');
    },
  );

  it('goes on, and says so in the log, when an idle connection is ended', async () => {
    let warn: Logger['warn'] = () => undefined;
    const warned = new Promise<readonly unknown[]>((resolve) => {
      warn = (...warning) => resolve(warning);
    });
    const silent = (): void => undefined;
    const units = await open({ logger: { debug: silent, info: silent, warn, error: silent } });
    await units.run([insert('call_1')]);
    const [pid] = await sessionsOnceThereAre("state = 'idle'");

    await admin.query('select pg_terminate_backend($1)', [pid]);

    expect(await warned).toEqual([expect.stringContaining('idle'), { error: expect.any(String) }]);
    expect(await units.run([insert('call_2')])).toMatchObject({ kind: 'committed' });
  });

  it('stores nothing when the connection is ended in the middle of a unit', async () => {
    const units = await open();
    const running = units.run([insert('call_1'), sleepless]);
    const [pid] = await sessionsOnceThereAre("state = 'active' and query like '%pg_sleep%'");

    await admin.query('select pg_terminate_backend($1)', [pid]);

    expect(await running).toMatchObject({ kind: 'failed', cause: { code: 'STORE_UNAVAILABLE' } });
    expect(await units.run([insert('call_2')])).toMatchObject({ kind: 'committed' });
    expect(await calls(units)).toEqual(['call_2']);
  });

  it('fails a unit, and keeps no lock, when a statement takes too long', async () => {
    const units = await open({ statementTimeoutMs: 50 });

    const outcome = await units.run([insert('call_1'), sleepless]);

    expect(outcome).toMatchObject({ kind: 'failed', cause: { code: 'STORE_UNAVAILABLE' } });
    expect(String((outcome as { cause: unknown }).cause)).toContain('statementTimeoutMs');
    expect(await units.run([insert('call_1')])).toMatchObject({ kind: 'committed' });
  });

  it('does not know, and is right about it, when the answer to the commit is lost', async () => {
    const proxy = await startCommitDroppingProxy(server.port);
    const units = await open({ url: url((through) => void (through.port = String(proxy.port))) });

    proxy.dropCommits(true);
    const outcome = await units.run([insert('call_1')]);
    proxy.dropCommits(false);

    expect(proxy.dropped()).toBe(1);
    expect(outcome).toMatchObject({ kind: 'unknown', cause: { code: 'STORE_UNAVAILABLE' } });
    expect(await calls(units)).toEqual(['call_1']);
    await units.close();
    await proxy.stop();
  });

  it('knows that nothing is stored when the server refuses the commit', async () => {
    const units = await open();
    await admin.query(`alter table ${schema}.ratings add constraint late foreign key (call_id)
      references ${schema}.runs (id) deferrable initially deferred`);

    expect(await units.run([insert('call_1')])).toMatchObject({
      kind: 'failed',
      cause: { code: 'STORE_CONSTRAINT' },
    });
    expect(await calls(units)).toEqual([]);
  });

  it.each(['40001', '40P01'])('runs a unit again when the server took it back with %s', async (state) => {
    const units = await open();
    // A sequence is the one thing that keeps count when a transaction is taken back.
    await admin.query(`create sequence if not exists ${schema}.tries`);
    await admin.query(`create or replace function ${schema}.collide(times bigint) returns void language plpgsql as $$
      begin
        if nextval('${schema}.tries') <= times then
          raise exception 'taken back' using errcode = '${state}';
        end if;
      end $$`);
    const collide = (times: number): Statement => ({
      sql: `select collide(${times})`,
      parameters: [],
      rows: 1,
    });
    const restart = () => admin.query(`alter sequence ${schema}.tries restart`);

    await restart();
    const outcome = await units.run([insert('call_1'), collide(TRIES - 1)]);
    expect(outcome).toMatchObject({ kind: 'committed' });
    expect(await calls(units)).toEqual(['call_1']);

    await restart();
    const given = await units.run([insert('call_2'), collide(TRIES)]);
    expect(given).toMatchObject({ kind: 'failed', cause: { code: 'STORE_UNAVAILABLE' } });
    expect(await calls(units)).toEqual(['call_1']);
  });

  it('waits longer from try to try when its units collide', async () => {
    const waits: number[] = [];
    const units = new PostgresUnits(new pg.Pool({ connectionString: server.url }), 'a test', {
      heartbeats: new PostgresHeartbeats({}, null),
      wakeUps: new PostgresWakeUps('', schema, null),
      wait: (ms) => Promise.resolve(void waits.push(ms)),
      random: () => 0.5,
    });
    opened.push(units);
    const collide = "do $$ begin raise exception 'taken back' using errcode = '40P01'; end $$";
    const outcome = await units.run([{ sql: collide, parameters: [], rows: 'any' }]);
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(waits).toEqual([10, 20, 40, 80]);
  });

  it('keeps a statement prepared on its connection when it comes again, whatever became of the unit', async () => {
    const units = await open({ maxConnections: 1 });
    const prepared = async () =>
      (await units.read({ sql: 'select statement from pg_prepared_statements', parameters: [] })).map(
        ({ statement }) => String(statement),
      );
    const refused: Statement = { sql: 'delete from runs', parameters: [], rows: 7 };

    const outcomes = [];
    for (const unit of [
      [insert('call_1'), refused],
      [insert('call_1'), refused],
      [insert('call_1'), refused],
      [insert('call_1')],
      [insert('call_2')],
      [insert('call_2')],
      [insert('call_3')],
    ]) {
      outcomes.push((await units.run(unit)).kind);
    }

    expect(outcomes.join(' ')).toBe('refused refused refused committed committed failed committed');
    expect(await calls(units)).toEqual(['call_1', 'call_2', 'call_3']);
    expect((await prepared()).filter((sql) => sql.includes('insert into ratings')).length).toBeGreaterThan(0);
  });

  it('gives the driver one thing at a time on each connection, when many are asked for on none', async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', note);
    const units = await open({ maxConnections: 3 });

    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, at) => units.run([insert(`call_${String(at)}`)])),
    );
    const reads = Array.from({ length: 12 }, () => calls(units));
    expect((await Promise.all(reads)).map((found) => found.length)).toEqual(Array(12).fill(12));
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(12).fill('committed'));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    // The next major version of the driver refuses what this one only warns of.
    expect(warnings).toEqual([]);
  });

  it('fails a unit when nobody could count the rows that it must touch', async () => {
    const units = await open();

    const outcome = await units.run([{ sql: 'create table t (i int)', parameters: [], rows: 1 }]);

    expect(outcome).toMatchObject({ kind: 'failed', cause: { code: 'STORE_UNAVAILABLE' } });
  });

  it('says nothing to the log of the server when a run was taken by another one', async () => {
    const units = await open();
    const take: Statement = {
      sql: "update ratings set rated_at = 2 where call_id = 'none'",
      parameters: [],
      rows: 1,
    };
    const read: Statement = { sql: 'select call_id from ratings', parameters: [], rows: 'any' };
    const failures = async (): Promise<number> => {
      const sql = 'select xact_rollback from pg_stat_database where datname = current_database()';
      await admin.query('select pg_stat_force_next_flush()');
      return Number((await admin.query<{ xact_rollback: string }>(sql)).rows[0]?.xact_rollback);
    };
    const before = await failures();

    expect(await units.run([take, read])).toEqual({ kind: 'refused', statement: 0, found: 0 });
    expect(await units.run([{ ...take, sql: `${take.sql} returning rated_at` }])).toMatchObject({
      kind: 'refused',
    });
    await units.close();
    expect(await failures()).toBe(before);
  });

  it('shows no value of a row in an error when the server does', async () => {
    const units = await open();
    await units.run([insert('a-private-value')]);

    const outcome = await units.run([insert('a-private-value')]);

    const cause = (outcome as { cause: RuntimeError }).cause;
    expect(cause.cause).toMatchObject({ message: 'the server answered 23505, constraint ratings_key' });
    for (let error: unknown = cause; error instanceof Error; error = error.cause) {
      expect(JSON.stringify([error.message, error.stack, Object.entries(error)])).not.toContain(
        'a-private-value',
      );
    }
  });

  it('fails units with a code, and rejects reads, when the server has gone', async () => {
    const gone = await startPostgres();
    const units = await openPostgres({ url: gone.url, schema, connectTimeoutMs: 2_000 });
    await units.run([insert('call_1')]);

    await gone.stop();

    expect(await units.run([insert('call_2')])).toMatchObject({
      kind: 'failed',
      cause: { code: 'STORE_UNAVAILABLE' },
    });
    await expect(units.read({ sql: 'select 1', parameters: [] })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
    await units.close();
  });
});
