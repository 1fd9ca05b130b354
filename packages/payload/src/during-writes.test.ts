import { sql, type SQLiteAdapter } from '@payloadcms/db-sqlite';
import { ContentWriteError } from '@toolwright/sdk';
import type { CollectionConfig, PayloadRequest } from 'payload';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SearchIndexDown, startTestPayload, type TestPayload } from './fixtures/test-payload.js';

const title = { name: 'title', type: 'text' } as const;

/** Writes a record of its own collection, and then fails. */
const echoes: CollectionConfig = {
  slug: 'echoes',
  versions: true,
  fields: [title],
  hooks: {
    beforeChange: [
      async ({ req, data }) => {
        if (data['title'] === 'outer') {
          await req.payload.create({ collection: 'echoes', data: { title: 'inner' }, req });
          throw new Error('before the outer one');
        }
      },
    ],
  },
};

/** Writes records of its own collection from where nobody expects a write, and is never valid itself. */
const everywhere: CollectionConfig = {
  slug: 'everywhere',
  fields: [
    {
      ...title,
      defaultValue: async ({ req }) => {
        await req.payload.create({ collection: 'everywhere', data: { title: 'from the default' }, req });
        return 'invalid';
      },
      validate: async (value: unknown, { req }: { readonly req: PayloadRequest }) => {
        if (value !== 'invalid') {
          return true;
        }
        await req.payload.create({ collection: 'everywhere', data: { title: 'from the validation' }, req });
        return 'never valid';
      },
    },
  ],
};

const nested: CollectionConfig = {
  slug: 'nested',
  fields: [title],
  hooks: {
    beforeChange: [
      async ({ req, data }) => {
        await req.payload.create({ collection: 'cats', data: { name: `for ${String(data['title'])}` }, req });
      },
    ],
  },
};

const versioned: CollectionConfig = {
  slug: 'versioned',
  versions: true,
  fields: [title],
  hooks: { afterChange: [() => system.trace.push('versioned.afterChange')] },
};

let system: TestPayload;

beforeAll(async () => {
  system = await startTestPayload({ collections: [echoes, everywhere, nested, versioned] });
});
afterAll(() => system.stop());
beforeEach(() => {
  system.reset();
});

async function rejectionOf(write: Promise<unknown>): Promise<ContentWriteError> {
  const error: unknown = await write.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ContentWriteError);
  return error as ContentWriteError;
}

describe('a failure during the writes', () => {
  it.each(['beforeOperation', 'beforeValidate', 'beforeChange'])(
    'is rethrown, with nothing stored, when a %s hook fails',
    async (kind) => {
      const before = await system.count('posts');
      system.reset();
      system.failAt(`posts.${kind}.1`);
      const session = system.open();
      const error = await rejectionOf(session.writer.create('posts', { title: 'four' }));
      expect(error.cause).toBeInstanceOf(SearchIndexDown);
      expect(error.landed).toEqual([]);
      expect(session.failedWrite()).toBe(error);
      expect(session.landed()).toEqual([]);
      expect(session.notes()).toEqual([]);
      expect(system.trace.at(-1)).toBe(`posts.${kind}.1`);
      expect(await system.count('posts')).toBe(before);
    },
  );

  it('is rethrown when the database refuses the record, and says nothing of its data', async () => {
    await system.payload.create({ collection: 'cats', data: { name: 'unique-secret' } });
    const error = await rejectionOf(system.open().writer.create('cats', { name: 'unique-secret' }));
    expect(error.message).toBe(
      'Cannot tell what the create in cats has stored: the content system failed (ValidationError). ' +
        'Read the record before anything is written again.',
    );
    expect(JSON.stringify(system.log)).not.toContain('unique-secret');
  });

  it('does not count what a hook wrote into another collection as landed', async () => {
    system.failAt('cats.afterChange.1');
    const cats = await system.count('cats');
    const error = await rejectionOf(system.open().writer.create('nested', { title: 'y' }));
    expect(error.cause).toBeInstanceOf(SearchIndexDown);
    expect(error.landed).toEqual([]);
    expect(await system.count('nested')).toBe(0);
    expect(await system.count('cats')).toBe(cats + 1);
  });

  it('does not count what a hook wrote into the same collection as landed', async () => {
    const error = await rejectionOf(system.open().writer.create('echoes', { title: 'outer' }));
    expect(error.cause).toMatchObject({ message: 'before the outer one' });
    expect(error.landed).toEqual([]);
    expect(await system.count('echoes')).toBe(1);
  });

  it('does not count what a default or a validation wrote as landed', async () => {
    const error = await rejectionOf(system.open().writer.create('everywhere', {}));
    expect(error.landed).toEqual([]);
    expect(await system.count('everywhere')).toBe(2);
  });

  it('names the record that is stored all the same when its version could not be stored', async () => {
    const db = system.payload.db as unknown as SQLiteAdapter;
    const session = system.open();
    const first = await session.writer.create('versioned', { title: 'whole' });
    await db.drizzle.run(sql.raw('drop table _versioned_v'));
    system.reset();
    const created = await rejectionOf(session.writer.create('versioned', { title: 'half' }));
    expect(created.landed).toMatchObject([{ table: 'versioned', uid: Number(first.uid) + 1 }]);
    expect(created.message).toContain(`Known to be stored: versioned:${String(Number(first.uid) + 1)}.`);
    const updated = await rejectionOf(session.writer.update(first, { title: 'half' }));
    expect(updated.landed).toEqual([first]);
    expect(system.trace).toEqual([]);
    expect(session.notes()).toEqual([]);
    expect(session.landed()).toHaveLength(1);
  });
});
