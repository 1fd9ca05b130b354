import { sql } from '@payloadcms/db-sqlite';
import { ContentWriteError, WriteLostError, type ContentSession, type WriteTarget } from '@toolwright/sdk';
import type { CollectionConfig, PayloadRequest } from 'payload';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SearchIndexDown, startTestPayload, type TestPayload } from './fixtures/test-payload.js';

const title = { name: 'title', type: 'text' } as const;

/** Statements of the installation's own, in the transaction of the request. */
async function runInTransaction(req: PayloadRequest, statement: string): Promise<void> {
  const session = req.payload.db.sessions?.[String(await req.transactionID)]?.db as {
    run?(query: unknown): Promise<unknown>;
    execute?(query: unknown): Promise<unknown>;
  };
  await (session.run?.(sql.raw(statement)) ?? session.execute?.(sql.raw(statement)));
}

const BAD_STATEMENT = `insert into no_such_table values ('secret body')`;

// A hook that swallows what failed in the transaction that it shares: Payload answers that all is well.
async function swallowNestedFailure({ req }: { readonly req: PayloadRequest }): Promise<void> {
  await req.payload.create({ collection: 'cats', data: { name: 'taken' }, req }).catch(() => undefined);
}
async function swallowDatabaseError({ req }: { readonly req: PayloadRequest }): Promise<void> {
  await runInTransaction(req, BAD_STATEMENT).catch(() => undefined);
}

const collections: readonly CollectionConfig[] = [
  {
    slug: 'swallows-failure',
    fields: [title],
    hooks: { afterChange: [swallowNestedFailure], afterDelete: [swallowNestedFailure] },
  },
  {
    slug: 'swallows-database-error',
    fields: [title],
    hooks: { afterChange: [swallowDatabaseError], afterDelete: [swallowDatabaseError] },
  },
  {
    slug: 'without-stamps',
    timestamps: false,
    fields: [title],
    hooks: { afterChange: [swallowDatabaseError] },
  },
  { slug: 'with-versions', versions: true, fields: [title], hooks: { afterChange: [swallowDatabaseError] } },
  {
    slug: 'database-error',
    fields: [title],
    hooks: { afterChange: [({ req }) => runInTransaction(req, BAD_STATEMENT)] },
  },
];

async function rejectionOf(write: Promise<unknown>): Promise<unknown> {
  return write.then(
    () => null,
    (thrown: unknown) => thrown,
  );
}

describe.each(['sqlite with transactions', 'postgres'] as const)('with %s', (dialect) => {
  let system: TestPayload;
  let session: ContentSession;

  beforeAll(async () => {
    system = await startTestPayload({ dialect, collections });
    await system.payload.create({ collection: 'cats', data: { name: 'taken' } });
  });
  afterAll(() => system.stop());
  beforeEach(() => {
    system.reset();
    session = system.open();
  });

  // A record that is there before the hooks of its collection do anything.
  async function stored(collection: string): Promise<WriteTarget> {
    const { id } = (await system.payload.db.create({ collection, data: { title: 'orig' } })) as {
      id: number;
    };
    const [record] = await session.reader.find(collection, { where: { id } });
    return record!.target;
  }

  it('lands a write whose hooks all end well', async () => {
    const target = await session.writer.create('posts', { title: 'fine' });
    expect(session.landed()).toEqual([{ target, mark: null }]);
    expect(session.notes()).toEqual([]);
    await session.writer.update(target, { title: 'better' });
    await session.writer.delete(target);
    expect(session.landed()).toHaveLength(3);
  });

  it.each(['afterChange.1', 'title.afterChange.1', 'afterRead.1', 'afterOperation.1'])(
    'stores nothing, and says so, when a hook fails inside of the transaction: %s',
    async (place) => {
      const before = await system.count('posts');
      system.failAt(`posts.${place}`);
      const error = await rejectionOf(session.writer.create('posts', { title: 'a' }));
      expect(error).toBeInstanceOf(ContentWriteError);
      expect(error).toMatchObject({ landed: [], cause: expect.any(SearchIndexDown) });
      system.reset();
      expect(await system.count('posts')).toBe(before);
      expect(session.landed()).toEqual([]);
      expect(session.notes()).toEqual([]);
    },
  );

  it('leaves an update undone when a hook fails inside of the transaction', async () => {
    const target = await session.writer.create('posts', { title: 'orig' });
    system.failAt('posts.afterChange.2');
    const error = await rejectionOf(session.writer.update(target, { title: 'new' }));
    expect(error).toBeInstanceOf(ContentWriteError);
    expect(error).toMatchObject({ landed: [] });
    system.reset();
    expect((await session.reader.read(target))?.data['title']).toBe('orig');
  });

  it('calls a write lost that Payload answers as done after a hook swallowed a failure', async () => {
    const raw = await system.payload.create({ collection: 'swallows-failure', data: { title: 'raw' } });
    expect(raw.id).toBeDefined();
    expect(await system.count('swallows-failure')).toBe(0);

    const target = await stored('swallows-failure');
    const created = await rejectionOf(session.writer.create('swallows-failure', { title: 'x' }));
    expect(created).toBeInstanceOf(WriteLostError);
    const updated = await rejectionOf(session.writer.update(target, { title: 'x' }));
    expect(updated).toBeInstanceOf(WriteLostError);
    const deleted = await rejectionOf(session.writer.delete(target));
    expect(deleted).toBeInstanceOf(WriteLostError);
    expect((await session.reader.read(target))?.data['title']).toBe('orig');
    expect(await system.count('swallows-failure')).toBe(1);
    expect(session.landed()).toEqual([]);
    expect(session.failedWrite()).toBe(deleted);
  });

  it('names a database error without its statement', async () => {
    const error = await rejectionOf(session.writer.create('database-error', { title: 'x' }));
    expect(error).toBeInstanceOf(ContentWriteError);
    expect((error as Error).message).not.toMatch(/secret|insert/u);
    expect(JSON.stringify(system.log)).not.toMatch(/secret body|no_such_table/u);
    expect(await system.count('database-error')).toBe(0);
  });

  it.each(['swallows-database-error', 'without-stamps', 'with-versions'])(
    'believes a refused COMMIT no more than the database does: %s',
    async (collection) => {
      const target = await stored(collection);
      const before = await system.count(collection);
      const created = await rejectionOf(session.writer.create(collection, { title: 'x' }));
      const updated = await rejectionOf(session.writer.update(target, { title: 'new' }));
      const title = (await session.reader.read(target))?.data['title'];
      if (dialect === 'postgres') {
        // One failed statement spoils the transaction, and Payload does not hear of the refused COMMIT.
        expect(created).toBeInstanceOf(WriteLostError);
        expect(updated).toBeInstanceOf(WriteLostError);
        expect(title).toBe('orig');
        expect(await system.count(collection)).toBe(before);
        expect(session.landed()).toEqual([]);
      } else {
        expect([created, updated]).toEqual([null, null]);
        expect(title).toBe('new');
        expect(await system.count(collection)).toBe(before + 1);
        expect(session.landed()).toHaveLength(2);
      }
    },
  );

  it('leaves no transaction behind', () => {
    expect(Object.keys(system.payload.db.sessions ?? {})).toEqual([]);
  });
});
