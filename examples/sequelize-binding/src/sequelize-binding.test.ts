import { ContentWriteError, WriteLostError, type ContentSession } from '@toolwright/sdk';
import { startPostgres, type PostgresServer } from '@toolwright/test-postgres';
import { DataTypes, Sequelize, type Transaction } from 'sequelize';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sequelizeContent } from './index.js';

let server: PostgresServer;
let sequelize: Sequelize;
let failing: string | null = null;
const trace: string[] = [];

const at = (place: string) => {
  trace.push(place);
  if (failing === place) {
    throw new TypeError('secret words');
  }
};

interface InTransaction {
  readonly transaction?: Transaction | null;
}

beforeAll(async () => {
  server = await startPostgres();
  sequelize = new Sequelize(server.url, { logging: false });
  const Note = sequelize.define('Note', { text: DataTypes.STRING });
  const Entry = sequelize.define('Entry', { text: DataTypes.STRING });
  Note.addHook('beforeCreate', () => at('before'));
  Note.addHook('afterCreate', 'journal', async (_note, { transaction = null }: InTransaction) => {
    at('journal');
    await Entry.create({ text: 'created' }, { transaction });
  });
  Note.addHook('afterCreate', 'cache', (_note, { transaction }: InTransaction) => {
    at('cache');
    transaction?.afterCommit(function tellSubscribers() {
      at('afterCommit 1');
    });
    transaction?.afterCommit(() => at('afterCommit 2'));
  });
  Note.addHook('afterCreate', 'spoil', async (note, { transaction }: InTransaction) => {
    if (note.get('text') === 'spoiled') {
      // The transaction is spoiled, and the hook says nothing.
      await sequelize
        .query('select * from no_such_table', { transaction: transaction ?? null })
        .catch(() => 0);
    }
  });
  Note.addHook('afterUpdate', 'journal', () => at('afterUpdate'));
  Note.addHook('afterDestroy', 'journal', () => at('afterDestroy 1'));
  Note.addHook('afterDestroy', 'cache', () => at('afterDestroy 2'));
  Entry.addHook('afterCreate', 'entry', () => at('entry'));
  await sequelize.sync();
});
afterAll(async () => {
  await sequelize.close();
  await server.stop();
});
beforeEach(() => {
  failing = null;
  trace.length = 0;
});

function open(transactions: boolean): ContentSession {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  return sequelizeContent(sequelize, { transactions, logger }).open({
    actor: { id: 'editor' },
    runId: 'run-1',
    callId: 'call-1',
    signal: new AbortController().signal,
  });
}

const count = async () => sequelize.model('Note').count();
const noteFrom = (source: string) =>
  `Note: the write was stored when "${source}" failed (TypeError). The answer above stands.`;

describe('outside of a transaction', () => {
  it.each([
    ['journal', 'hook afterCreate of Note (journal)', ['before', 'journal']],
    ['cache', 'hook afterCreate of Note (cache)', ['before', 'journal', 'entry', 'cache']],
    // It fails in the hook that wrote the entry, and the hooks after that one do not run.
    ['entry', 'hook afterCreate of Note (journal)', ['before', 'journal', 'entry']],
  ])('a hook that fails after the create leaves it landed: %s', async (place, source, ran) => {
    const session = open(false);
    const before = await count();
    failing = place;
    const target = await session.writer.create('Note', { text: 'x' });
    expect(session.landed()).toEqual([{ target, mark: null }]);
    expect(session.notes()).toEqual([noteFrom(source)]);
    expect(trace).toEqual(ran);
    expect(await count()).toBe(before + 1);
  });

  it('a hook that fails after an update or a delete leaves it landed', async () => {
    const session = open(false);
    const target = await session.writer.create('Note', { text: 'old' });
    failing = 'afterUpdate';
    await session.writer.update(target, { text: 'new' });
    expect((await session.reader.read(target))?.data).toMatchObject({ text: 'new' });
    failing = 'afterDestroy 1';
    await session.writer.delete(target);
    expect(await session.reader.read(target)).toBeNull();
    expect(trace).not.toContain('afterDestroy 2');
    expect(session.notes()).toEqual([
      noteFrom('hook afterUpdate of Note (journal)'),
      noteFrom('hook afterDestroy of Note (journal)'),
    ]);
  });

  it('a hook that fails before the write fails it, with nothing stored', async () => {
    const before = await count();
    failing = 'before';
    await expect(open(false).writer.create('Note', { text: 'x' })).rejects.toMatchObject({
      code: 'CONTENT_WRITE_FAILED',
      landed: [],
    });
    expect(await count()).toBe(before);
  });

  it('a write that there is nothing for is not started', async () => {
    const session = open(false);
    const target = await session.writer.create('Note', {});
    await session.writer.delete(target);
    for (const write of [session.writer.update(target, {}), session.writer.create('constructor', {})]) {
      await expect(write).rejects.toMatchObject({ code: 'CONTENT_REFUSED' });
    }
  });
});

describe('in a transaction', () => {
  it.each(['journal', 'cache', 'entry'])(
    'a hook that fails before the COMMIT takes the write back: %s',
    async (place) => {
      const session = open(true);
      const before = await count();
      failing = place;
      await expect(session.writer.create('Note', { text: 'x' })).rejects.toBeInstanceOf(ContentWriteError);
      expect(session.landed()).toEqual([]);
      expect(session.notes()).toEqual([]);
      expect(await count()).toBe(before);
    },
  );

  it('a hook that fails after the COMMIT leaves the write landed, and ends its list', async () => {
    const session = open(true);
    failing = 'afterCommit 1';
    const target = await session.writer.create('Note', { text: 'x' });
    expect(session.landed()).toEqual([{ target, mark: null }]);
    expect(session.notes()).toEqual([noteFrom('hook afterCommit (tellSubscribers)')]);
    expect(trace).toEqual(['before', 'journal', 'entry', 'cache', 'afterCommit 1']);
  });

  it('a COMMIT that was none is found out', async () => {
    const session = open(true);
    const before = await count();
    await expect(session.writer.create('Note', { text: 'spoiled' })).rejects.toBeInstanceOf(WriteLostError);
    expect(await count()).toBe(before);
    expect(session.landed()).toEqual([]);
  });
});

describe('a write of nobody’s', () => {
  it('fails as it always did', async () => {
    failing = 'journal';
    await expect(sequelize.model('Note').create({ text: 'raw' })).rejects.toThrow('secret words');
    expect(trace).toEqual(['before', 'journal']);
  });
});
