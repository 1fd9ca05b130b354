import { ContentWriteError, type WriteTarget } from '@toolwright/sdk';
import type { CollectionConfig } from 'payload';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestPayload, type TestPayload } from './fixtures/test-payload.js';

let system: TestPayload;
let cat: WriteTarget;

const title = { name: 'title', type: 'text' } as const;

/** A collection whose hook does what the record says, and has a hook after that one. */
const outer: CollectionConfig = {
  slug: 'outer',
  fields: [title, { name: 'catId', type: 'number' }],
  hooks: {
    afterChange: [
      async function touchCat({ req, doc, operation }) {
        const { title: how, catId } = doc as { readonly title: string; readonly catId: number };
        if (operation !== 'create') {
          return;
        }
        if (how === 'shared request' || how === 'own request') {
          const shared = how === 'shared request' ? { req } : {};
          await system.payload.update({ collection: 'cats', id: catId, data: { count: 99 }, ...shared });
        }
        if (how === 'caught') {
          await req.payload
            .update({ collection: 'cats', id: catId, data: { count: 100 }, req })
            .catch(() => undefined);
        }
        if (how === 'safe') {
          await system.open().writer.update(cat, { count: 7 });
        }
      },
      () => system.trace.push('outer.afterChange.2'),
    ],
  },
};

beforeAll(async () => {
  system = await startTestPayload({ collections: [outer] });
  cat = await system.open().writer.create('cats', { name: 'u', count: 1 });
});
afterAll(() => system.stop());
beforeEach(() => {
  system.reset();
});

const countOfCat = async () => (await system.open().reader.read(cat))?.data['count'];

describe('an operation inside of a hook', () => {
  it.each(['shared request', 'own request'])(
    'fails as it always did, and is noted once at the hook that called it: %s',
    async (how) => {
      system.failAt('cats.afterChange.1');
      const session = system.open();
      const target = await session.writer.create('outer', { title: how, catId: cat.uid });
      expect(session.landed()).toEqual([{ target, mark: null }]);
      expect(session.notes()).toHaveLength(1);
      expect(session.notes()[0]).toContain('"hook afterChange of outer (touchCat)"');
      expect(system.trace).toContain('cats.afterChange.1');
      expect(system.trace).not.toContain('cats.afterChange.2');
      expect(system.trace).not.toContain('outer.afterChange.2');
      expect(await countOfCat()).toBe(99);
    },
  );

  it('is nobody else’s business when the hook that called it catches the failure', async () => {
    system.failAt('cats.afterChange.1');
    const session = system.open();
    await session.writer.create('outer', { title: 'caught', catId: cat.uid });
    expect(session.notes()).toEqual([]);
    expect(system.trace).toContain('outer.afterChange.2');
  });
});

describe('a run inside of a hook of another run', () => {
  it('rethrows to the outer one, which notes it once', async () => {
    system.failAt('cats.afterChange.2');
    const session = system.open();
    const target = await session.writer.create('outer', { title: 'safe' });
    expect(session.notes()).toHaveLength(1);
    expect(session.notes()[0]).toContain('"hook afterChange of outer (touchCat)"');
    expect(session.landed()).toEqual([{ target, mark: null }]);
    expect(system.trace).not.toContain('cats.afterChange.3');
    expect(await countOfCat()).toBe(7);
  });

  it('is judged by itself when it succeeds and the outer one fails', async () => {
    system.failAt('cats.beforeChange.1');
    const session = system.open();
    await session.writer.create('outer', { title: 'safe' });
    expect(session.notes()).toHaveLength(1);
    system.reset();
    system.failAt('cats.beforeChange.1');
    await expect(session.writer.update(cat, { count: 1 })).rejects.toBeInstanceOf(ContentWriteError);
  });
});
