import { WriteTarget } from '@toolwright/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GLOBALS_TABLE } from '../entity.js';
import { startMarkedSystem, type MarkedSystem } from '../fixtures/marked-writes.js';
import { markedFields } from './payload-mark.js';
import { toolwrightHistory } from './toolwright-history.js';

const SITE = WriteTarget.of(GLOBALS_TABLE, 'site');
const TRASH = { deletedAt: new Date(0).toISOString() };

/** The digests of names, as a mark has them where the names are too long. */
function digestsOf(names: readonly string[]): string {
  const long = Array.from({ length: 100 }, (_, index) => `zz${'x'.repeat(40)}${String(index)}`);
  const fields = markedFields([...names, ...long]);
  return (fields as { readonly digests: string }).digests.slice(0, 8 * names.length);
}

describe.each(['sqlite', 'postgres'] as const)('the history of a write with %s', (dialect) => {
  let system: MarkedSystem;

  beforeAll(async () => {
    system = await startMarkedSystem(dialect, [toolwrightHistory()]);
  });
  afterAll(() => system.stop());

  const draft = (data: Readonly<Record<string, unknown>>) => system.create('pages', data, { draft: true });
  const publish = (target: WriteTarget, data = {}, options = {}) =>
    system.save(target, { ...data, _status: 'published' }, options);

  it('is empty when nothing happened since', async () => {
    expect(await system.since(await draft({ title: 'A', body: 'x' }))).toEqual([]);
  });

  it('says that it was released as it was', async () => {
    const write = await draft({ title: 'A', body: 'x' });
    await publish(write.target);
    expect(await system.since(write)).toEqual(['released outside same']);
  });

  it('says that it was changed with its release', async () => {
    const write = await draft({ title: 'B', body: 'x' });
    await publish(write.target, { body: 'y' });
    expect(await system.since(write)).toEqual(['released outside different']);
  });

  it('says that it was changed before its release', async () => {
    const write = await draft({ title: 'B2', body: 'x' });
    await system.save(write.target, { body: 'y' }, { draft: true });
    await publish(write.target);
    expect(await system.since(write)).toEqual(['changed outside different', 'released outside different']);
  });

  it('says that it was changed, and changed back', async () => {
    const write = await draft({ title: 'B3', body: 'x' });
    await system.save(write.target, { body: 'y' }, { draft: true });
    await publish(write.target, { body: 'x' });
    expect(await system.since(write)).toEqual(['changed outside different', 'released outside same']);
  });

  it('says what was released before it was edited', async () => {
    const write = await draft({ body: 'x' });
    await publish(write.target);
    await publish(write.target, { body: 'y' });
    expect(await system.since(write)).toEqual(['released outside same', 'released outside different']);
  });

  it('counts no change of what the write did not set', async () => {
    const write = await draft({ body: 'x' });
    await publish(write.target, { title: 'another', seo: { noIndex: true } });
    expect(await system.since(write)).toEqual(['released outside same']);
  });

  it('compares a single field of a group where only that was set', async () => {
    const { target } = await draft({ body: 'x', seo: { title: 'old', noIndex: false } });
    const write = await system.update(target, { seo: { title: 'new' } }, { draft: true });
    await system.save(target, { seo: { noIndex: true } }, { draft: true });
    await system.save(target, { seo: { title: 'theirs' } }, { draft: true });
    expect(await system.since(write)).toEqual(['changed outside same', 'changed outside different']);
  });

  it('compares rows without their ids, in the locale that was written', async () => {
    const { target } = await draft({ rows: [{ label: 'one', count: 1 }] });
    const write = await system.update(
      target,
      { rows: [{ label: 'eins', count: 1 }] },
      { draft: true, locale: 'de' },
    );
    await system.save(target, { rows: [{ label: 'eins', count: 1 }] }, { draft: true, locale: 'de' });
    await system.save(target, { rows: [{ label: 'eins', count: 2 }] }, { draft: true, locale: 'de' });
    expect(await system.since(write)).toEqual(['changed outside same', 'changed outside different']);
  });

  it('says that the record was deleted, by whom, and that it was not released before', async () => {
    const write = await draft({ body: 'x' });
    await system.payload.delete({ collection: 'pages', id: write.target.uid });
    expect(await system.since(write)).toEqual(['deleted outside same']);
    expect(await system.versions(write.target)).toEqual([]);
  });

  it('still says of a deleted record that it was released before', async () => {
    const write = await draft({ body: 'x' });
    await publish(write.target);
    await system.save(write.target, { body: 'y' }, { draft: true });
    await system.payload.delete({ collection: 'pages', where: { id: { equals: write.target.uid } } });
    expect(await system.since(write)).toEqual([
      'released outside same',
      'changed outside unknown',
      'deleted outside unknown',
    ]);
  });

  it('says which run deleted the record', async () => {
    const write = await draft({ body: 'x' });
    const deletion = await system.remove(write.target, {}, 'run-2');
    expect(await system.since(write)).toEqual(['deleted run-2 same']);
    expect(await system.since(deletion)).toEqual([]);
  });

  it('is unknown when the id belongs to another record by now', async () => {
    const write = await draft({ body: 'x' });
    const deletion = await system.remove(write.target);
    await system.giveIdAgain(write.target);
    const next = await system.payload.create({ collection: 'pages', data: { body: 'x' } });
    expect(next.id).toBe(write.target.uid);
    expect(await system.since(write)).toBe('uid_reused');
    expect(await system.since(deletion)).toBe('uid_reused');
  });

  it('is unknown when the version was purged, whatever the content is now', async () => {
    for (const body of ['other', 'x']) {
      const write = await system.create('few', { body: 'x' }, { draft: true });
      await publish(write.target, { body });
      for (let count = 0; count < 3; count += 1) {
        await publish(write.target);
      }
      expect(await system.versions(write.target)).toHaveLength(3);
      expect(await system.since(write)).toBe('purged');
      await system.payload.delete({ collection: 'few', id: write.target.uid });
      expect(await system.since(write)).toBe('purged');
    }
  });

  it('says that the record was put into the trash, and taken out of it', async () => {
    const write = await draft({ body: 'x' });
    await system.save(write.target, TRASH);
    expect(await system.since(write)).toEqual(['deleted outside same']);
    await system.save(write.target, { deletedAt: null }, { trash: true });
    expect(await system.since(write)).toEqual(['deleted outside same', 'restored outside same']);
    await system.save(write.target, TRASH);
    await system.save(write.target, { deletedAt: null, _status: 'published' }, { trash: true });
    expect((await system.since(write)).slice(2)).toEqual([
      'deleted outside same',
      'restored outside same',
      'released outside same',
    ]);
  });

  it('says of a record that the write put into the trash that it is there again', async () => {
    const { target } = await draft({ body: 'x' });
    const write = await system.update(target, TRASH);
    expect(await system.since(write)).toEqual([]);
    await system.save(target, { deletedAt: null }, { trash: true });
    expect(await system.since(write)).toEqual(['restored outside before']);
    await system.save(target, TRASH);
    await system.payload.delete({ collection: 'pages', id: target.uid, trash: true });
    expect((await system.since(write)).slice(1)).toEqual(['changed outside same', 'released outside same']);
  });

  it('says that the version before the write was restored', async () => {
    const { id: uid } = await system.payload.create({
      collection: 'pages',
      data: { body: 'before', _status: 'published' },
    });
    const target = WriteTarget.of('pages', uid);
    const write = await system.update(target, { body: 'tool' }, { draft: true });
    const [before, own] = await system.versions(target);
    await system.payload.restoreVersion({ collection: 'pages', id: String(before!.id) });
    await system.payload.restoreVersion({ collection: 'pages', id: String(own!.id) });
    expect(await system.since(write)).toEqual([
      'released outside before',
      // It was a draft, and is put in the place of what readers saw.
      'unreleased outside same',
    ]);
    const [, , restored] = await system.versions(target);
    // Whoever goes by when a version was created takes the restored one for the oldest.
    expect(String(restored!['createdAt']) < String(own!['createdAt'])).toBe(true);
  });

  it('says same where the write changed nothing', async () => {
    const { target } = await draft({ body: 'x' });
    const write = await system.update(target, { body: 'x' }, { draft: true });
    await publish(target);
    expect(await system.since(write)).toEqual(['released outside same']);
  });

  it('is that of releases in a collection without drafts', async () => {
    const write = await system.create('at-once', { body: 'H' });
    expect(await system.since(write)).toEqual([]);
    await system.save(write.target, { body: 'H2' });
    expect(await system.since(write)).toEqual(['released outside different']);
  });

  it('says that what the write released was taken back', async () => {
    const write = await system.create('pages', { body: 'I', _status: 'published' });
    await system.save(write.target, { _status: 'draft' }, { unpublishAllLocales: true });
    expect(await system.versions(write.target)).toHaveLength(1);
    expect(await system.since(write)).toEqual(['unreleased outside same']);
    await publish(write.target);
    await system.save(write.target, { _status: 'draft' });
    expect(await system.since(write)).toEqual([
      'unreleased outside same',
      'released outside same',
      'unreleased outside same',
    ]);
  });

  it('keeps a release whose version was rewritten in place', async () => {
    const write = await draft({ body: 'x' });
    await publish(write.target);
    const released = await system.entries(write);
    await system.save(write.target, { _status: 'draft' }, { unpublishAllLocales: true });
    expect(await system.versions(write.target)).toHaveLength(2);
    expect(await system.since(write)).toEqual(['released outside same', 'unreleased outside same']);
    expect((await system.entries(write))[0]).toEqual(released[0]);
  });

  it('shows what was typed last where versions are rewritten as somebody types', async () => {
    const write = await system.create('typed', { body: 'J' }, { draft: true });
    await system.save(write.target, { body: 'J typed' }, { draft: true, autosave: true });
    await system.save(write.target, { body: 'J typed more' }, { draft: true, autosave: true });
    expect(await system.versions(write.target)).toHaveLength(2);
    expect(await system.since(write)).toEqual(['changed outside different']);
    await system.save(write.target, { body: 'J' }, { draft: true, autosave: true });
    expect(await system.since(write)).toEqual(['changed outside same']);
    await publish(write.target);
    expect(await system.since(write)).toEqual(['changed outside same', 'released outside same']);
  });

  it('leaves what a tool wrote apart from what somebody typed before and after it', async () => {
    const { id: uid } = await system.payload.create({
      collection: 'typed',
      data: { body: 'a' },
      draft: true,
    });
    const target = WriteTarget.of('typed', uid);
    await system.save(target, { body: 'b' }, { draft: true, autosave: true });
    const write = await system.update(target, { body: 'tool' }, { draft: true });
    await system.save(target, { body: 'b' }, { draft: true, autosave: true });
    expect(await system.since(write)).toEqual(['changed outside before']);
  });

  it('does not count a change in another locale', async () => {
    const { id: uid } = await system.payload.create({
      collection: 'pages',
      data: { title: 'K en', _status: 'published' },
    });
    const target = WriteTarget.of('pages', uid);
    const write = await system.update(target, { title: 'K de' }, { draft: true, locale: 'de' });
    await publish(target, { title: 'K en edited' }, { locale: 'en' });
    expect(await system.since(write)).toEqual(['released outside same']);
    await publish(target, { title: 'K de!' }, { locale: 'de' });
    expect((await system.since(write)).slice(1)).toEqual(['released outside different']);
  });

  it('takes the release of another locale for none, and that of its own for one', async () => {
    const { id: uid } = await system.payload.create({
      collection: 'pages',
      data: { title: 'en', _status: 'published' },
    });
    const target = WriteTarget.of('pages', uid);
    const write = await system.update(target, { title: 'de' }, { draft: true, locale: 'de' });
    await publish(target, { title: 'en!' }, { publishSpecificLocale: 'en' });
    expect(await system.since(write)).toEqual(['changed outside same']);
    await publish(target, {}, { publishSpecificLocale: 'de' });
    expect(await system.since(write)).toEqual(['changed outside same', 'released outside same']);
  });

  it('is that of the locale which the write itself released', async () => {
    const { id: uid } = await system.payload.create({
      collection: 'pages',
      data: { title: 'en', _status: 'published' },
    });
    const target = WriteTarget.of('pages', uid);
    await system.save(target, { title: 'en draft' }, { draft: true });
    const write = await system.update(target, { title: 'de' }, { publishSpecificLocale: 'de' });
    expect(await system.since(write)).toEqual([]);
    await publish(target, { title: 'en!' }, { publishSpecificLocale: 'en' });
    await publish(target, { title: 'de!' }, { publishSpecificLocale: 'de' });
    expect(await system.since(write)).toEqual(['changed outside same', 'released outside different']);
  });

  it('is that of what the write took back', async () => {
    const { target } = await system.create('pages', { body: 'x', _status: 'published' });
    const write = await system.update(target, { _status: 'draft' }, { unpublishAllLocales: true }, 'run-2');
    expect(await system.versions(target)).toHaveLength(1);
    expect(await system.since(write)).toEqual([]);
    await publish(target);
    expect(await system.since(write)).toEqual(['released outside same']);
  });

  it('names the run of a tool’s change, its own or another', async () => {
    const write = await draft({ body: 'x' });
    await system.update(write.target, { body: 'y' }, { draft: true });
    await system.update(write.target, { _status: 'published' }, {}, 'run-2');
    expect(await system.since(write)).toEqual(['changed run-1 different', 'released run-2 different']);
  });

  it('tells two targets of one run apart', async () => {
    const session = system.open({ history: system.history });
    await session.writer.create('pages', { body: 'one' }, { draft: true });
    await session.writer.create('pages', { body: 'two' }, { draft: true });
    const [one, two] = session.landed();
    await publish(one!.target);
    await system.save(two!.target, { body: 'two!' }, { draft: true });
    expect([await system.since(one!), await system.since(two!)]).toEqual([
      ['released outside same'],
      ['changed outside different'],
    ]);
  });

  it('is there for a global, too', async () => {
    const write = await system.update(SITE, { tagline: 'tool' }, { draft: true });
    await system.save(SITE, { _status: 'published' });
    await system.save(SITE, { tagline: 'theirs', _status: 'published' });
    expect(await system.since(write)).toEqual(['released outside same', 'released outside different']);
    const [, first] = await system.versions(SITE);
    await system.payload.restoreGlobalVersion({ slug: 'site', id: String(first!.id) });
    // No hook of Payload sees this restoring, and its copy of the version is still not taken for the tool's.
    expect((await system.since(write)).slice(2)).toEqual(['released outside same']);
  });

  it('says the same at each reading', async () => {
    const write = await draft({ body: 'x' });
    await system.save(write.target, { body: 'y' }, { draft: true });
    await publish(write.target);
    const first = await system.entries(write);
    expect(await system.entries(write)).toEqual(first);
    expect(new Set(first.map(({ id }) => id)).size).toBe(2);
    await publish(write.target, { body: 'z' });
    expect((await system.entries(write)).slice(0, 2)).toEqual(first);
  });

  it.each<[string, object, string]>([
    ['the names of the fields did not fit', { fields: { digests: digestsOf(['body']) } }, 'different'],
    ['not even digests of the names did fit', { fields: 'many', whole: 'other' }, 'unknown'],
    ['a field is no longer configured', { fields: { names: ['body', 'gone'] } }, 'unknown'],
    ['such a field is known by a digest', { fields: { digests: digestsOf(['body', 'gone']) } }, 'unknown'],
    ['the locale is no longer configured', { locale: 'fr' }, 'unknown'],
  ])('compares as far as it can when %s', async (_what, change, content) => {
    const write = await draft({ body: 'x' });
    await publish(write.target, { body: 'y' });
    const mark = JSON.stringify({ ...(JSON.parse(write.mark ?? '') as object), ...change });
    expect(await system.since({ target: write.target, mark })).toEqual([`released outside ${content}`]);
  });

  it('compares a copied record and a restored version in every field and locale', async () => {
    const { target } = await draft({ title: 'en', body: 'x' });
    const copy = await system.create('pages', { body: 'y' }, { duplicateOf: target.uid, draft: true });
    await system.save(copy.target, { title: 'de' }, { draft: true, locale: 'de' });
    expect(await system.since(copy)).toEqual(['changed outside different']);
    await system.save(target, { body: 'z' }, { draft: true });
    const [first] = await system.versions(target);
    const restored = await system.update(target, {}, { restoreVersion: first!.id });
    await publish(target);
    await publish(target, { body: 'z' });
    expect(await system.since(restored)).toEqual(['released outside same', 'released outside before']);
  });

  it('is not there where a collection has no versions', async () => {
    const write = await system.create('bare', { body: 'x' });
    expect(write.mark).toBeNull();
  });

  it('runs no hook and no access function of the installation', async () => {
    const write = await system.create('posts', { body: 'x' }, { draft: true });
    await publish(write.target);
    system.reset();
    expect(await system.since(write)).toEqual(['released outside same']);
    await system.payload.delete({ collection: 'posts', id: write.target.uid });
    system.reset();
    expect(await system.since(write)).toEqual(['released outside same', 'deleted outside same']);
    expect(system.trace).toEqual([]);
  });
});
