import type { WriteTarget } from '@toolwright/sdk';
import { handleEndpoints } from 'payload';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startMarkedSystem, type MarkedSystem } from '../fixtures/marked-writes.js';
import { ORIGIN_FIELD } from './origin.js';
import { DELETIONS } from './recorded-deletion.js';
import { toolwrightHistory } from './toolwright-history.js';

const FORGED = { [ORIGIN_FIELD]: { by: 'run', run: 'forged', user: 'users:1', overwritten: [{ at: 1 }] } };

describe.each(['sqlite', 'postgres'] as const)('toolwrightHistory with %s', (dialect) => {
  let system: MarkedSystem;

  beforeAll(async () => {
    system = await startMarkedSystem(dialect, [toolwrightHistory()]);
  });
  afterAll(() => system.stop());
  beforeEach(() => {
    system.reset();
  });

  const originsOf = async (target: WriteTarget) =>
    (await system.versions(target)).map(({ version }) => (version as typeof FORGED)[ORIGIN_FIELD]);

  async function rest(method: string, path: string, body: unknown): Promise<unknown> {
    const response = await handleEndpoints({
      config: system.payload.config,
      payloadInstanceCacheKey: system.cacheKey,
      request: new Request(`http://localhost/api${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body === null ? {} : { body: JSON.stringify(body) }),
      }),
    });
    return response.json();
  }

  it('names run and user of each version', async () => {
    const editor = await system.payload.create({
      collection: 'users',
      data: { email: `editor-${dialect.replaceAll(' ', '-')}@example.com`, password: 'only-for-tests' },
    });
    const session = system.open({ actorId: String(editor.id), runId: 'run-7' });
    const target = await session.writer.create('pages', { body: 'x' }, { draft: true });
    const user = { ...editor, collection: 'users' } as never;
    await system.save(target, { body: 'y' }, { draft: true, user });
    await system.save(target, { body: 'z' }, { draft: true });
    const name = `users:${String(editor.id)}`;
    expect(await originsOf(target)).toMatchObject([
      { by: 'run', run: 'run-7', user: name },
      { by: 'outside', run: null, user: name },
      { by: 'outside', run: null, user: null },
    ]);
  });

  it('believes no client, whichever way it writes', async () => {
    const write = await system.create('pages', { body: 'x' }, { draft: true });
    const { uid } = write.target;
    // The local API passes every access control.
    await system.save(write.target, { ...FORGED, body: 'y' }, { draft: true });
    await rest('PATCH', `/pages/${String(uid)}?draft=true`, { ...FORGED, body: 'z' });
    await system.update(write.target, { ...FORGED, body: 'tool' }, { draft: true }, 'run-2');
    expect(await originsOf(write.target)).toEqual(
      ['run-1', null, null, 'run-2'].map((run) =>
        expect.objectContaining({ by: run === null ? 'outside' : 'run', run, overwritten: null }),
      ),
    );
    expect(await system.since(write)).toEqual([
      'changed outside different',
      'changed outside different',
      'changed run-2 different',
    ]);
  });

  it('shows no client who wrote what', async () => {
    const { target } = await system.create('pages', { body: 'x', _status: 'published' });
    const answers = [
      await rest('GET', `/pages/${String(target.uid)}?showHiddenFields=true`, null),
      await rest('GET', `/pages/versions?showHiddenFields=true`, null),
      await system.payload.findByID({ collection: 'pages', id: target.uid }),
      (await system.open().reader.read(target))?.data,
    ];
    expect(answers[0]).toMatchObject({ body: 'x' });
    expect(answers[1]).toHaveProperty('docs.0.version.body');
    expect(JSON.stringify(answers)).not.toMatch(/run-1|"run"|overwritten/u);
    for (const query of ['where[version.toolwright.run][equals]=run-1', 'sort=version.toolwright.run']) {
      expect(await rest('GET', `/pages/versions?${query}`, null)).toMatchObject({
        errors: [{ message: expect.stringContaining('cannot be queried') as string }],
      });
    }
    await system.remove(target);
    for (const path of [`/${DELETIONS}`, `/${DELETIONS}/1`]) {
      expect(JSON.stringify(await rest('GET', path, null))).not.toContain('run-1');
    }
    expect(await system.count(DELETIONS)).toBeGreaterThan(0);
  });

  it('counts what a hook of a tool’s write stores as the run’s, also after the run', async () => {
    const other = await system.create('pages', { body: 'other' }, { draft: true });
    let late: Promise<void> = Promise.resolve();
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    system.at.set('posts.afterChange.1', async () => {
      await system.save(other.target, { body: 'by a hook' }, { draft: true });
      late = gate.then(() => system.save(other.target, { body: 'left behind' }, { draft: true }));
    });
    await system.create('posts', { body: 'x' }, { draft: true }, 'run-3');
    release();
    await late;
    expect(await system.since(other)).toEqual(['changed run-3 different', 'changed run-3 different']);
  });

  it('keeps nothing of a deletion but whose it was and what versions there were', async () => {
    const write = await system.create('pages', { body: 'SECRET' }, { draft: true });
    await system.payload.delete({ collection: 'pages', id: write.target.uid });
    const { docs } = await system.payload.db.find({ collection: DELETIONS, sort: '-id', limit: 1 });
    expect(docs[0]).toMatchObject({ record: `pages:${String(write.target.uid)}`, by: 'outside', run: null });
    expect(JSON.stringify(docs[0])).not.toContain('SECRET');
  });

  it('leaves nothing behind of a deletion that fails', async () => {
    const write = await system.create('posts', { body: 'x' }, { draft: true });
    system.failAt('posts.beforeDelete.1');
    await expect(system.payload.delete({ collection: 'posts', id: write.target.uid })).rejects.toThrow(
      'no connection',
    );
    expect(await system.since(write)).toEqual([]);
  });
});

describe('without toolwrightHistory', () => {
  let system: MarkedSystem;

  beforeAll(async () => {
    system = await startMarkedSystem('sqlite', []);
  });
  afterAll(() => system.stop());

  it('names nobody, neither a person nor a run', async () => {
    const write = await system.create('pages', { body: 'x' }, { draft: true });
    await system.update(write.target, { body: 'y' }, { draft: true });
    await system.save(write.target, { body: 'x', _status: 'published' });
    expect(await system.since(write)).toEqual(['changed unknown different', 'released unknown same']);
  });

  it('knows of a record that is gone with its versions only that', async () => {
    const write = await system.create('pages', { body: 'x' }, { draft: true });
    await system.save(write.target, { _status: 'published' });
    await system.payload.delete({ collection: 'pages', id: write.target.uid });
    expect(await system.since(write)).toEqual(['deleted unknown unknown']);
  });

  it('does not make up what a version held before it was rewritten', async () => {
    const write = await system.create('pages', { body: 'x' }, { draft: true });
    await system.save(write.target, { _status: 'published' });
    expect(await system.since(write)).toEqual(['released unknown same']);
    await system.save(write.target, { _status: 'draft' }, { unpublishAllLocales: true });
    expect(await system.since(write)).toBe('purged');
  });
});
