import type { FindVersions } from 'payload';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startMarkedSystem, type MarkedSystem } from '../fixtures/marked-writes.js';
import { payloadHistory } from './payload-history.js';
import { toolwrightHistory } from './toolwright-history.js';

const EDITS = 12;

describe.each(['sqlite', 'postgres'] as const)('a history that is read during changes with %s', (dialect) => {
  let system: MarkedSystem;

  beforeAll(async () => {
    system = await startMarkedSystem(dialect, [toolwrightHistory()]);
  });
  afterAll(() => system.stop());
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is each time the beginning of what it is in the end', async () => {
    const write = await system.create('pages', { body: 'x' }, { draft: true });
    let isEditing = true;
    const editing = (async () => {
      for (let count = 0; count < EDITS; count += 1) {
        const release = count % 3 === 0 ? { _status: 'published' } : {};
        await system.save(
          write.target,
          { body: String(count % 2), ...release },
          count % 3 === 0 ? {} : { draft: true },
        );
      }
      isEditing = false;
    })();
    const readings: (readonly string[])[] = [];
    while (isEditing) {
      const reading = await system.since(write).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'HISTORY_UNSETTLED' });
        return [];
      });
      readings.push(reading as readonly string[]);
    }
    await editing;
    const last = await system.since(write);
    expect(last).toHaveLength(EDITS);
    for (const reading of readings) {
      expect(last.slice(0, reading.length)).toEqual(reading);
    }
  });

  it('is read again when the record changed between two of its pages', async () => {
    const write = await system.create('pages', { body: 'x' }, { draft: true });
    await system.save(write.target, { body: 'y' }, { draft: true });
    const { db } = system.payload;
    const find: FindVersions = db.findVersions.bind(db);
    let hasChanged = false;
    vi.spyOn(db, 'findVersions').mockImplementation(async (args) => {
      const found = await find(args);
      // The reading has the versions, and has not compared yet.
      if (!hasChanged && args.limit !== 1) {
        hasChanged = true;
        await system.save(write.target, { body: 'z', _status: 'published' });
      }
      return found;
    });
    expect(await system.since(write)).toEqual(['changed outside different', 'released outside different']);
  });
});

describe('a change that Payload is in the middle of', () => {
  let system: MarkedSystem;

  beforeAll(async () => {
    system = await startMarkedSystem('sqlite', [toolwrightHistory()]);
  });
  afterAll(() => system.stop());
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Lets a method of the adapter wait until it is let go; `reached` settles when it was come to. */
  function hold(name: 'createVersion' | 'deleteOne') {
    const { db } = system.payload;
    const methods = db as unknown as Record<typeof name, (args: unknown) => Promise<unknown>>;
    const original = methods[name].bind(db);
    let letGo = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const reached = new Promise<void>((resolve) => {
      vi.spyOn(methods, name).mockImplementation(async (args) => {
        resolve();
        await gate;
        return original(args);
      });
    });
    return { reached, letGo };
  }

  it('is waited for when the record is stored and its version is not', async () => {
    const write = await system.create('pages', { body: 'x' }, { draft: true });
    const { reached, letGo } = hold('createVersion');
    const saving = system.save(write.target, { body: 'y', _status: 'published' });
    await reached;
    await expect(system.since(write)).rejects.toMatchObject({ code: 'HISTORY_UNSETTLED' });
    letGo();
    await saving;
    expect(await system.since(write)).toEqual(['released outside different']);
  });

  it('is waited for when the versions are deleted and the record is not', async () => {
    const write = await system.create('pages', { body: 'x' }, { draft: true });
    const { reached, letGo } = hold('deleteOne');
    const deleting = system.payload.delete({ collection: 'pages', id: write.target.uid });
    await reached;
    await expect(system.since(write)).rejects.toMatchObject({ code: 'HISTORY_UNSETTLED' });
    letGo();
    await deleting;
    expect(await system.since(write)).toEqual(['deleted outside same']);
  });

  it('is taken for what it is when it does not go on: the history of the record is what there is', async () => {
    const later = payloadHistory(system.payload, { now: () => new Date(Date.now() + 120_000) });
    const stored = await system.create('pages', { body: 'x' }, { draft: true });
    vi.spyOn(system.payload.db, 'createVersion').mockRejectedValueOnce(new TypeError('disk full'));
    await expect(system.save(stored.target, { body: 'y', _status: 'published' })).rejects.toThrow(
      'disk full',
    );
    expect(await later.since(stored.target, stored.mark ?? '')).toEqual({ kind: 'entries', entries: [] });

    const deleted = await system.create('pages', { body: 'x' }, { draft: true });
    vi.spyOn(system.payload.db, 'deleteOne').mockRejectedValueOnce(new TypeError('disk full'));
    await expect(system.payload.delete({ collection: 'pages', id: deleted.target.uid })).rejects.toThrow(
      'disk full',
    );
    expect(await later.since(deleted.target, deleted.mark ?? '')).toEqual({
      kind: 'unknown',
      reason: 'purged',
    });
  });
});
