import { describe, expect, it } from 'vitest';
import { InMemoryContent } from '../testing/in-memory-content.js';
import type { InMemoryEvent, InMemoryHook } from '../testing/in-memory-raw-handler.js';
import { WriteTarget } from '../target/write-target.js';
import { ContentWriteError } from './content-errors.js';
import { currentContentRun, type ContentRun } from './content-run.js';
import { recordingLogger } from './fixtures/stepped-content.js';
import { THROWN } from './fixtures/thrown-values.js';
import { safeContentHandler, type ContentSession } from './safe-content-handler.js';

function memory(options: { readonly transactions?: boolean } = {}): InMemoryContent {
  return new InMemoryContent({ logger: recordingLogger(), ...options });
}

function open(content: InMemoryContent, callId = 'call-1'): ContentSession {
  return content.open({
    actor: { id: 'editor' },
    runId: 'run-1',
    callId,
    signal: new AbortController().signal,
  });
}

/** A hook that acts on one table only. */
function on(table: string, act: (event: InMemoryEvent) => unknown, name = 'act'): InMemoryHook {
  const hook: InMemoryHook = (event) => (event.table === table ? act(event) : undefined);
  Object.defineProperty(hook, 'name', { value: name });
  return hook;
}

function fail(error: unknown): never {
  throw error;
}

function create(table: string): Parameters<InMemoryEvent['write']>[0] {
  return { kind: 'create', table, data: {}, options: {} };
}

describe('a list of hooks', () => {
  it('ends at the one that failed after the writes, and the lists after it run', async () => {
    const content = memory();
    const ran: string[] = [];
    content.hooks.afterWrite.push(
      on('pages', () => ran.push('first')),
      on('pages', () => fail(new TypeError('boom')), 'clearTeasers'),
      on('pages', () => ran.push('third')),
    );
    content.hooks.afterCommit.push(on('pages', () => ran.push('after commit')));
    content.finishingSteps.push({ name: 'index update', run: () => ran.push('index') });
    const session = open(content);
    await session.writer.create('pages', {});
    expect(ran).toEqual(['first', 'after commit', 'index']);
    expect(session.notes()).toEqual([
      'Note: the write was stored when "hook afterWrite of pages (clearTeasers)" failed (TypeError). The answer above stands.',
    ]);
  });

  it('fails the write when it fails before the record is stored', async () => {
    const content = memory();
    const boom = new Error('boom');
    content.hooks.beforeWrite.push(on('pages', () => fail(boom)));
    const session = open(content);
    await expect(session.writer.create('pages', {})).rejects.toMatchObject({ cause: boom, landed: [] });
    expect(content.records('pages')).toEqual([]);
    expect(session.notes()).toEqual([]);
  });

  it('fails the write when a transaction can still roll it back', async () => {
    const content = memory({ transactions: true });
    const boom = new Error('boom');
    content.hooks.afterWrite.push(on('pages', () => fail(boom)));
    const session = open(content);
    await expect(session.writer.create('pages', {})).rejects.toMatchObject({ cause: boom, landed: [] });
    expect(content.records('pages')).toEqual([]);
    expect(session.landed()).toEqual([]);
  });

  it('fails no write after the commit', async () => {
    const content = memory({ transactions: true });
    content.hooks.afterCommit.push(on('pages', () => fail(new Error('boom'))));
    const session = open(content);
    const target = await session.writer.create('pages', {});
    expect(content.record(target)).not.toBeNull();
    expect(session.notes()).toHaveLength(1);
  });

  it('is judged by the moment of its failure when the binding forgets the rollback that followed', async () => {
    const page = WriteTarget.of('pages', 1);
    let isOpen = false;
    const handler = safeContentHandler(
      (run) => ({
        write: async () => {
          isOpen = true;
          try {
            await run.runHooks([{ name: 'hook', run: () => fail(new Error('boom')) }]);
            return page;
          } finally {
            isOpen = false;
          }
        },
        landed: () => [page],
        isTransactionOpen: () => isOpen,
        remainingSteps: () => [],
        read: async (target) => ({ target, data: {} }),
        find: async () => [],
      }),
      { logger: recordingLogger() },
    );
    const session = handler.open({
      actor: { id: 'editor' },
      runId: 'run-1',
      callId: 'call-1',
      signal: new AbortController().signal,
    });
    await expect(session.writer.update(page, {})).rejects.toBeInstanceOf(ContentWriteError);
    expect(session.landed()).toEqual([]);
  });

  it('waits for a hook that rejects late', async () => {
    const content = memory();
    content.hooks.afterWrite.push(
      on('pages', async () => {
        await new Promise(setImmediate);
        throw new Error('late');
      }),
    );
    const session = open(content);
    await session.writer.create('pages', {});
    expect(session.notes()).toHaveLength(1);
  });

  it.each(THROWN)('takes over %s', async (_name, thrown) => {
    const content = memory();
    content.hooks.afterWrite.push(on('pages', () => fail(thrown())));
    const session = open(content);
    await session.writer.create('pages', {});
    expect(session.notes()).toHaveLength(1);
  });

  it('names the hook inside of a finishing step that calls one', async () => {
    const content = memory();
    content.finishingSteps.push({
      name: 'cache flush',
      run: () =>
        currentContentRun()!.runHooks([{ name: 'listener of the proxy', run: () => fail(new Error('x')) }]),
    });
    const session = open(content);
    await session.writer.create('pages', {});
    expect(session.notes()[0]).toContain('"listener of the proxy" failed');
  });
});

describe('a write inside a hook', () => {
  it('does not count as landed, and fails through to the hook that the run called', async () => {
    const content = memory();
    const after: string[] = [];
    content.hooks.afterWrite.push(
      on('teasers', () => fail(new RangeError('boom')), 'ofTeasers'),
      on('pages', (event) => event.write(create('teasers')), 'makeTeaser'),
      on('pages', () => after.push('pages')),
    );
    const session = open(content);
    const target = await session.writer.create('pages', {});
    expect(session.landed()).toMatchObject([{ target }]);
    expect(session.notes()).toEqual([
      'Note: the write was stored when "hook afterWrite of pages (makeTeaser)" failed (RangeError). The answer above stands.',
    ]);
    expect(after).toEqual([]);
    expect(content.records('teasers')).toHaveLength(1);
  });

  it('does not make a failed write look landed when it wrote the same table', async () => {
    const content = memory();
    let isInner = false;
    content.hooks.beforeWrite.push(
      on('pages', async (event) => {
        if (!isInner) {
          isInner = true;
          await event.write(create('pages'));
          throw new Error('before outer');
        }
      }),
    );
    const session = open(content);
    await expect(session.writer.create('pages', {})).rejects.toMatchObject({ landed: [] });
    expect(content.records('pages')).toHaveLength(1);
    expect(session.landed()).toEqual([]);
  });
});

describe('a run inside another run', () => {
  const boom = new RangeError('boom');

  function nesting(
    list: 'beforeWrite' | 'afterWrite',
    swallow = false,
  ): {
    readonly content: InMemoryContent;
    readonly inner: ContentSession;
    readonly thrown: unknown[];
  } {
    const content = memory();
    const inner = open(content, 'call-inner');
    const thrown: unknown[] = [];
    content.hooks.afterWrite.push(on('teasers', () => fail(boom)));
    content.hooks[list].push(
      on(
        'pages',
        async () => {
          try {
            await inner.writer.create('teasers', {});
          } catch (error) {
            thrown.push(error);
            if (!swallow) {
              throw error;
            }
          }
        },
        'nest',
      ),
    );
    return { content, inner, thrown };
  }

  it('rethrows its failure as it is, and the outer run notes its own hook', async () => {
    const { content, inner, thrown } = nesting('afterWrite');
    const outer = open(content);
    await outer.writer.create('pages', {});
    expect(thrown).toEqual([boom]);
    expect(outer.notes()).toEqual([
      'Note: the write was stored when "hook afterWrite of pages (nest)" failed (RangeError). The answer above stands.',
    ]);
    expect(inner.notes()).toEqual([]);
    expect(inner.landed()).toEqual([]);
    expect(inner.failedWrite()).toBeNull();
  });

  it.each(THROWN)('rethrows %s itself', async (_name, thrown) => {
    const content = memory();
    const value = thrown();
    const caught: unknown[] = [];
    const inner = open(content, 'call-inner');
    content.hooks.afterWrite.push(
      on('teasers', () => fail(value)),
      on('pages', () => inner.writer.create('teasers', {}).catch((error: unknown) => caught.push(error))),
    );
    await open(content).writer.create('pages', {});
    expect(caught).toHaveLength(1);
    expect(Object.is(caught[0], value)).toBe(true);
  });

  it('rethrows a failure after its own writes, too', async () => {
    const content = memory();
    const inner = open(content, 'call-inner');
    content.finishingSteps.push({
      name: 'cache flush',
      run: (targets) => (targets[0]?.table === 'teasers' ? fail(boom) : undefined),
    });
    const caught: unknown[] = [];
    content.hooks.afterWrite.push(
      on('pages', () => inner.writer.create('teasers', {}).catch((error: unknown) => caught.push(error))),
    );
    await open(content).writer.create('pages', {});
    expect(caught).toEqual([boom]);
    expect(inner.landed()).toEqual([]);
    expect(inner.notes()).toEqual([]);
  });

  it('leaves it to the outer run what a lost write of it means', async () => {
    const content = memory();
    const inner = open(content, 'call-inner');
    content.hooks.afterWrite.push(
      on('teasers', (event) => content.remove(event.target!)),
      on('pages', () => inner.writer.create('teasers', {})),
    );
    const outer = open(content);
    await outer.writer.create('pages', {});
    expect(outer.notes()[0]).toContain('WriteLostError');
    expect(outer.failedWrite()).toBeNull();
    expect(inner.failedWrite()).toBeNull();
  });

  it('answers inside the transaction of the outer run', async () => {
    const content = memory({ transactions: true });
    const inner = open(content, 'call-inner');
    const answers: WriteTarget[] = [];
    content.hooks.afterWrite.push(
      on('pages', async () => answers.push(await inner.writer.create('teasers', {}))),
    );
    const outer = open(content);
    await outer.writer.create('pages', {});
    expect(answers).toHaveLength(1);
    expect(outer.notes()).toEqual([]);
    expect(content.records('teasers')).toHaveLength(1);
  });

  it('fails the outer write when it failed before that one was stored', async () => {
    const { content } = nesting('beforeWrite');
    const outer = open(content);
    await expect(outer.writer.create('pages', {})).rejects.toMatchObject({ cause: boom, landed: [] });
    expect(content.records('pages')).toEqual([]);
  });

  it('says nothing when the hook swallows its failure', async () => {
    const { content } = nesting('afterWrite', true);
    const outer = open(content);
    await outer.writer.create('pages', {});
    expect(outer.notes()).toEqual([]);
  });

  it('finishes its own steps, so that a hook that swallows its failure leaves nothing behind', async () => {
    const { content } = nesting('afterWrite', true);
    const flushed: (readonly WriteTarget[])[] = [];
    content.finishingSteps.push({ name: 'cache flush', run: (targets) => flushed.push(targets) });
    await open(content).writer.create('pages', {});
    expect(flushed.flat().map((target) => target.table)).toContain('pages');
  });

  it('knows that it is nested, and has its own depth', async () => {
    const content = memory();
    const seen: [boolean, number, number][] = [];
    let outer: ContentRun | undefined;
    const note = (): void => {
      const run = currentContentRun()!;
      outer ??= run;
      seen.push([run.isNested, run.depth, outer.depth]);
    };
    content.hooks.beforeWrite.push(on('teasers', note));
    content.hooks.afterWrite.push(
      on('pages', async () => {
        note();
        await open(content, 'call-inner').writer.create('teasers', {});
        note();
      }),
    );
    await open(content).writer.create('pages', {});
    expect(seen).toEqual([
      [false, 1, 1],
      [true, 1, 2],
      [false, 1, 1],
    ]);
  });

  it('lands nothing for certain while the outer transaction can roll it back', async () => {
    const content = memory({ transactions: true });
    const inner = open(content, 'call-inner');
    content.hooks.afterWrite.push(
      on('pages', async () => {
        await inner.writer.create('teasers', {});
        throw new Error('boom');
      }),
    );
    await expect(open(content).writer.create('pages', {})).rejects.toBeInstanceOf(ContentWriteError);
    expect(content.records('teasers')).toEqual([]);
    expect(inner.landed()).toEqual([]);
  });

  it('lands in its own session when it succeeds', async () => {
    const content = memory();
    const inner = open(content, 'call-inner');
    content.hooks.afterWrite.push(on('pages', () => inner.writer.create('teasers', {})));
    const outer = open(content);
    await outer.writer.create('pages', {});
    expect(inner.landed().map(({ target }) => target.table)).toEqual(['teasers']);
    expect(outer.landed().map(({ target }) => target.table)).toEqual(['pages']);
  });
});

describe('the current run', () => {
  it('is none outside of every run, during a read, and after the run', async () => {
    const content = memory();
    const seen: (ContentRun | undefined)[] = [];
    let later: Promise<void> = Promise.resolve();
    content.hooks.afterWrite.push(
      on('pages', () => {
        seen.push(currentContentRun());
        later = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
          seen.push(currentContentRun());
        });
      }),
    );
    const session = open(content);
    seen.push(currentContentRun());
    const target = await session.writer.create('pages', {});
    await session.reader.read(target);
    await later;
    expect(seen.map((run) => run?.callId)).toEqual([undefined, 'call-1', undefined]);
  });

  it('is an outermost one when a hook left work behind that writes after the run', async () => {
    const content = memory();
    let letGo = (): void => undefined;
    let left: Promise<WriteTarget> | undefined;
    const late = open(content, 'call-late');
    content.hooks.afterWrite.push(
      on('teasers', () => fail(new Error('boom'))),
      on('pages', () => {
        left = new Promise<void>((resolve) => {
          letGo = resolve;
        }).then(() => late.writer.create('teasers', {}));
      }),
    );
    await open(content).writer.create('pages', {});
    letGo();
    await expect(left).resolves.toMatchObject({ table: 'teasers' });
    expect(late.notes()).toHaveLength(1);
  });
});

describe('two calls at once', () => {
  it('keep their notes, records and depths apart', async () => {
    const content = memory();
    const gates: (() => void)[] = [];
    const depths: number[] = [];
    const together = (): Promise<void> =>
      new Promise<void>((resolve) => {
        gates.push(resolve);
        if (gates.length === 3) {
          gates.forEach((open) => open());
        }
      });
    content.hooks.afterWrite.push(async function meet(event) {
      depths.push(event.run.depth);
      await together();
      depths.push(event.run.depth);
      if (event.data['fails'] === true) {
        throw new TypeError('boom');
      }
    });
    const sessions = [open(content, 'a'), open(content, 'b'), open(content, 'c')];
    const targets = await Promise.all(
      sessions.map((session, index) => session.writer.create('pages', { fails: index !== 1 })),
    );
    expect(sessions.map((session) => session.notes().length)).toEqual([1, 0, 1]);
    expect(sessions.map((session) => session.landed().map(({ target }) => target.uid))).toEqual(
      targets.map(({ uid }) => [uid]),
    );
    expect(depths).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('of one session both land when they run side by side', async () => {
    const content = memory();
    content.hooks.afterWrite.push(on('pages', () => fail(new Error('boom'))));
    const session = open(content);
    await Promise.all([session.writer.create('pages', {}), session.writer.create('news', {})]);
    expect(session.landed()).toHaveLength(2);
    expect(session.notes()).toHaveLength(1);
  });
});
