import { handleEndpoints, type CollectionConfig } from 'payload';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestPayload, SearchIndexDown, type TestPayload } from './fixtures/test-payload.js';

let system: TestPayload;

const callsBack: CollectionConfig = {
  slug: 'calls-back',
  fields: [{ name: 'title', type: 'text' }],
  hooks: { afterChange: [() => system.trace.push('first'), () => system.trace.push('second')] },
};

beforeAll(async () => {
  system = await startTestPayload({ collections: [callsBack] });
  // From here on the hooks and the adapter are observed.
  await system.open().writer.create('cats', { name: 'observed' });
});
afterAll(() => system.stop());
beforeEach(() => {
  system.reset();
});

function rest(method: string, path: string, body: unknown): Promise<Response> {
  const { payload } = system;
  return handleEndpoints({
    config: payload.config,
    payloadInstanceCacheKey: undefined as never,
    request: new Request(`http://localhost/api${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    }),
  });
}

describe('what no tool does', () => {
  it('fails as it did before when a script writes and a hook fails', async () => {
    const before = await system.count('posts');
    system.reset();
    system.failAt('posts.afterChange.1');
    await expect(
      system.payload.create({ collection: 'posts', data: { title: 'raw' } }),
    ).rejects.toBeInstanceOf(SearchIndexDown);
    expect(system.trace).not.toContain('posts.afterOperation.1');
    system.reset();
    expect(await system.count('posts')).toBe(before + 1);
    expect(system.log).toEqual([]);
  });

  it('fails as it did before for each record of a bulk update and a bulk delete', async () => {
    for (const name of ['x1', 'x2', 'x3']) {
      await system.payload.create({ collection: 'cats', data: { name, count: 5 } });
    }
    const where = { count: { equals: 5 } };
    system.failAt('cats.afterChange.2');
    const updated = await system.payload.update({ collection: 'cats', where, data: { name: undefined } });
    expect(updated.docs).toEqual([]);
    expect(updated.errors).toHaveLength(3);
    system.reset();
    system.failAt('cats.afterDelete.1');
    const deleted = await system.payload.delete({ collection: 'cats', where });
    expect(deleted.errors).toHaveLength(3);
    expect(system.trace.filter((place) => place === 'cats.afterDelete.2')).toEqual([]);
  });

  it('fails as it did before while a tool’s run goes on beside it', async () => {
    system.failAt('cats.afterChange.1');
    const session = system.open();
    const [safe, raw] = await Promise.allSettled([
      session.writer.create('cats', { name: 'safe' }),
      system.payload.create({ collection: 'cats', data: { name: 'raw' } }),
    ]);
    expect([safe.status, raw.status]).toEqual(['fulfilled', 'rejected']);
    expect(session.notes()).toHaveLength(1);
    expect(session.landed()).toHaveLength(1);
  });

  it('sees each list as it was configured, and every hook as the function it is', () => {
    const list = system.payload.collections['calls-back']!.config.hooks.afterChange;
    expect([...list]).toEqual([list[0], list[1]]);
    expect([...list][0]).toBe(callsBack.hooks!.afterChange![0]);
    expect(JSON.stringify(list.map((hook) => typeof hook))).toBe('["function","function"]');
    expect(Object.keys(list)).toEqual(['0', '1']);
  });

  it('is not treated otherwise for being observed twice', async () => {
    await system.open().writer.create('calls-back', {});
    expect(system.trace).toEqual(['first', 'second']);
    system.reset();
    await system.payload.create({ collection: 'calls-back', data: {} });
    expect(system.trace).toEqual(['first', 'second']);
  });
});

describe('the REST interface', () => {
  it('answers as it did before when a hook fails after the write', async () => {
    system.failAt('posts.afterChange.1');
    const response = await rest('POST', '/posts', { title: 'rest' });
    expect(response.status).toBe(500);
    expect(system.trace).not.toContain('posts.afterOperation.1');
  });

  it('answers as it did before when all is well', async () => {
    const response = await rest('POST', '/posts', { title: 'rest' });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ doc: { title: 'rest' } });
    expect(system.trace.filter((place) => place === 'posts.afterChange.3')).toHaveLength(1);
  });
});
