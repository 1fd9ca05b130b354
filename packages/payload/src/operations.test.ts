import { existsSync } from 'node:fs';
import path from 'node:path';
import { WriteTarget, type ContentSession } from '@toolwright/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GLOBALS_TABLE } from './entity.js';
import { smallPng } from './fixtures/small-png.js';
import { startTestPayload, type TestPayload } from './fixtures/test-payload.js';

const SITE = WriteTarget.of(GLOBALS_TABLE, 'site');

describe.each(['sqlite', 'sqlite with transactions', 'postgres'] as const)('with %s', (dialect) => {
  let system: TestPayload;
  let session: ContentSession;

  beforeAll(async () => {
    system = await startTestPayload({ dialect });
  });
  afterAll(() => system.stop());
  beforeEach(() => {
    system.reset();
    session = system.open();
  });

  const dataOf = async (target: WriteTarget, options = {}) =>
    (await session.reader.read(target, options))?.data;

  async function versionsOf(target: WriteTarget): Promise<readonly { readonly id: string | number }[]> {
    const found =
      target.table === GLOBALS_TABLE
        ? await system.payload.findGlobalVersions({ slug: 'site', sort: 'updatedAt' })
        : await system.payload.findVersions({
            collection: 'posts',
            where: { parent: { equals: target.uid } },
            sort: 'updatedAt',
          });
    return found.docs;
  }

  it('creates, updates and deletes a record', async () => {
    const target = await session.writer.create('cats', { name: 'Kitty', count: 1 });
    expect(target.table).toBe('cats');
    expect(await session.writer.update(target, { count: 2 })).toBe(target);
    expect(await dataOf(target)).toMatchObject({ name: 'Kitty', count: 2 });
    expect(await session.writer.delete(target)).toBe(target);
    expect(await dataOf(target)).toBeUndefined();
    expect(session.landed().map((write) => write.target.equals(target))).toEqual([true, true, true]);
  });

  it('takes the uid of a target for the id that Payload has, also where a model wrote it as text', async () => {
    const target = await session.writer.create('cats', { name: 'Text' });
    const asText = WriteTarget.of('cats', String(target.uid));
    await session.writer.update(asText, { count: 3 });
    expect(await dataOf(asText)).toMatchObject({ count: 3 });
  });

  it('leaves the data that a tool handed over as it was', async () => {
    const data = Object.freeze({ title: 'frozen', rows: Object.freeze([{ label: 'a' }]) });
    await session.writer.create('posts', data, { draft: true });
    expect(data).toEqual({ title: 'frozen', rows: [{ label: 'a' }] });
  });

  it('stores a draft beside the published record, publishes it, and takes it back', async () => {
    const target = await session.writer.create('posts', { title: 'public', _status: 'published' });
    await session.writer.update(target, { title: 'in work' }, { draft: true });
    expect(await dataOf(target)).toMatchObject({ title: 'public', _status: 'published' });
    expect(await dataOf(target, { draft: true })).toMatchObject({ title: 'in work', _status: 'draft' });
    await session.writer.update(target, { _status: 'published' });
    expect(await dataOf(target)).toMatchObject({ title: 'in work', _status: 'published' });
    await session.writer.update(target, { _status: 'draft' }, { unpublishAllLocales: true });
    expect(await dataOf(target)).toMatchObject({ _status: 'draft' });
  });

  it('restores a version', async () => {
    const target = await session.writer.create('posts', { title: 'first', _status: 'published' });
    await session.writer.update(target, { title: 'second', _status: 'published' });
    const [first] = await versionsOf(target);
    await session.writer.update(target, {}, { restoreVersion: first!.id });
    expect(await dataOf(target)).toMatchObject({ title: 'first' });
  });

  it('duplicates a record with other data, and with chosen locales only', async () => {
    const target = await session.writer.create('posts', { title: 'english', body: 'b' });
    await session.writer.update(target, { title: 'deutsch' }, { locale: 'de' });
    const copy = await session.writer.create(
      'posts',
      { body: 'other' },
      { duplicateOf: target.uid, selectedLocales: ['en'] },
    );
    expect(await dataOf(copy, { draft: true })).toMatchObject({ title: 'english', body: 'other' });
    const german = await dataOf(copy, { draft: true, locale: 'de', fallbackLocale: false });
    expect(german?.['title'] ?? null).toBeNull();
  });

  it('writes one locale, and reads it without a stand-in', async () => {
    const target = await session.writer.create('posts', { title: 'english' });
    const untranslated = await dataOf(target, { locale: 'de', fallbackLocale: false });
    expect(untranslated?.['title'] ?? null).toBeNull();
    expect(await dataOf(target, { locale: 'de' })).toMatchObject({ title: 'english' });
    await session.writer.update(target, { title: 'deutsch' }, { locale: 'de' });
    expect(await dataOf(target, { locale: 'de', fallbackLocale: false })).toMatchObject({ title: 'deutsch' });
    expect(await dataOf(target)).toMatchObject({ title: 'english' });
  });

  it('stores an upload with its file, replaces it, and deletes both', async () => {
    const fileAt = (name: unknown) => path.join(system.folder, 'media', String(name));
    const target = await session.writer.create('media', { alt: 'a' }, { file: smallPng('first.png') });
    const first = (await dataOf(target))?.['filename'];
    expect(existsSync(fileAt(first))).toBe(true);
    await session.writer.update(target, { alt: 'b' }, { file: smallPng('second.png') });
    const second = (await dataOf(target))?.['filename'];
    expect(await dataOf(target)).toMatchObject({ alt: 'b', filename: second });
    expect([existsSync(fileAt(first)), existsSync(fileAt(second))]).toEqual([false, true]);
    await session.writer.delete(target);
    expect(existsSync(fileAt(second))).toBe(false);
  });

  it('puts a record into the trash, takes it out again, and deletes one that is in there', async () => {
    const target = await session.writer.create('posts', { title: 'x' });
    await session.writer.update(target, { deletedAt: new Date(0).toISOString() });
    expect(await dataOf(target)).toBeUndefined();
    await session.writer.update(target, { deletedAt: null }, { trash: true });
    expect(await dataOf(target)).toMatchObject({ title: 'x' });
    await session.writer.update(target, { deletedAt: new Date(0).toISOString() });
    await session.writer.delete(target, { trash: true });
    expect(await dataOf(target, { trash: true })).toBeUndefined();
  });

  it('writes a global, as a draft too, and restores its version', async () => {
    await session.writer.update(SITE, { tagline: 'first', _status: 'published' });
    await session.writer.update(SITE, { tagline: 'second' }, { draft: true });
    expect(await dataOf(SITE)).toMatchObject({ tagline: 'first' });
    expect(await dataOf(SITE, { draft: true })).toMatchObject({ tagline: 'second' });
    await session.writer.update(SITE, { tagline: 'third', _status: 'published' });
    const [first] = await versionsOf(SITE);
    await session.writer.update(SITE, {}, { restoreVersion: first!.id });
    expect(await dataOf(SITE)).toMatchObject({ tagline: 'first' });
    expect(session.landed()).toHaveLength(4);
  });

  it('finds records whose fields equal those asked for, and no more than asked for', async () => {
    for (const count of [7, 7, 7, 8]) {
      await session.writer.create('cats', { count });
    }
    const found = await session.reader.find('cats', { where: { count: 7 }, limit: 2 });
    expect(found).toHaveLength(2);
    expect(found[0]).toMatchObject({ target: { table: 'cats' }, data: { count: 7 } });
    expect(await session.reader.find('cats', { where: { count: 9 } })).toEqual([]);
  });
});
