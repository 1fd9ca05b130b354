import { existsSync } from 'node:fs';
import path from 'node:path';
import { WriteTarget } from '@toolwright/sdk';
import type { CollectionConfig } from 'payload';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GLOBALS_TABLE } from './entity.js';
import { smallPng } from './fixtures/small-png.js';
import { startTestPayload, type TestPayload } from './fixtures/test-payload.js';

const unnamed: CollectionConfig = {
  slug: 'unnamed',
  fields: [{ name: 'title', type: 'text' }],
  hooks: {
    afterChange: [
      () => undefined,
      () => {
        throw new Error('boom');
      },
    ],
  },
};

let system: TestPayload;

beforeAll(async () => {
  system = await startTestPayload({ collections: [unnamed] });
});
afterAll(() => system.stop());
beforeEach(() => {
  system.reset();
});

const sourcesOf = (notes: readonly string[]) => notes.map((note) => /"([^"]+)"/u.exec(note)?.[1]);

async function latest(target: WriteTarget, options = {}): Promise<Readonly<Record<string, unknown>>> {
  const record = await system.open().reader.read(target, { draft: true, ...options });
  return record!.data;
}

describe('a hook that fails after the write', () => {
  it('becomes a note, and ends its own list only', async () => {
    system.failAt('posts.afterChange.1');
    const session = system.open();
    const target = await session.writer.create('posts', { title: 'one', body: 'b', _status: 'draft' });
    expect(session.landed()).toEqual([{ target, mark: null }]);
    expect(session.notes()).toEqual([
      'Note: the write was stored when "hook afterChange of posts (posts_afterChange_1)" failed (SearchIndexDown). The answer above stands.',
    ]);
    expect(system.trace).toEqual([
      'posts.beforeOperation.1',
      'posts.beforeValidate.1',
      'posts.beforeChange.1',
      'posts.afterRead.1',
      'posts.title.afterChange.1',
      'posts.title.afterChange.2',
      'posts.afterChange.1',
      'posts.afterOperation.1',
      'posts.afterOperation.2',
    ]);
    expect(await latest(target)).toMatchObject({ title: 'one', body: 'b', _status: 'draft' });
  });

  it('is noted once for each list, and logged with its trace', async () => {
    for (const place of ['posts.title.afterChange.1', 'posts.afterChange.2', 'posts.afterOperation.1']) {
      system.failAt(place);
    }
    const session = system.open();
    await session.writer.create('posts', { title: 'x' });
    expect(sourcesOf(session.notes())).toEqual([
      'hook afterChange of posts.title (posts_title_afterChange_1)',
      'hook afterChange of posts (posts_afterChange_2)',
      'hook afterOperation of posts (posts_afterOperation_1)',
    ]);
    expect(system.trace.filter((place) => place.startsWith('posts.after'))).toEqual([
      'posts.afterRead.1',
      'posts.afterChange.1',
      'posts.afterChange.2',
      'posts.afterOperation.1',
    ]);
    expect(system.log).toHaveLength(3);
    expect(system.log[0]).toMatchObject({
      message: 'code failed after a content write',
      fields: { table: 'posts', operation: 'create', runId: 'run-1', error: 'SearchIndexDown' },
    });
    expect(system.log[0]!.fields['trace']).toMatch(/^SearchIndexDown\n {4}at /u);
  });

  it('ends the list of one row of an array only', async () => {
    let calls = 0;
    system.at.set('posts.rows.label.afterChange', () => {
      calls += 1;
      if (calls === 1) {
        throw new Error('boom');
      }
    });
    const session = system.open();
    const target = await session.writer.create('posts', {
      title: 'x',
      rows: [{ label: 'a' }, { label: 'b' }],
    });
    expect(calls).toBe(2);
    expect(sourcesOf(session.notes())).toEqual([
      'hook afterChange of posts.rows.label (posts_rows_label_afterChange)',
    ]);
    expect(await latest(target)).toMatchObject({ rows: [{ label: 'a' }, { label: 'b' }] });
  });

  it('is named by its position when its function has no name', async () => {
    const session = system.open();
    await session.writer.create('unnamed', {});
    expect(sourcesOf(session.notes())).toEqual(['hook afterChange[1] of unnamed']);
  });

  it('keeps the write when every afterRead hook fails, and hands no unmasked record to the tool', async () => {
    system.failAt('posts.afterRead.1');
    const session = system.open();
    const target = await session.writer.create('posts', { title: 'three' });
    expect(session.landed()).toHaveLength(1);
    expect(sourcesOf(session.notes())).toEqual(['hook afterRead of posts (posts_afterRead_1)']);
    expect(system.trace).toContain('posts.afterChange.3');
    await expect(session.reader.read(target)).rejects.toMatchObject({ code: 'CONTENT_READ_FAILED' });
  });

  it('keeps the write when a hook of a record that is shown along with it fails', async () => {
    const cat = await system.payload.create({ collection: 'cats', data: { name: 'related' } });
    system.failAt('cats.afterRead.1');
    await expect(
      system.payload.create({ collection: 'posts', data: { title: 'raw', cat: cat.id } }),
    ).rejects.toThrow('no connection');
    const session = system.open();
    const target = await session.writer.create('posts', { title: 'safe', cat: cat.id });
    expect(sourcesOf(session.notes())).toEqual(['hook afterRead of cats (cats_afterRead_1)']);
    system.reset();
    expect(await latest(target)).toMatchObject({ title: 'safe', cat: cat.id });
  });

  it.each(['posts.afterDelete.1', 'posts.afterRead.1', 'posts.afterOperation.2'])(
    'leaves the record deleted when it fails at %s',
    async (place) => {
      const session = system.open();
      const target = await session.writer.create('posts', { title: 'to delete' });
      system.reset();
      system.failAt(place);
      expect(await session.writer.delete(target)).toBe(target);
      expect(session.notes()).toHaveLength(1);
      expect(system.trace).toContain('posts.afterDelete.1');
      expect(system.trace.includes('posts.afterDelete.2')).toBe(place !== 'posts.afterDelete.1');
      expect(system.trace).toContain('posts.afterOperation.2');
      system.reset();
      expect(await session.reader.read(target, { draft: true })).toBeNull();
    },
  );

  it('keeps an upload and its file', async () => {
    system.failAt('media.afterChange.1');
    const session = system.open();
    const target = await session.writer.create('media', { alt: 'a' }, { file: smallPng('kept.png') });
    expect(session.notes()).toHaveLength(1);
    expect(await latest(target)).toMatchObject({ filename: 'kept.png', alt: 'a' });
    expect(existsSync(path.join(system.folder, 'media', 'kept.png'))).toBe(true);
  });

  it('keeps what was written in one locale, and the other one as it was', async () => {
    const session = system.open();
    const target = await session.writer.create('posts', { title: 'english' });
    system.failAt('posts.afterChange.1');
    await session.writer.update(target, { title: 'deutsch' }, { locale: 'de' });
    expect(session.notes()).toHaveLength(1);
    expect(await latest(target, { locale: 'de' })).toMatchObject({ title: 'deutsch' });
    expect(await latest(target)).toMatchObject({ title: 'english' });
  });

  it('keeps a global, and runs none of the hooks after it', async () => {
    system.failAt('site.afterChange.1');
    const session = system.open();
    const site = WriteTarget.of(GLOBALS_TABLE, 'site');
    expect(await session.writer.update(site, { tagline: 'q' })).toBe(site);
    expect(session.landed()).toEqual([{ target: site, mark: null }]);
    expect(sourcesOf(session.notes())).toEqual(['hook afterChange of site (site_afterChange_1)']);
    expect(system.trace).not.toContain('site.afterChange.2');
    expect((await session.reader.read(site))?.data).toMatchObject({ tagline: 'q' });
  });

  it('keeps a publication, a copy and a restored version', async () => {
    const session = system.open();
    const target = await session.writer.create('posts', { title: 'draft' }, { draft: true });
    system.failAt('posts.afterChange.1');
    await session.writer.update(target, { _status: 'published' });
    expect(await latest(target)).toMatchObject({ _status: 'published' });
    const copy = await session.writer.create('posts', {}, { duplicateOf: target.uid });
    expect(copy.equals(target)).toBe(false);
    expect(await latest(copy)).toMatchObject({ title: 'draft' });
    await session.writer.update(target, { title: 'changed' });
    const [first] = (
      await system.payload.findVersions({
        collection: 'posts',
        where: { parent: { equals: target.uid } },
        sort: 'updatedAt',
      })
    ).docs;
    expect(await session.writer.update(target, {}, { restoreVersion: first!.id })).toBe(target);
    expect(await latest(target)).toMatchObject({ title: 'draft' });
    expect(session.notes()).toHaveLength(4);
    expect(session.landed()).toHaveLength(5);
  });

  it('keeps its notes to its own call when calls run in parallel', async () => {
    system.failAt('cats.afterChange.1');
    const sessions = [system.open(), system.open(), system.open()];
    await Promise.all([
      sessions[0]!.writer.create('cats', { name: 'p1' }),
      sessions[1]!.writer.create('posts', { title: 'p2' }),
      sessions[2]!.writer.create('cats', { name: 'p3' }),
    ]);
    expect(sessions.map((session) => session.notes().length)).toEqual([1, 0, 1]);
    expect(sessions.map((session) => session.landed().length)).toEqual([1, 1, 1]);
  });
});
