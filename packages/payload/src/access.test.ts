import { WriteTarget, type ContentSession } from '@toolwright/sdk';
import type { CollectionConfig } from 'payload';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GLOBALS_TABLE } from './entity.js';
import { smallPng } from './fixtures/small-png.js';
import { startTestPayload, type TestPayload } from './fixtures/test-payload.js';

const CAT = WriteTarget.of('cats', 1);

let system: TestPayload;
let author: ContentSession;
let other: ContentSession;
let nobody: ContentSession;
let authorId: string | number;

const ownOnly: CollectionConfig['access'] = {
  create: ({ req }) => req.user !== null,
  read: ({ req }) => (req.user === null ? false : { owner: { equals: req.user.id } }),
  update: ({ req }) => (req.user === null ? false : { owner: { equals: req.user.id } }),
  delete: ({ req }) => (req.user === null ? false : { owner: { equals: req.user.id } }),
};

const notes: CollectionConfig = {
  slug: 'notes',
  access: ownOnly,
  versions: true,
  fields: [
    { name: 'text', type: 'text' },
    { name: 'owner', type: 'number' },
    { name: 'secret', type: 'text', access: { read: () => false } },
  ],
};

beforeAll(async () => {
  system = await startTestPayload({
    collections: [notes, { slug: 'default-access', access: {}, fields: [{ name: 't', type: 'text' }] }],
    globals: [{ slug: 'closed', access: { read: () => false, update: () => false }, fields: [] }],
  });
  const register = async (email: string) =>
    (await system.payload.create({ collection: 'users', data: { email, password: 'only-for-tests' } })).id;
  authorId = await register('a@example.com');
  author = system.open({ actorId: String(authorId) });
  other = system.open({ actorId: String(await register('b@example.com')) });
  nobody = system.open({ actorId: '9999' });
});
afterAll(() => system.stop());
beforeEach(() => {
  system.reset();
});

async function note(): Promise<WriteTarget> {
  return author.writer.create('notes', { text: 'mine', owner: authorId, secret: 's' });
}

async function refusalOf(write: Promise<unknown>): Promise<string> {
  const error = (await write.then(
    () => null,
    (thrown: unknown) => thrown,
  )) as { readonly code: string; readonly message: string } | null;
  expect(error?.code).toBe('CONTENT_REFUSED');
  return error!.message;
}

describe('the acting user', () => {
  it('writes what Payload lets this user write', async () => {
    const target = await note();
    await author.writer.update(target, { text: 'changed' });
    expect((await author.reader.read(target))?.data).toMatchObject({ text: 'changed' });
    await author.writer.delete(target);
    expect(await author.reader.read(target)).toBeNull();
  });

  it('is told the same of a record that is missing and of one that is somebody else’s', async () => {
    const target = await note();
    const missing = WriteTarget.of('notes', 424242);
    for (const session of [other, nobody]) {
      expect(await session.reader.read(target)).toBeNull();
      expect(await session.reader.read(missing)).toBeNull();
      expect(await refusalOf(session.writer.update(target, { text: 'x' }))).toBe(
        await refusalOf(session.writer.update(missing, { text: 'x' })),
      );
      expect(await refusalOf(session.writer.delete(target))).toBe(
        await refusalOf(session.writer.delete(missing)),
      );
      expect(await refusalOf(session.writer.create('notes', {}, { duplicateOf: target.uid }))).toBe(
        session === other
          ? await refusalOf(session.writer.create('notes', {}, { duplicateOf: missing.uid }))
          : 'Cannot write: the acting user may not create records in notes. This write was not started.',
      );
      expect(session.failedWrite()).toBeNull();
      expect(session.landed()).toEqual([]);
    }
    expect((await author.reader.read(target))?.data).toMatchObject({ text: 'mine' });
  });

  it('finds only what this user may see, and sees no field that is hidden from this user', async () => {
    const target = await note();
    expect(await other.reader.find('notes')).toEqual([]);
    const found = await author.reader.find('notes');
    expect(found.some((record) => record.target.equals(target))).toBe(true);
    expect(found.every((record) => !('secret' in record.data))).toBe(true);
    const user = await author.reader.read(WriteTarget.of('users', authorId));
    expect(Object.keys(user!.data)).not.toEqual(expect.arrayContaining(['hash']));
    expect(Object.keys(user!.data)).not.toEqual(expect.arrayContaining(['salt']));
  });

  it('has to be logged in where a collection says nothing about access', async () => {
    await refusalOf(nobody.writer.create('default-access', {}));
    await expect(author.writer.create('default-access', {})).resolves.toMatchObject({
      table: 'default-access',
    });
  });

  it('does not write a global that this user may not', async () => {
    const closed = WriteTarget.of(GLOBALS_TABLE, 'closed');
    expect(await author.reader.read(closed)).toBeNull();
    expect(await refusalOf(author.writer.update(closed, {}))).toContain('may not update the global closed');
  });

  it('cannot be somebody else than the call’s actor, and a lookup that fails starts no write', async () => {
    const before = await system.count('cats');
    system.at.set('users', () => undefined);
    const session = system.open({
      actingUser: () => {
        throw new Error('the directory does not answer');
      },
    });
    await expect(session.writer.create('cats', {})).rejects.toMatchObject({ code: 'CONTENT_UNAVAILABLE' });
    expect(await system.count('cats')).toBe(before);
  });
});

describe('what is not started', () => {
  it.each([
    ['a table that there is not', (w: ContentSession['writer']) => w.create('nowhere', {})],
    ['a name of every object', (w: ContentSession['writer']) => w.create('constructor', {})],
    ['a global to create', (w: ContentSession['writer']) => w.create(GLOBALS_TABLE, {})],
    ['a global to delete', (w: ContentSession['writer']) => w.delete(WriteTarget.of(GLOBALS_TABLE, 'site'))],
    [
      'a global that there is not',
      (w: ContentSession['writer']) => w.update(WriteTarget.of(GLOBALS_TABLE, 'x'), {}),
    ],
    [
      'an option that there is not',
      (w: ContentSession['writer']) => w.create('cats', {}, { overrideAccess: true }),
    ],
    ['an option of the wrong kind', (w: ContentSession['writer']) => w.create('cats', {}, { draft: 'yes' })],
    ['a locale that there is not', (w: ContentSession['writer']) => w.create('posts', {}, { locale: 'fr' })],
    [
      'an id that cannot be one',
      (w: ContentSession['writer']) => w.update(WriteTarget.of('cats', '1 or 1=1'), {}),
    ],
    [
      'an option that a restored version cannot have',
      (w: ContentSession['writer']) => w.update(CAT, {}, { restoreVersion: 1, draft: true }),
    ],
    [
      'data beside a restored version',
      (w: ContentSession['writer']) => w.update(CAT, { name: 'x' }, { restoreVersion: 1 }),
    ],
    [
      'an option of another kind of write',
      (w: ContentSession['writer']) => w.delete(WriteTarget.of('cats', 1), { file: smallPng() }),
    ],
  ])('is a write with %s', async (_what, write) => {
    const session = system.open();
    const message = await refusalOf(write(session.writer));
    expect(message).toMatch(/^Cannot write: .* This write was not started\.$/u);
    expect(session.failedWrite()).toBeNull();
    expect(system.trace).toEqual([]);
  });

  it('is the restore of a version of another record', async () => {
    const [mine, theirs] = [await note(), await note()];
    const { docs } = await system.payload.findVersions({
      collection: 'notes',
      where: { parent: { equals: theirs.uid } },
    });
    const message = await refusalOf(author.writer.update(mine, {}, { restoreVersion: docs[0]!.id }));
    expect(message).toContain('has no such version');
  });

  it('is a read with an option or a table that there is not', async () => {
    const cat = await system.open().writer.create('cats', {});
    for (const read of [
      () => author.reader.read(cat, { overrideAccess: true }),
      () => author.reader.read(WriteTarget.of('nowhere', 1)),
      () => author.reader.find(GLOBALS_TABLE),
    ]) {
      await expect(read()).rejects.toMatchObject({ code: 'CONTENT_READ_FAILED' });
    }
  });
});
