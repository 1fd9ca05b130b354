import { describe, expect, it } from 'vitest';
import type { ContentSession } from '../content/safe-content-handler.js';
import { WriteTarget } from '../target/write-target.js';
import { InMemoryContent, type InMemoryContentOptions } from './in-memory-content.js';

function memory(options: InMemoryContentOptions = {}): InMemoryContent {
  return new InMemoryContent({
    clock: { now: () => new Date(0) },
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    ...options,
  });
}

function open(content: InMemoryContent, runId = 'run-1'): ContentSession {
  const signal = new AbortController().signal;
  return content.open({ actor: { id: 'editor' }, runId, callId: 'call-1', signal });
}

const page = WriteTarget.of('pages', 1);

describe('InMemoryContent', () => {
  it('begins with the records that it is given, numbers as numbers', () => {
    const content = memory({ records: { pages: { 1: { title: 'a' }, home: { title: 'b' } }, empty: {} } });
    expect(content.records('pages')).toEqual([
      { target: page, data: { title: 'a' } },
      { target: WriteTarget.of('pages', 'home'), data: { title: 'b' } },
    ]);
    expect(content.records('empty')).toEqual([]);
    expect(content.records('other')).toEqual([]);
  });

  it('creates, updates field by field, deletes, and finds by equal fields', async () => {
    const content = memory({ records: { pages: { 1: { title: 'a', lang: 'de' } } } });
    const { writer, reader } = open(content);
    const created = await writer.create('pages', { title: 'b', lang: 'de' });
    await writer.update(page, { title: 'c' });
    expect(await reader.read(page)).toEqual({ target: page, data: { title: 'c', lang: 'de' } });
    expect(await reader.find('pages', { where: { lang: 'de', title: 'b' } })).toEqual([
      { target: created, data: { title: 'b', lang: 'de' } },
    ]);
    expect(await reader.find('pages', { limit: 1 })).toHaveLength(1);
    await writer.delete(page);
    expect(await reader.read(page)).toBeNull();
  });

  it('gives out copies and keeps copies', async () => {
    const content = memory();
    const data = { tags: ['a'] };
    const target = await open(content).writer.create('pages', data);
    data.tags.push('b');
    (content.record(target)?.data as typeof data).tags.push('c');
    expect(content.record(target)?.data).toEqual({ tags: ['a'] });
  });

  it('gives a new record a uid that is free', () => {
    const content = memory({ records: { pages: { 1: {}, 2: {} } } });
    expect(content.put('pages', {}).uid).toBe(3);
    expect(() => content.put('pages', {}, 3)).toThrow(
      'expected another uid, found that pages:3 exists already',
    );
  });

  it.each(['update', 'delete'] as const)(
    'fails to %s a record that is not there, as a system does',
    async (kind) => {
      const session = open(memory());
      const write = kind === 'update' ? session.writer.update(page, {}) : session.writer.delete(page);
      await expect(write).rejects.toMatchObject({
        code: 'CONTENT_WRITE_FAILED',
        cause: { code: 'INVALID_CONTENT_OPERATION' },
      });
    },
  );

  it('calls its hooks in order, with what they need', async () => {
    const content = memory();
    const calls: unknown[] = [];
    for (const list of ['beforeWrite', 'afterWrite', 'afterCommit'] as const) {
      content.hooks[list].push(({ kind, table, target, data, run }) => {
        calls.push([list, kind, table, target?.uid ?? null, data, run.actor.id]);
      });
    }
    content.finishingSteps.push({
      name: 'index',
      run: (targets) => calls.push(['index', targets.map(({ uid }) => uid)]),
    });
    await open(content).writer.create('pages', { title: 'a' });
    expect(calls).toEqual([
      ['beforeWrite', 'create', 'pages', null, { title: 'a' }, 'editor'],
      ['afterWrite', 'create', 'pages', 1, { title: 'a' }, 'editor'],
      ['afterCommit', 'create', 'pages', 1, { title: 'a' }, 'editor'],
      ['index', [1]],
    ]);
  });

  it('takes back what parallel transactions wrote only where they failed', async () => {
    const content = memory({ transactions: true });
    content.hooks.afterWrite.push(async ({ data }) => {
      await new Promise(setImmediate);
      if (data['fails'] === true) {
        throw new Error('boom');
      }
    });
    const settled = await Promise.allSettled(
      [true, false, true, false].map((fails) => open(content).writer.create('pages', { fails })),
    );
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
    expect(content.records('pages').map(({ data }) => data['fails'])).toEqual([false, false]);
  });

  it('never gives a uid of a rolled-back record to another one', async () => {
    const content = memory({ transactions: true });
    content.hooks.afterWrite.push(({ data }) => {
      if (data['fails'] === true) {
        throw new Error('boom');
      }
    });
    const session = open(content);
    await session.writer.create('pages', { fails: true }).catch(() => null);
    expect((await session.writer.create('pages', {})).uid).toBe(2);
  });
});

describe('the history of InMemoryContent', () => {
  async function written(
    content: InMemoryContent,
  ): Promise<{ readonly target: WriteTarget; readonly mark: string }> {
    const session = open(content);
    await session.writer.create('pages', { title: 'a' });
    const [{ target, mark }] = session.landed() as [{ target: WriteTarget; mark: string }];
    expect(mark.length).toBeLessThan(200);
    return { target, mark };
  }

  it('is empty right after the write', async () => {
    const content = memory();
    const { target, mark } = await written(content);
    expect(await content.history.since(target, mark)).toEqual({ kind: 'entries', entries: [] });
  });

  it('has what people and runs did afterwards, oldest first', async () => {
    const content = memory();
    const { target, mark } = await written(content);
    content.edit(target, { title: 'b' });
    await open(content, 'run-2').writer.update(target, { title: 'c' });
    content.release(target);
    content.remove(target);
    const reading = await content.history.since(target, mark);
    const run = { kind: 'run', runId: 'run-2' };
    expect(reading.kind === 'entries' && reading.entries.map(({ kind, author }) => [kind, author])).toEqual([
      ['changed', { kind: 'outside' }],
      ['changed', run],
      ['released', { kind: 'outside' }],
      ['deleted', { kind: 'outside' }],
    ]);
    expect(reading.kind === 'entries' && reading.entries[0]?.at).toEqual(new Date(0));
  });

  it('compares the fields that were written, and no others', async () => {
    const content = memory({ records: { pages: { 1: { title: 'old', body: 'x' } } } });
    const session = open(content);
    await session.writer.update(page, { title: 'new' });
    const mark = session.landed()[0]?.mark ?? '';
    content.edit(page, { body: 'y' });
    content.edit(page, { title: 'mine' });
    content.edit(page, { title: 'new' });
    content.edit(page, { title: 'old' });
    content.unrelease(page);
    content.remove(page);
    content.restore(page);
    const reading = await content.history.since(page, mark);
    expect(reading.kind === 'entries' && reading.entries.map(({ kind, content }) => [kind, content])).toEqual(
      [
        ['changed', 'same'],
        ['changed', 'different'],
        ['changed', 'same'],
        ['changed', 'before'],
        ['unreleased', 'before'],
        ['deleted', 'before'],
        ['restored', 'before'],
      ],
    );
  });

  it('takes a record that is there again for the one before, when the write deleted it', async () => {
    const content = memory({ records: { pages: { 1: { title: 'old' } } } });
    const session = open(content);
    await session.writer.delete(page);
    const mark = session.landed()[0]?.mark ?? '';
    expect(await content.history.since(page, mark)).toEqual({ kind: 'entries', entries: [] });
    content.restore(page);
    content.edit(page, { title: 'mine' });
    const reading = await content.history.since(page, mark);
    expect(reading.kind === 'entries' && reading.entries.map(({ kind, content }) => [kind, content])).toEqual(
      [
        ['restored', 'before'],
        ['changed', 'different'],
      ],
    );
    expect(() => content.restore(page)).toThrow('expected a removed record');
  });

  it('is unknown when it was purged', async () => {
    const content = memory();
    const { target, mark } = await written(content);
    content.edit(target, { title: 'b' });
    content.purgeHistory(target, 1);
    expect(await content.history.since(target, mark)).toEqual({ kind: 'unknown', reason: 'purged' });
  });

  it('is unknown when the uid belongs to another record now', async () => {
    const content = memory();
    const { target, mark } = await written(content);
    content.remove(target);
    content.put('pages', {}, target.uid);
    expect(await content.history.since(target, mark)).toEqual({ kind: 'unknown', reason: 'uid_reused' });
  });

  it.each(['', 'no json', '{}', 'null', '{"birth":1,"sequence":"x"}', '{"birth":1,"sequence":1}'])(
    'is unknown when the mark is not its own: %j',
    async (mark) => {
      expect(await memory().history.since(page, mark)).toEqual({
        kind: 'unknown',
        reason: 'mark_unreadable',
      });
    },
  );

  it('gives way to another one that the options name', async () => {
    const other = {
      mark: async () => 'mine',
      since: async () => ({ kind: 'entries' as const, entries: [] }),
    };
    const session = open(memory({ history: other }));
    await session.writer.create('pages', {});
    expect(session.landed()[0]?.mark).toBe('mine');
  });
});
