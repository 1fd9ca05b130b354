import { searchPlugin } from '@payloadcms/plugin-search';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SearchIndexDown, startTestPayload, type TestPayload } from './fixtures/test-payload.js';

let system: TestPayload;
let isDown = true;

beforeAll(async () => {
  system = await startTestPayload({
    plugins: [
      searchPlugin({
        collections: ['posts'],
        syncDrafts: true,
        beforeSync: ({ searchDoc, originalDoc }) => {
          if (isDown) {
            throw new SearchIndexDown('https://user:pw@index.example refused');
          }
          return { ...searchDoc, title: `indexed ${String(originalDoc['title'])}` };
        },
      }),
    ],
  });
});
afterAll(() => system.stop());
beforeEach(() => {
  system.reset();
  isDown = true;
});

const indexed = async () =>
  (await system.payload.find({ collection: 'search', depth: 0 })).docs.map(({ title }) => title as string);

describe('a search plugin whose index does not answer', () => {
  it('makes three records of three tries when a script believes what Payload says', async () => {
    const before = await system.count('posts');
    for (let tries = 0; tries < 3; tries += 1) {
      await expect(
        system.payload.create({ collection: 'posts', data: { title: 'raw' } }),
      ).rejects.toBeInstanceOf(SearchIndexDown);
    }
    expect(await system.count('posts')).toBe(before + 3);
  });

  it('does not fail the write of a tool, and is named beside its answer', async () => {
    const before = await system.count('posts');
    const session = system.open();
    const target = await session.writer.create('posts', { title: 'safe' });
    expect(session.landed()).toEqual([{ target, mark: null }]);
    expect(session.notes()).toEqual([
      'Note: the write was stored when "hook afterChange[3] of posts" failed (SearchIndexDown). The answer above stands.',
    ]);
    expect(system.trace).toContain('posts.afterOperation.2');
    expect(await system.count('posts')).toBe(before + 1);
  });

  it('indexes what a later write of the tool stores, and its own record is none of the tool’s', async () => {
    const session = system.open();
    const target = await session.writer.create('posts', { title: 'first' });
    expect(await indexed()).toEqual([]);
    isDown = false;
    await session.writer.update(target, { title: 'second' });
    expect(await indexed()).toEqual(['indexed second']);
    expect(session.landed()).toEqual([
      { target, mark: null },
      { target, mark: null },
    ]);
    expect(session.notes()).toHaveLength(1);
    await session.writer.delete(target);
    expect(await indexed()).toEqual([]);
  });
});
