import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Statement } from '../../unit.js';
import { UnitCommitter } from './commit-units.js';

const insert = (value: number | string): Statement => ({
  sql: 'insert into t (value) values (?)',
  parameters: [value],
  rows: 1,
});
const take: Statement = { sql: "update t set value = 'taken' where value = 'free'", parameters: [], rows: 1 };

/** The database, with its statements for transactions written down, and made to fail where a test says so. */
class ControlledDatabase {
  readonly real = new Database(':memory:');
  readonly controls: string[] = [];
  /** The codes of the next times, one each; an empty one for a time that goes well. */
  failure: { readonly on: string; readonly codes: string[] } | null = null;

  readonly database = new Proxy(this.real, {
    get: (target, property) => {
      if (property === 'prepare') {
        return (sql: string) => this.#prepare(sql);
      }
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

  #prepare(sql: string) {
    const prepared = this.real.prepare(sql);
    if (!/^(begin|commit|rollback$)/.test(sql)) {
      return prepared;
    }
    return {
      reader: false,
      run: () => {
        this.controls.push(sql);
        const code = this.failure?.on === sql ? this.failure.codes.shift() : undefined;
        if (code !== undefined && code !== '') {
          throw new Database.SqliteError('planted', code);
        }
        return prepared.run();
      },
    };
  }
}

describe('UnitCommitter', () => {
  let controlled: ControlledDatabase;
  let committer: UnitCommitter;
  const values = (): unknown[] => controlled.real.prepare('select value from t order by rowid').pluck().all();

  beforeEach(() => {
    controlled = new ControlledDatabase();
    controlled.real.exec(
      "create table t (value unique check (value <> 'bad')) strict".replace(
        'value unique',
        'value any unique',
      ),
    );
    committer = new UnitCommitter(controlled.database);
  });
  afterEach(() => controlled.real.close());

  it('uses one transaction when many units wait', () => {
    const outcomes = committer.commit([[insert(1)], [insert(2), insert(3)], [insert(4)]]);

    expect(outcomes.map(({ kind }) => kind)).toEqual(['committed', 'committed', 'committed']);
    expect(controlled.controls).toEqual(['begin immediate', 'commit']);
  });

  it('takes back nothing but the unit that does not hold when others share its transaction', () => {
    const outcomes = committer.commit([
      [insert(1)],
      [insert(2), take],
      [insert(3), insert('bad')],
      [insert(4), insert(4)],
      [insert(5)],
    ]);

    expect(outcomes).toMatchObject([
      { kind: 'committed' },
      { kind: 'refused', statement: 1, found: 0 },
      { kind: 'failed', problem: { code: 'SQLITE_CONSTRAINT_CHECK' } },
      { kind: 'failed', problem: { code: 'SQLITE_CONSTRAINT_UNIQUE' } },
      { kind: 'committed' },
    ]);
    expect(values()).toEqual([1, 5]);
    expect(controlled.controls).toEqual(['begin immediate', 'rollback', 'begin immediate', 'commit']);
  });

  it('begins no second time when the unit that does not hold has changed nothing', () => {
    const read: Statement = { sql: 'select value from t', parameters: [], rows: 7 };
    const found: Statement = {
      sql: "update t set value = 'x' where value = 9 returning value",
      parameters: [],
      rows: 1,
    };

    const outcomes = committer.commit([
      [insert(1)],
      [take, insert(2)],
      [read],
      [found, insert(3)],
      [insert(4)],
    ]);

    expect(outcomes).toMatchObject([
      { kind: 'committed' },
      { kind: 'refused', statement: 0, found: 0 },
      { kind: 'refused', statement: 0, found: 1 },
      { kind: 'refused', statement: 0, found: 0 },
      { kind: 'committed' },
    ]);
    expect(values()).toEqual([1, 4]);
    expect(controlled.controls).toEqual(['begin immediate', 'commit']);
  });

  it('takes a row back that a refused unit changed when it was told of it', () => {
    controlled.real.exec("insert into t values ('free')");
    const both: Statement = { sql: `${take.sql} returning value`, parameters: [], rows: 2 };

    const outcomes = committer.commit([[both], [insert(1)]]);

    expect(outcomes).toMatchObject([{ kind: 'refused', statement: 0, found: 1 }, { kind: 'committed' }]);
    expect(values()).toEqual(['free', 1]);
  });

  it('acknowledges nothing when the transaction does not begin anew', () => {
    const outcomes = committer.commit([[insert(1), take], [insert(2)]]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['refused', 'committed']);
    controlled.failure = { on: 'begin immediate', codes: ['', 'SQLITE_BUSY'] };

    expect(committer.commit([[insert(3), take], [insert(4)]])).toMatchObject([
      { kind: 'failed', problem: { code: 'SQLITE_BUSY' } },
      { kind: 'failed', problem: { code: 'SQLITE_BUSY' } },
    ]);
    expect(values()).toEqual([2]);
  });

  it('runs units in order when one sees what an earlier one has done', () => {
    const outcomes = committer.commit([[insert('free')], [take], [take]]);

    expect(outcomes.map(({ kind }) => kind)).toEqual(['committed', 'committed', 'refused']);
  });

  it('acknowledges nothing when the transaction does not begin', () => {
    controlled.failure = { on: 'begin immediate', codes: ['SQLITE_BUSY'] };

    const outcomes = committer.commit([[insert(1)], [insert(2)]]);

    expect(outcomes).toMatchObject([
      { kind: 'failed', problem: { code: 'SQLITE_BUSY' } },
      { kind: 'failed', problem: { code: 'SQLITE_BUSY' } },
    ]);
    expect(values()).toEqual([]);
  });

  it('tries every unit by itself when the shared commit fails and nothing is stored', () => {
    controlled.failure = { on: 'commit', codes: ['SQLITE_FULL'] };

    const outcomes = committer.commit([[insert('free')], [take], [take], [insert(4)]]);

    expect(outcomes.map(({ kind }) => kind)).toEqual(['committed', 'committed', 'refused', 'committed']);
    expect(values()).toEqual(['taken', 4]);
  });

  it('acknowledges nothing when every commit fails', () => {
    controlled.failure = { on: 'commit', codes: Array<string>(9).fill('SQLITE_FULL') };

    const outcomes = committer.commit([[insert(1)], [insert(2)]]);

    expect(outcomes).toMatchObject([
      { kind: 'failed', problem: { code: 'SQLITE_FULL' } },
      { kind: 'failed', problem: { code: 'SQLITE_FULL' } },
    ]);
    expect(values()).toEqual([]);
    expect(controlled.real.inTransaction).toBe(false);
  });

  it('refuses nothing on the strength of a unit that was not stored when its commit fails', () => {
    controlled.real.exec("insert into t values ('free')");
    controlled.failure = { on: 'commit', codes: ['SQLITE_FULL', 'SQLITE_FULL'] };

    // The first is taken back twice, so that the second finds the row free after all.
    const outcomes = committer.commit([[take], [take]]);

    expect(outcomes.map(({ kind }) => kind)).toEqual(['failed', 'committed']);
  });

  it('says that it does not know when the disk fails in the commit', () => {
    controlled.failure = { on: 'commit', codes: ['SQLITE_IOERR_FSYNC'] };

    const outcomes = committer.commit([[insert(1)], [insert(2)]]);

    expect(outcomes).toMatchObject([
      { kind: 'unknown', problem: { code: 'SQLITE_IOERR_FSYNC' } },
      { kind: 'unknown', problem: { code: 'SQLITE_IOERR_FSYNC' } },
    ]);
    expect(controlled.controls.filter((sql) => sql === 'commit')).toHaveLength(1);
  });

  it('commits nothing more when the disk fails while units are tried by themselves', () => {
    controlled.failure = { on: 'commit', codes: ['SQLITE_FULL', 'SQLITE_IOERR_WRITE'] };

    const outcomes = committer.commit([[insert(1)], [insert(2)], [insert(3)]]);

    expect(outcomes.map(({ kind }) => kind)).toEqual(['unknown', 'failed', 'failed']);
    expect(values()).toEqual([]);
  });

  it('stores the small units when the disk is full for a large one among them', () => {
    const pages = Number(controlled.real.pragma('page_count', { simple: true }));
    controlled.real.pragma(`max_page_count = ${pages + 2}`);

    const outcomes = committer.commit([[insert(1)], [insert('x'.repeat(100_000))], [insert(3)]]);

    expect(outcomes).toMatchObject([
      { kind: 'committed' },
      { kind: 'failed', problem: { code: 'SQLITE_FULL' } },
      { kind: 'committed' },
    ]);
    expect(values()).toEqual([1, 3]);
  });

  it('goes no further when a unit ends the transaction of the others', () => {
    const commit: Statement = { sql: 'commit', parameters: [], rows: 'any' };

    expect(() => committer.commit([[insert(1)], [insert(2), commit, insert('bad')]])).toThrow(
      'ended the transaction',
    );
  });
});
