import { describe, expect, it } from 'vitest';
import { DURING, STEPS, SteppedContent, keyOf, recordingLogger } from './fixtures/stepped-content.js';
import { THROWN } from './fixtures/thrown-values.js';
import { MAX_NOTE_LENGTH } from './failure-note.js';

const AFTER = STEPS.filter((step) => !DURING.includes(step));

function failing(error: () => unknown): () => never {
  return () => {
    throw error();
  };
}

describe('a failure after the writes', () => {
  it.each(AFTER)('leaves the write as landed, with one note, when it happens at: %s', async (step) => {
    const system = new SteppedContent();
    system.at.set(
      step,
      failing(() => new TypeError('boom')),
    );
    const session = system.open();
    const target = await session.writer.create('pages', { title: 'x' });
    expect(system.has(target)).toBe(true);
    expect(session.landed()).toEqual([{ target, mark: null }]);
    expect(session.failedWrite()).toBeNull();
    expect(session.notes()).toEqual([
      `Note: the write was stored when "${step}" failed (TypeError). The answer above stands.`,
    ]);
  });

  it.each((['update', 'delete'] as const).flatMap((kind) => AFTER.map((step) => [kind, step] as const)))(
    'answers the record of the %s when it happens at: %s',
    async (kind, step) => {
      const system = new SteppedContent();
      const page = system.put('pages', { title: 'old' });
      system.at.set(
        step,
        failing(() => new Error('boom')),
      );
      const session = system.open();
      const answer =
        kind === 'update' ? session.writer.update(page, { title: 'new' }) : session.writer.delete(page);
      expect((await answer).equals(page)).toBe(true);
      expect(system.rows.get(keyOf(page))?.data).toEqual(kind === 'update' ? { title: 'new' } : undefined);
      expect(session.notes()).toHaveLength(1);
      expect(session.landed()).toHaveLength(1);
    },
  );

  it('runs the finishing steps that did not run yet, and none of the hooks after the failing one', async () => {
    const system = new SteppedContent();
    system.at.set(
      'after hook 1',
      failing(() => new Error('boom')),
    );
    const session = system.open();
    const target = await session.writer.create('pages', {});
    expect(system.trace.slice(DURING.length)).toEqual([
      'after hook 1',
      'index update',
      'cache flush',
      'registry reset',
    ]);
    expect(system.flushed).toEqual([keyOf(target)]);
    expect(system.registry.size).toBe(0);
  });

  it('does not retry a failed cache flush and empties its queue, so that the next run does not replay it', async () => {
    const system = new SteppedContent();
    system.at.set(
      'cache flush',
      failing(() => new Error('boom')),
    );
    const first = await system.open().writer.create('pages', {});
    expect(system.trace.filter((step) => step === 'cache flush')).toHaveLength(1);
    expect(system.trace.slice(-2)).toEqual(['discard cache flush', 'registry reset']);
    expect(system.cacheQueue).toEqual([]);
    system.at.clear();
    const second = await system.open().writer.create('pages', {});
    expect(system.flushed).toEqual([keyOf(second)]);
    expect(system.flushed).not.toContain(keyOf(first));
  });

  it('does not retry a failed index update, and runs the steps after it', async () => {
    const system = new SteppedContent();
    system.at.set(
      'index update',
      failing(() => new Error('boom')),
    );
    const target = await system.open().writer.create('pages', {});
    expect(system.trace.filter((step) => step === 'index update')).toHaveLength(1);
    expect(system.flushed).toEqual([keyOf(target)]);
  });

  it('gives each finishing step that fails a note of its own, and runs the others', async () => {
    const system = new SteppedContent();
    for (const step of ['after hook 2', 'index update', 'cache flush'] as const) {
      system.at.set(
        step,
        failing(() => new RangeError('boom')),
      );
    }
    const session = system.open();
    await session.writer.create('pages', {});
    expect(session.notes().map((note) => /"([^"]+)"/u.exec(note)?.[1])).toEqual([
      'after hook 2',
      'index update',
      'cache flush',
    ]);
    expect(system.trace.at(-1)).toBe('registry reset');
    expect(system.registry.size).toBe(0);
  });

  it('keeps all notes for the log when there are more than an answer carries', async () => {
    const system = new SteppedContent();
    for (const step of ['after hook 1', 'index update', 'cache flush', 'registry reset'] as const) {
      system.at.set(
        step,
        failing(() => new Error('boom')),
      );
    }
    const logger = recordingLogger();
    const session = system.open({ logger });
    await session.writer.create('pages', {});
    expect(session.notes()).toHaveLength(4);
    expect(logger.lines.filter((line) => line.message === 'code failed after a content write')).toHaveLength(
      4,
    );
  });

  it('is logged with its trace, its place and its call', async () => {
    const system = new SteppedContent();
    system.at.set('after hook 1', function clearTeasers() {
      throw new TypeError('secret-in-message', { cause: new RangeError('other-secret') });
    });
    const logger = recordingLogger();
    await system.open({ logger }).writer.create('pages', {});
    const { level, fields } = logger.lines[0]!;
    expect(level).toBe('error');
    expect(fields).toMatchObject({
      runId: 'run-1',
      callId: 'call-1',
      source: 'after hook 1',
      operation: 'create',
      table: 'pages',
      error: 'TypeError',
    });
    expect(fields['trace']).toMatch(
      /^TypeError\n {4}at .*clearTeasers.*\n[^]*caused by RangeError\n {4}at /u,
    );
    expect(JSON.stringify(fields)).not.toMatch(/secret/u);
  });

  it("leaves the system's own error log as the system wrote it", async () => {
    const system = new SteppedContent();
    system.at.set(
      'after hook 1',
      failing(() => new Error('boom')),
    );
    await system.open().writer.create('pages', {});
    expect(system.errorLog).toEqual(['failed at after hook 1']);
  });

  it.each(THROWN)('survives a hook that throws %s', async (_name, thrown) => {
    for (const step of AFTER) {
      const system = new SteppedContent();
      system.at.set(step, failing(thrown));
      const session = system.open({ redact: (message) => message });
      const target = await session.writer.create('pages', {});
      expect(session.landed()).toEqual([{ target, mark: null }]);
      const [note] = session.notes();
      expect(note).toMatch(
        /^Note: the write was stored when ".+" failed \(.+\)\. The answer above stands\.$/u,
      );
      expect(note!.length).toBeLessThanOrEqual(MAX_NOTE_LENGTH);
    }
  });

  it.each([
    ['landed', () => fail()],
    ['isTransactionOpen', () => fail()],
    ['isWritten', () => fail()],
    ['isTransactionOpen', async () => fail()],
    ['isTransactionOpen', () => undefined],
    ['landed', () => undefined],
    ['landed', () => [{ table: 'pages', uid: 1 }]],
  ])('counts as during the writes when the binding cannot say what landed: %s', async (method, broken) => {
    const system = new SteppedContent();
    system.at.set(
      'after hook 1',
      failing(() => new Error('boom')),
    );
    system.override = { [method]: broken };
    const session = system.open();
    await expect(session.writer.create('pages', {})).rejects.toMatchObject({ code: 'CONTENT_WRITE_FAILED' });
    expect(system.registry.size).toBe(0);
    expect(session.landed()).toEqual([]);
  });

  it.each([
    ['remainingSteps', () => fail()],
    ['remainingSteps', () => undefined],
    ['nameFailure', () => fail()],
    ['isDatabaseError', () => fail()],
    ['nameFailure', () => null],
  ])('stays a note when the binding fails to describe it: %s', async (method, broken) => {
    const system = new SteppedContent();
    system.at.set(
      'after hook 1',
      failing(() => new Error('boom')),
    );
    system.override = { [method]: broken };
    const session = system.open({ redact: (message) => message });
    await session.writer.create('pages', {});
    expect(session.landed()).toHaveLength(1);
    expect(session.notes()).toHaveLength(1);
  });

  it('stays a note when the logger throws', async () => {
    const system = new SteppedContent();
    system.at.set(
      'after hook 1',
      failing(() => new Error('boom')),
    );
    const logger = { debug: fail, info: fail, warn: fail, error: fail };
    const session = system.open({ logger });
    await session.writer.create('pages', {});
    expect(session.notes()).toHaveLength(1);
  });

  it('is named by the hook that a finishing step called, even where the binding names the step', async () => {
    const system = new SteppedContent();
    system.at.set(
      'after hook 1',
      failing(() => new Error('boom')),
    );
    system.at.set('cache flush', (run) =>
      run.runHooks([{ name: 'listener of the proxy', run: failing(() => new Error('boom')) }]),
    );
    const session = system.open();
    await session.writer.create('pages', {});
    expect(session.notes().map((note) => /"([^"]+)"/u.exec(note)?.[1])).toEqual([
      'after hook 1',
      'listener of the proxy',
    ]);
  });

  it('becomes a note of its own when emptying a queue fails', async () => {
    const system = new SteppedContent();
    system.at.set(
      'cache flush',
      failing(() => new Error('boom')),
    );
    system.override = {
      nameFailure: () => null,
      remainingSteps: () => [
        { name: 'cache flush', hasStarted: true, run: fail, discard: fail },
        { name: 'sitemap', run: fail },
      ],
    };
    const session = system.open();
    await session.writer.create('pages', {});
    expect(session.notes().map((note) => /"([^"]+)"/u.exec(note)?.[1])).toEqual([
      'the content system',
      'discarding cache flush',
      'sitemap',
    ]);
  });
});

function fail(): never {
  throw new Error('broken binding');
}
