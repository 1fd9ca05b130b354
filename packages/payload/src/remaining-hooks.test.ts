import type { CollectionConfig } from 'payload';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestPayload, type TestPayload } from './fixtures/test-payload.js';

let system: TestPayload;
const told: { readonly place: string; readonly args: Readonly<Record<string, unknown>> }[] = [];

const record = (place: string) => {
  const hook = (args: object): undefined => {
    if (!/^(find|count|read)/u.test(String((args as { operation?: unknown }).operation))) {
      told.push({ place, args: args as Readonly<Record<string, unknown>> });
    }
  };
  return Object.defineProperty(hook, 'name', { value: place });
};

let isClosed = false;

/** May be shown along with another record, as long as it is not closed: then asking for it fails. */
const closable: CollectionConfig = {
  slug: 'closable',
  access: {
    create: () => true,
    read: () => {
      if (isClosed) {
        throw new Error('the directory does not answer');
      }
      return true;
    },
  },
  fields: [{ name: 'name', type: 'text' }],
};

const shown: CollectionConfig = {
  slug: 'shown',
  fields: [
    { name: 'title', type: 'text', localized: true, hooks: { afterChange: [record('field')] } },
    { name: 'other', type: 'relationship', relationTo: 'closable' },
  ],
  hooks: {
    afterChange: [record('afterChange'), record('afterChange.2')],
    afterDelete: [record('afterDelete')],
    // What an operation answers has more types than one hook can be of.
    afterOperation: [record('afterOperation') as never],
  },
};

beforeAll(async () => {
  system = await startTestPayload({ collections: [closable, shown] });
});
afterAll(() => system.stop());
beforeEach(() => {
  system.reset();
  told.length = 0;
  isClosed = false;
});

async function withOther() {
  const session = system.open();
  const other = await session.writer.create('closable', { name: 'x' });
  return { session, other: other.uid };
}

describe('when Payload itself fails between the writes and the hooks after them', () => {
  it('the hooks of a create run all the same, and are told of the record', async () => {
    const { session, other } = await withOther();
    isClosed = true;
    const target = await session.writer.create('shown', { title: 'one', other });
    expect(session.landed()).toContainEqual({ target, mark: null });
    expect(session.notes()).toEqual([
      'Note: the write was stored when "Payload, create of shown" failed (Error). The answer above stands.',
    ]);
    expect(told.map(({ place }) => place)).toEqual([
      'field',
      'afterChange',
      'afterChange.2',
      'afterOperation',
    ]);
    expect(told[1]!.args).toMatchObject({
      operation: 'create',
      doc: { id: target.uid, title: 'one', other },
      data: { title: 'one' },
      previousDoc: {},
      collection: { slug: 'shown' },
      context: {},
    });
    expect(told[3]!.args).toMatchObject({ operation: 'create', result: { id: target.uid } });
  });

  it('the hooks of an update are told what was before', async () => {
    const { session, other } = await withOther();
    const target = await session.writer.create('shown', { title: 'before', other });
    told.length = 0;
    isClosed = true;
    await session.writer.update(target, { title: 'danach' }, { locale: 'de' });
    await session.writer.update(target, { title: 'after' });
    expect(told.map(({ place }) => place)).toEqual([
      ...['field', 'afterChange', 'afterChange.2', 'afterOperation'],
      ...['field', 'afterChange', 'afterChange.2', 'afterOperation'],
    ]);
    expect(told[1]!.args).toMatchObject({ doc: { title: 'danach' }, req: { locale: 'de' } });
    expect(told[5]!.args).toMatchObject({
      operation: 'update',
      doc: { title: 'after' },
      previousDoc: { title: 'before' },
    });
    expect(told[7]!.args).toMatchObject({ operation: 'updateByID' });
  });

  it('the hooks of a delete run all the same', async () => {
    const { session, other } = await withOther();
    const target = await session.writer.create('shown', { title: 'gone', other });
    told.length = 0;
    isClosed = true;
    await session.writer.delete(target);
    expect(told.map(({ place }) => place)).toEqual(['afterDelete', 'afterOperation']);
    expect(told[0]!.args).toMatchObject({ id: target.uid, doc: { id: target.uid } });
    expect(told[1]!.args).toMatchObject({ operation: 'deleteByID' });
    isClosed = false;
    expect(await session.reader.read(target)).toBeNull();
  });

  it('run once when Payload comes to them', async () => {
    const { session, other } = await withOther();
    await session.writer.create('shown', { title: 'one', other });
    expect(told.map(({ place }) => place)).toEqual([
      'field',
      'afterChange',
      'afterChange.2',
      'afterOperation',
    ]);
    expect(session.notes()).toEqual([]);
  });
});
