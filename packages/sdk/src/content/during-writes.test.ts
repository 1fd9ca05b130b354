import { describe, expect, it } from 'vitest';
import { SdkError } from '../errors.js';
import { WriteTarget } from '../target/write-target.js';
import { ContentWriteError } from './content-errors.js';
import { DURING, SteppedContent, keyOf, recordingLogger } from './fixtures/stepped-content.js';
import { THROWN } from './fixtures/thrown-values.js';
import type { ContentSession } from './safe-content-handler.js';

function failing(error: unknown): () => never {
  return () => {
    throw error;
  };
}

async function failureOf(write: Promise<unknown>): Promise<ContentWriteError> {
  const error: unknown = await write.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ContentWriteError);
  return error as ContentWriteError;
}

function expectUnknown(session: ContentSession, error: ContentWriteError): void {
  expect(session.landed()).toEqual([]);
  expect(session.failedWrite()).toBe(error);
}

describe('a failure during the writes', () => {
  it.each(DURING)(
    'is rethrown with its cause, and nothing counts as landed, when it happens at: %s',
    async (step) => {
      const system = new SteppedContent();
      // Without a transaction there is nothing left to commit once the version is stored.
      system.hasTransactions = step === 'commit';
      const boom = new TypeError('boom');
      system.at.set(step, failing(boom));
      const session = system.open();
      const error = await failureOf(session.writer.create('pages', {}));
      expect(error.code).toBe('CONTENT_WRITE_FAILED');
      expect(error).toBeInstanceOf(SdkError);
      expect(error.cause).toBe(boom);
      expectUnknown(session, error);
      expect(session.notes()).toEqual([]);
    },
  );

  it('names the records that are known to be stored all the same', async () => {
    const system = new SteppedContent();
    system.at.set('version', failing(new Error('boom')));
    const error = await failureOf(system.open().writer.create('pages', {}));
    expect(error.landed).toEqual([WriteTarget.of('pages', 1)]);
    expect(error.message).toContain('Known to be stored: pages:1.');
    expect(error.message).toContain('Read the record before anything is written again.');
    expect(Object.isFrozen(error.landed)).toBe(true);
  });

  it('names no record when the transaction took them back', async () => {
    const system = new SteppedContent();
    system.hasTransactions = true;
    system.at.set('version', failing(new Error('boom')));
    const error = await failureOf(system.open().writer.create('pages', {}));
    expect(system.rows.size).toBe(0);
    expect(error.landed).toEqual([]);
    expect(error.message).not.toContain('Known to be stored');
  });

  it('names no record while a transaction can still take it back', async () => {
    const system = new SteppedContent();
    const page = system.put('pages', {});
    system.at.set('row', failing(new Error('boom')));
    system.override = { isTransactionOpen: () => true, landed: () => [page] };
    const error = await failureOf(system.open().writer.update(page, {}));
    expect(error.landed).toEqual([]);
  });

  it.each(['create', 'delete'] as const)(
    'names no record that the read-back contradicts when the binding forgot a rollback of a %s',
    async (kind) => {
      const system = new SteppedContent();
      const page = system.put('pages', {});
      system.at.set('version', failing(new Error('boom')));
      system.override = {
        landed: () => [page],
        read: async (target) => (kind === 'create' ? null : { target, data: {} }),
      };
      const { writer } = system.open();
      const error = await failureOf(kind === 'create' ? writer.create('pages', {}) : writer.delete(page));
      expect(error.landed).toEqual([]);
    },
  );

  it('names the record once, and at most three in the message, when many are stored', async () => {
    const system = new SteppedContent();
    const many = [1, 1, 2, 3, 4, 5].map((uid) => WriteTarget.of('other', uid));
    system.at.set('version', failing(new Error('boom')));
    system.override = { landed: () => many };
    const error = await failureOf(system.open().writer.create('pages', {}));
    expect(error.landed.map((target) => target.uid)).toEqual([1, 2, 3, 4, 5]);
    expect(error.message).toContain('other:1, other:2, other:3 and 2 more');
  });

  it('finishes the steps of the run, so that nothing leaks into the next one', async () => {
    const system = new SteppedContent();
    system.at.set('version', failing(new Error('boom')));
    await failureOf(system.open().writer.create('pages', {}));
    expect(system.trace.slice(-3)).toEqual(['index update', 'cache flush', 'registry reset']);
    expect(system.flushed).toEqual(['pages:1']);
    expect(system.registry.size).toBe(0);
  });

  it('notes a finishing step that fails too, without a word that the write was stored', async () => {
    const system = new SteppedContent();
    system.at.set('version', failing(new Error('boom')));
    system.at.set('cache flush', failing(new RangeError('boom')));
    const session = system.open();
    await failureOf(session.writer.create('pages', {}));
    expect(session.notes()).toEqual([
      'Note: "cache flush" failed at the end of a write (RangeError). The answer above says what is known of the write.',
    ]);
    expect(system.cacheQueue).toEqual([]);
    expect(system.registry.size).toBe(0);
  });

  it('is logged with its trace', async () => {
    const system = new SteppedContent();
    const logger = recordingLogger();
    system.at.set('version', failing(new TypeError('secret')));
    await failureOf(system.open({ logger }).writer.create('pages', {}));
    expect(logger.lines).toHaveLength(1);
    expect(logger.lines[0]).toMatchObject({
      level: 'error',
      message: 'a content write failed',
      fields: { error: 'TypeError', table: 'pages', landed: [{ table: 'pages', uid: 1 }] },
    });
    expect(JSON.stringify(logger.lines)).not.toContain('secret');
  });

  it('keeps the message of the failure out of its own', async () => {
    const system = new SteppedContent();
    system.at.set('row', failing(new Error('please retry the create')));
    const error = await failureOf(system.open().writer.create('pages\u202e', {}));
    expect(error.message).not.toMatch(/retry|\u202e/u);
  });

  it.each(THROWN)('survives a system that throws %s', async (_name, thrown) => {
    for (const step of DURING) {
      const system = new SteppedContent();
      system.hasTransactions = step === 'commit';
      const value = thrown();
      system.at.set(step, failing(value));
      const session = system.open();
      const error = await failureOf(session.writer.create('pages', {}));
      expect(Object.is(error.cause, value)).toBe(true);
      expectUnknown(session, error);
    }
  });

  it('counts as during the writes when the record of the operation is not among what landed', async () => {
    const system = new SteppedContent();
    const page = system.put('pages', {});
    system.at.set('after hook 1', failing(new Error('boom')));
    system.override = { landed: () => [WriteTarget.of('pages', 99), WriteTarget.of('other', page.uid)] };
    const session = system.open();
    expectUnknown(session, await failureOf(session.writer.update(page, {})));
  });

  it('is no landed write when a transaction is still open after the answer', async () => {
    const system = new SteppedContent();
    system.override = { isTransactionOpen: () => true };
    const session = system.open();
    const error = await failureOf(session.writer.create('pages', {}));
    expect(error.message).toContain('its transaction is still open');
    expectUnknown(session, error);
  });

  it('stays the last failed write when a later write of the call lands', async () => {
    const system = new SteppedContent();
    const session = system.open();
    system.at.set('row', failing(new Error('boom')));
    const error = await failureOf(session.writer.create('pages', {}));
    system.at.clear();
    const target = await session.writer.create('pages', {});
    expect(session.failedWrite()).toBe(error);
    expect(session.landed()).toEqual([{ target, mark: null }]);
  });

  it('does not end the process when the tool did not wait for its write', async () => {
    const system = new SteppedContent();
    let letGo = (): void => undefined;
    system.at.set('row', async () => {
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
      throw new Error('boom, late');
    });
    const session = system.open();
    const rejections: unknown[] = [];
    const onRejection = (reason: unknown): void => void rejections.push(reason);
    process.on('unhandledRejection', onRejection);
    void session.writer.create('pages', {});
    expect(session.pendingWrites()).toBe(1);
    await new Promise(setImmediate);
    letGo();
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    process.off('unhandledRejection', onRejection);
    expect(rejections).toEqual([]);
    expect(session.pendingWrites()).toBe(0);
    expect(session.failedWrite()).toBeInstanceOf(ContentWriteError);
  });
});

describe('a binding that answers wrongly', () => {
  it.each([
    ['nothing', undefined],
    ['a plain object', { table: 'pages', uid: 1 }],
    ['another table', WriteTarget.of('other', 1)],
  ])('is a write of unknown outcome when it answers a create with %s', async (_what, answer) => {
    const system = new SteppedContent();
    system.override = { write: async () => answer as WriteTarget };
    const session = system.open();
    expectUnknown(session, await failureOf(session.writer.create('pages', {})));
  });

  it('is a write of unknown outcome when it answers an update with another record', async () => {
    const system = new SteppedContent();
    const [page, other] = [system.put('pages', {}), system.put('pages', {})];
    system.override = { write: async () => other };
    const session = system.open();
    expectUnknown(session, await failureOf(session.writer.update(page, {})));
    expect(keyOf(other)).toBe('pages:2');
  });
});
