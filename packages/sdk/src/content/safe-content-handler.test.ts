import { describe, expect, it } from 'vitest';
import { SdkError } from '../errors.js';
import { WriteTarget } from '../target/write-target.js';
import { currentContentRun } from './content-run.js';
import { SteppedContent, recordingLogger } from './fixtures/stepped-content.js';
import { safeContentHandler } from './safe-content-handler.js';

const page = WriteTarget.of('pages', 1);

describe('safeContentHandler', () => {
  it('builds a fresh raw handler for each write and read, with the call', async () => {
    const system = new SteppedContent();
    const session = system.open({}, { callId: 'call-7' });
    const target = await session.writer.create('pages', {});
    await session.writer.update(target, {});
    await session.reader.read(target);
    expect(new Set(system.raws).size).toBe(3);
    expect(system.registry.size).toBe(0);
  });

  it('hands the factory the call that it opens a run for', async () => {
    const signal = new AbortController().signal;
    const call = { actor: { id: 'editor' }, runId: 'run-1', callId: 'call-1', signal };
    const seen: unknown[] = [];
    const handler = safeContentHandler(
      (run) => {
        const { actor, runId, callId } = run;
        seen.push({ actor, runId, callId, signal: run.signal, isNested: run.isNested, depth: run.depth });
        throw new Error('no system');
      },
      { logger: recordingLogger() },
    );
    const session = handler.open(call);
    await session.writer.create('pages', {}).catch(() => null);
    await session.reader.find('pages').catch(() => null);
    expect(seen).toEqual([
      { ...call, isNested: false, depth: 0 },
      { ...call, isNested: false, depth: 0 },
    ]);
  });

  it('takes a factory that needs time', async () => {
    const system = new SteppedContent();
    system.open();
    const handler = safeContentHandler(
      async () => ({
        write: async () => page,
        landed: () => [page],
        isTransactionOpen: () => false,
        remainingSteps: () => [],
        read: async (target) => ({ target, data: {} }),
        find: async () => [],
      }),
      { logger: recordingLogger() },
    );
    const { writer } = handler.open({
      actor: { id: 'a' },
      runId: 'r',
      callId: 'c',
      signal: new AbortController().signal,
    });
    await expect(writer.update(page, {})).resolves.toBe(page);
  });

  it('starts no write when the raw handler cannot be built', async () => {
    const down = new Error('no connection');
    const handler = safeContentHandler(
      () => {
        throw down;
      },
      { logger: recordingLogger() },
    );
    const session = handler.open({
      actor: { id: 'a' },
      runId: 'r',
      callId: 'c',
      signal: new AbortController().signal,
    });
    await expect(session.writer.create('pages', {})).rejects.toMatchObject({
      code: 'CONTENT_UNAVAILABLE',
      cause: down,
    });
    expect(session.failedWrite()).toBeNull();
  });

  it('starts no write that the binding refuses, and says why', async () => {
    const system = new SteppedContent();
    system.override = { refuses: async ({ kind }) => `the actor may not ${kind} pages` };
    const session = system.open();
    await expect(session.writer.create('pages', {})).rejects.toMatchObject({
      code: 'CONTENT_REFUSED',
      message: 'Cannot write: the actor may not create pages. This write was not started.',
    });
    expect(system.trace).toEqual([]);
    expect(session.failedWrite()).toBeNull();
    expect(session.notes()).toEqual([]);
  });

  it('starts no write when the binding cannot say whether it refuses', async () => {
    const system = new SteppedContent();
    const down = new Error('no connection');
    system.override = {
      refuses: () => {
        throw down;
      },
    };
    const session = system.open();
    await expect(session.writer.create('pages', {})).rejects.toMatchObject({
      code: 'CONTENT_UNAVAILABLE',
      cause: down,
    });
    expect(system.trace).toEqual([]);
    expect(session.failedWrite()).toBeNull();
  });

  it('counts what the binding calls to decide whether it refuses as no work of the run', async () => {
    const system = new SteppedContent();
    const depths: number[] = [];
    system.override = {
      refuses: () => {
        depths.push(currentContentRun()!.depth);
        return null;
      },
    };
    await expect(system.open().writer.create('pages', {})).resolves.toBeDefined();
    expect(depths).toEqual([1]);
  });

  it('offers readers no write method at run time either', () => {
    const { reader, writer } = new SteppedContent().open();
    expect(Object.keys(reader).sort()).toEqual(['find', 'read']);
    expect(Object.keys(writer).sort()).toEqual(['create', 'delete', 'find', 'read', 'update']);
    expect(Object.isFrozen(reader) && Object.isFrozen(writer)).toBe(true);
    expect(Object.getPrototypeOf(reader)).toBe(Object.prototype);
  });

  it('starts no write when the call has ended', async () => {
    const system = new SteppedContent();
    const controller = new AbortController();
    const session = system.open({}, { signal: controller.signal });
    controller.abort();
    await expect(session.writer.create('pages', {})).rejects.toMatchObject({ code: 'CONTENT_CALL_ENDED' });
    expect(system.trace).toEqual([]);
    expect(session.failedWrite()).toBeNull();
    expect(session.pendingWrites()).toBe(0);
  });

  it('logs a write that lands after its call has ended, and still records it', async () => {
    const system = new SteppedContent();
    const controller = new AbortController();
    const logger = recordingLogger();
    system.at.set('after hook 1', () => controller.abort());
    const session = system.open({ logger }, { signal: controller.signal });
    const target = await session.writer.create('pages', {});
    expect(session.landed()).toEqual([{ target, mark: null }]);
    expect(logger.lines).toMatchObject([
      {
        level: 'warn',
        message: 'a content write landed after its call had ended',
        fields: { uid: target.uid },
      },
    ]);
  });

  it('counts a write as pending until it settles', async () => {
    const system = new SteppedContent();
    const session = system.open();
    const writing = session.writer.create('pages', {});
    expect(session.pendingWrites()).toBe(1);
    await writing;
    expect(session.pendingWrites()).toBe(0);
  });

  it.each<[string, (writer: ReturnType<SteppedContent['open']>['writer']) => Promise<unknown>]>([
    ['table', (writer) => writer.create('', {})],
    ['table', (writer) => writer.create('pa\nges', {})],
    ['table', (writer) => writer.create(undefined as unknown as string, {})],
    ['data', (writer) => writer.create('pages', null as unknown as object as never)],
    ['data', (writer) => writer.create('pages', [] as never)],
    ['data', (writer) => writer.update(page, 'secret' as never)],
    ['options', (writer) => writer.create('pages', {}, 'de' as never)],
    ['target', (writer) => writer.update({ table: 'pages', uid: 1 } as never, {})],
    ['target', (writer) => writer.delete(undefined as never)],
    ['target', (writer) => writer.read({ table: 'pages', uid: 1 } as never)],
    ['table', (writer) => writer.find('')],
    ['limit', (writer) => writer.find('pages', { limit: 0 })],
    ['limit', (writer) => writer.find('pages', { limit: 1001 })],
    ['limit', (writer) => writer.find('pages', { limit: 1.5 })],
    ['data', (writer) => writer.find('pages', { where: 'secret' as never })],
    ['query', (writer) => writer.find('pages', null as never)],
  ])('refuses a wrong %s before anything starts, without its value', async (field, use) => {
    const system = new SteppedContent();
    const session = system.open();
    const error = await use(session.writer).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SdkError);
    expect(error).toMatchObject({ code: 'INVALID_CONTENT_OPERATION' });
    expect((error as Error).message).toContain(`expected ${field} to be`);
    expect((error as Error).message).not.toContain('secret');
    expect(system.raws).toEqual([]);
    expect(session.failedWrite()).toBeNull();
  });
});

describe('the reading half', () => {
  it('reads a record, and null where there is none', async () => {
    const system = new SteppedContent();
    const target = system.put('pages', { title: 'x' });
    const { reader } = system.open();
    expect(await reader.read(target)).toEqual({ target, data: { title: 'x' } });
    expect(await reader.read(WriteTarget.of('pages', 99))).toBeNull();
  });

  it('holds the binding to the limit', async () => {
    const system = new SteppedContent();
    for (let index = 0; index < 120; index += 1) {
      system.put('pages');
    }
    const { reader } = system.open();
    expect(await reader.find('pages')).toHaveLength(100);
    expect(await reader.find('pages', { limit: 3 })).toHaveLength(3);
  });

  it('hands the binding the query with its limit and options', async () => {
    const system = new SteppedContent();
    const seen: unknown[] = [];
    system.override = {
      find: async (...args) => {
        seen.push(args);
        return [];
      },
      read: async (...args) => {
        seen.push(args);
        return null;
      },
    };
    const { reader } = system.open();
    await reader.find('pages', { where: { slug: 'x' }, options: { locale: 'de' } });
    await reader.find('pages');
    await reader.read(page, { locale: 'de' });
    expect(seen).toEqual([
      ['pages', { where: { slug: 'x' }, options: { locale: 'de' }, limit: 100 }],
      ['pages', { options: {}, limit: 100 }],
      [page, { locale: 'de' }],
    ]);
  });

  it('fails with the class of the error and not with its message', async () => {
    const system = new SteppedContent();
    const down = new TypeError('secret');
    system.override = {
      find: async () => {
        throw down;
      },
    };
    const logger = recordingLogger();
    const { reader } = system.open({ logger });
    await expect(reader.find('pages')).rejects.toMatchObject({
      code: 'CONTENT_READ_FAILED',
      cause: down,
      message: 'Cannot read content: the content system failed (TypeError).',
    });
    expect(JSON.stringify(logger.lines)).not.toContain('secret');
  });
});
