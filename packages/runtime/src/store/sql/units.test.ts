import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SqlValue, Statement, UnitOutcome, UnitRunner } from '../unit.js';
import { toStatement } from './dialect.js';
import { describeOnDatabases, type TestDatabase } from './fixtures/test-databases.js';
import { SCHEMA_VERSION } from './migrations.js';

afterEach(() => vi.restoreAllMocks());

describeOnDatabases('UnitRunner', (databases) => {
  it('stores all statements and gives their rows out when every expectation holds', async () => {
    const { dialect, units } = await databases.create();

    const outcome = await units.run([
      toStatement(rating(dialect.query, 'call_1', 1), 1),
      toStatement(rating(dialect.query, 'call_2', 2), 'any'),
      toStatement(dialect.query.selectFrom('ratings').select(['call_id', 'rated_at']).orderBy('call_id'), 2),
      toStatement(dialect.query.deleteFrom('ratings').where('call_id', '=', 'call_1').returning('value'), 1),
    ]);

    expect(outcome).toEqual({
      kind: 'committed',
      rows: [
        [],
        [],
        [
          { call_id: 'call_1', rated_at: 1 },
          { call_id: 'call_2', rated_at: 2 },
        ],
        [{ value: 'helpful' }],
      ],
    });
    expect(await calls({ dialect, units })).toEqual(['call_2']);
  });

  it('stores nothing when a later expectation does not hold', async () => {
    const { dialect, units } = await databases.create();

    const outcome = await units.run([
      toStatement(rating(dialect.query, 'call_1', 1), 1),
      toStatement(dialect.query.updateTable('ratings').set({ rated_at: 9 }).where('call_id', '=', 'x'), 1),
      toStatement(rating(dialect.query, 'call_2', 1), 1),
    ]);

    expect(outcome).toEqual({ kind: 'refused', statement: 1, found: 0 });
    expect(await calls({ dialect, units })).toEqual([]);
  });

  it('says how many rows there were when a statement touched too many', async () => {
    const { dialect, units } = await databases.create();
    await stored(units, [
      toStatement(rating(dialect.query, 'call_1', 1), 1),
      toStatement(rating(dialect.query, 'call_2', 1), 1),
    ]);

    const outcome = await units.run([toStatement(dialect.query.deleteFrom('ratings'), 1)]);

    expect(outcome).toEqual({ kind: 'refused', statement: 0, found: 2 });
    expect(await calls({ dialect, units })).toEqual(['call_1', 'call_2']);
  });

  it('stores nothing and names the reason by code when a row breaks a rule of the schema', async () => {
    const { dialect, units } = await databases.create();
    await stored(units, [toStatement(rating(dialect.query, 'call_1', 1), 1)]);

    const outcome = await units.run([
      toStatement(rating(dialect.query, 'call_2', 1), 1),
      toStatement(rating(dialect.query, 'call_1', 2), 1),
    ]);

    expect(outcome).toMatchObject({ kind: 'failed', cause: { code: 'STORE_CONSTRAINT' } });
    expect(await calls({ dialect, units })).toEqual(['call_1']);
  });

  it('fails the one unit that is wrong when many are run at once', async () => {
    const { dialect, units } = await databases.create();
    const good = (call: string): Statement[] => [toStatement(rating(dialect.query, call, 1), 1)];

    const outcomes = await Promise.all([
      units.run(good('call_1')),
      units.run([...good('call_2'), { sql: 'select no_such_column', parameters: [], rows: 'any' }]),
      units.run([...good('call_3'), toStatement(dialect.query.selectFrom('runs').select('id'), 7)]),
      units.run(good('call_4')),
      units.run([{ sql: 'select 1', parameters: [(() => 1) as unknown as SqlValue], rows: 'any' }]),
      units.run(good('call_5')),
    ]);

    expect(outcomes.map(({ kind }) => kind)).toEqual([
      'committed',
      'failed',
      'refused',
      'committed',
      'failed',
      'committed',
    ]);
    expect(await calls({ dialect, units })).toEqual(['call_1', 'call_4', 'call_5']);
  });

  it('lets exactly one of many units through when all of them ask for the same row', async () => {
    const { dialect, units, open } = await databases.create();
    const other = await open();
    await stored(units, [toStatement(rating(dialect.query, 'call_1', 0), 1)]);
    const take = toStatement(
      dialect.query.updateTable('ratings').set({ rated_at: 1 }).where('rated_at', '=', 0),
      1,
    );

    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? units : other).run([take])),
    );

    expect(outcomes.filter(({ kind }) => kind === 'committed')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'refused')).toHaveLength(19);
  });

  it('reads what another process has committed when its commit was acknowledged', async () => {
    const { dialect, units, open } = await databases.create();
    const other = await open();
    for (let at = 0; at < 20; at += 1) {
      await stored(other, [toStatement(rating(dialect.query, `call_${at}`, at), 1)]);
      expect(await calls({ dialect, units })).toHaveLength(at + 1);
    }
  });

  it('gives values out the same on every database when they are at the edge of a type', async () => {
    const { units, dialect } = await databases.create();
    const [first, second, third] = dialect.name === 'sqlite' ? ['?', '?', '?'] : ['$1', '$2', '$3'];
    const bytes = dialect.name === 'sqlite' ? "x'00ff'" : "'\\x00ff'::bytea";
    const text = 'ÄÖ 𝒳 \n "quoted" \\ ';

    const rows = await units.read({
      sql:
        `select cast(${String(first)} as bigint) as huge, cast(${String(second)} as bigint) as large, ` +
        `cast(${String(third)} as text) as text, null as absent, ${bytes} as bytes, (1 = 1) as flag`,
      parameters: [9_007_199_254_740_993n, Number.MAX_SAFE_INTEGER, text],
    });

    expect(rows).toEqual([
      {
        huge: 9_007_199_254_740_993n,
        large: Number.MAX_SAFE_INTEGER,
        text,
        absent: null,
        bytes: expect.any(Uint8Array),
        flag: 1,
      },
    ]);
    expect([...(rows[0]?.['bytes'] as Uint8Array)]).toEqual([0, 255]);
  });

  it('has a clock of the database when a unit asks for the time', async () => {
    const { dialect, units } = await databases.create();
    const before = Date.now();

    const outcome = await units.run([
      toStatement(
        dialect.query.insertInto('ratings').values({
          run_id: 'r',
          call_id: 'c',
          value: 'helpful',
          rated_at: dialect.now,
        }),
        1,
      ),
      toStatement(dialect.query.selectFrom('ratings').select('rated_at'), 1),
    ]);

    const at = outcome.kind === 'committed' ? Number(outcome.rows[1]?.[0]?.['rated_at']) : NaN;
    expect(at).toBeGreaterThanOrEqual(before - 1);
    expect(at).toBeLessThanOrEqual(Date.now() + 1);
  });

  it('keeps the event loop turning when the store has a lot to do', async () => {
    const { dialect, units } = await databases.create();
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) {
        setImmediate(turn);
      }
    };
    setImmediate(turn);

    const rows = await units.read({
      sql: 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 200000) select count(*) as n from n',
      parameters: [],
    });
    isOver = true;

    expect(rows).toEqual([{ n: 200_000 }]);
    expect(turns).toBeGreaterThan(10);
    expect(dialect.name).toBe(databases.name);
  });

  it('waits for the units that it took, and takes no more, when it is closed', async () => {
    const { dialect, open } = await databases.create();
    const units = await open();
    const taken = Array.from({ length: 10 }, (_, at) =>
      units.run([toStatement(rating(dialect.query, `call_${at}`, at), 1)]),
    );
    const read = units.read({ sql: 'select 1 as one', parameters: [] });

    const closing = units.close();
    const late = await units.run([toStatement(rating(dialect.query, 'late', 1), 1)]);
    await closing;
    await units.close();

    expect((await Promise.all(taken)).map(({ kind }) => kind)).toEqual(Array(10).fill('committed'));
    expect(await read).toEqual([{ one: 1 }]);
    expect(late).toMatchObject({ kind: 'failed', cause: { code: 'STORE_UNAVAILABLE' } });
    await expect(units.read({ sql: 'select 1', parameters: [] })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
    expect(await calls({ dialect, units: await open() })).toHaveLength(10);
  });

  it('rejects a read with a code when the statement is wrong', async () => {
    const { units } = await databases.create();

    await expect(units.read({ sql: 'select no_such_column', parameters: [] })).rejects.toMatchObject({
      name: 'RuntimeError',
      code: 'STORE_UNAVAILABLE',
    });
    expect(await units.read({ sql: 'select 1 as one', parameters: [] })).toEqual([{ one: 1 }]);
  });

  describe('migrations', () => {
    it('run once when several starters open an empty database at once', async () => {
      const { open, units } = await databases.createEmpty(5);

      const versions = await units.read({ sql: 'select version from migrations', parameters: [] });

      expect(versions).toEqual(
        Array.from({ length: SCHEMA_VERSION }, (_, index) => ({ version: index + 1 })),
      );
      await open();
      expect(await units.read({ sql: 'select version from migrations', parameters: [] })).toEqual(versions);
    });

    it('are refused with what to do when the schema is newer than this version', async () => {
      const { open, units } = await databases.create();
      await stored(units, [
        { sql: `insert into migrations values (${SCHEMA_VERSION + 1}, 'later', 1)`, parameters: [], rows: 1 },
      ]);

      await expect(open()).rejects.toMatchObject({
        name: 'RuntimeError',
        code: 'STORE_SCHEMA_NEWER',
        message: expect.stringMatching(/later one/),
      });
    });
  });
});

function rating(query: TestDatabase['dialect']['query'], callId: string, at: number) {
  return query.insertInto('ratings').values({
    run_id: 'run_1',
    call_id: callId,
    value: 'helpful',
    rated_at: at,
  });
}

async function calls({ dialect, units }: Pick<TestDatabase, 'dialect' | 'units'>): Promise<unknown[]> {
  const rows = await units.read(
    toStatement(
      dialect.query.selectFrom('ratings').select('call_id').orderBy('rated_at').orderBy('call_id'),
      'any',
    ),
  );
  return rows.map((row) => row['call_id']);
}

async function stored(units: UnitRunner, unit: readonly Statement[]): Promise<void> {
  const outcome: UnitOutcome = await units.run(unit);
  expect(outcome.kind, String('cause' in outcome ? outcome.cause : '')).toBe('committed');
}
