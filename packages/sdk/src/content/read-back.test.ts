import { describe, expect, it } from 'vitest';
import { ContentWriteError, ReadBackError, WriteLostError } from './content-errors.js';
import { SteppedContent, keyOf, recordingLogger } from './fixtures/stepped-content.js';
import type { RawContentHandler } from './raw-content-handler.js';

const swallowed: RawContentHandler['read'] = async () => null;

async function rejectionOf(write: Promise<unknown>): Promise<unknown> {
  return write.then(
    () => null,
    (thrown: unknown) => thrown,
  );
}

describe('the read-back', () => {
  it.each(['create', 'update', 'delete'] as const)(
    'raises WriteLostError when a %s is contradicted',
    async (kind) => {
      const system = new SteppedContent();
      const page = system.put('pages', {});
      system.override = { read: kind === 'delete' ? async (target) => ({ target, data: {} }) : swallowed };
      const session = system.open();
      const error = await rejectionOf(
        kind === 'create'
          ? session.writer.create('pages', {})
          : kind === 'update'
            ? session.writer.update(page, {})
            : session.writer.delete(page),
      );
      expect(error).toBeInstanceOf(WriteLostError);
      expect(error).toMatchObject({ code: 'WRITE_LOST', name: 'WriteLostError' });
      expect((error as WriteLostError).target.table).toBe('pages');
      expect(session.landed()).toEqual([]);
      expect(session.failedWrite()).toBe(error);
    },
  );

  it('raises WriteLostError when the binding reads another record than it wrote', async () => {
    const system = new SteppedContent();
    const other = system.put('pages', {});
    system.override = { read: async () => ({ target: other, data: {} }) };
    await expect(system.open().writer.create('pages', {})).rejects.toBeInstanceOf(WriteLostError);
  });

  it('takes a binding that reads undefined for no record', async () => {
    const system = new SteppedContent();
    system.override = { read: async () => undefined as unknown as null };
    await expect(system.open().writer.create('pages', {})).rejects.toBeInstanceOf(WriteLostError);
    await expect(system.open().writer.delete(system.put('pages'))).resolves.toBeDefined();
  });

  it('asks the binding whether the record shows the write, when the binding can tell', async () => {
    const system = new SteppedContent();
    const page = system.put('pages', { title: 'old' });
    const asked: unknown[] = [];
    system.override = {
      write: async () => page,
      confirms: (operation, target) => {
        asked.push(operation.kind, target);
        return system.rows.get(keyOf(target))?.data['title'] === 'new';
      },
    };
    await expect(
      system.open().writer.update(page, { title: 'new' }, { locale: 'de' }),
    ).rejects.toBeInstanceOf(WriteLostError);
    expect(asked).toEqual(['update', page]);
  });

  it.each([undefined, 1, 'yes', async () => true])(
    'confirms nothing when the binding answers %s',
    async (answer) => {
      const system = new SteppedContent();
      system.override = { confirms: () => answer as unknown as boolean };
      await expect(system.open().writer.create('pages', {})).rejects.toBeInstanceOf(WriteLostError);
    },
  );

  it("is the binding's own where it has one, so that a read the actor may not do fails nothing", async () => {
    const system = new SteppedContent();
    system.override = {
      read: async () => {
        throw new Error('the actor may not read this');
      },
      confirms: (_operation, target) => system.has(target),
    };
    const session = system.open();
    const target = await session.writer.create('pages', {});
    expect(session.landed()).toEqual([{ target, mark: null }]);
  });

  it('is given the options of the write', async () => {
    const system = new SteppedContent();
    const seen: unknown[] = [];
    system.override = {
      read: async (target, options) => {
        seen.push(options);
        return { target, data: {} };
      },
    };
    await system.open().writer.create('pages', {}, { locale: 'de' });
    expect(seen).toEqual([{ locale: 'de' }]);
  });

  it('rethrows the failure of the system when that one failed after its writes and the record is not there', async () => {
    const system = new SteppedContent();
    const boom = new Error('commit refused');
    system.at.set('after hook 1', () => {
      throw boom;
    });
    system.override = { read: swallowed };
    const session = system.open();
    const error = await rejectionOf(session.writer.create('pages', {}));
    expect(error).toBeInstanceOf(ContentWriteError);
    expect(error).toMatchObject({ cause: boom, landed: [] });
    expect(session.landed()).toEqual([]);
    expect(session.notes()[0]).not.toContain('was stored');
  });

  it('still finds the record when a hook failed after the writes', async () => {
    const system = new SteppedContent();
    system.at.set('after hook 1', () => {
      throw new Error('boom');
    });
    const session = system.open();
    await expect(session.writer.create('pages', {})).resolves.toBeDefined();
    expect(session.notes()).toHaveLength(1);
  });
});

describe('a read-back that fails itself', () => {
  const down = new Error('database down');
  const failing: RawContentHandler['read'] = async () => {
    throw down;
  };

  it('is no lost write, and the record counts as landed, when the system reported it as stored', async () => {
    const system = new SteppedContent();
    system.override = { read: failing };
    const logger = recordingLogger();
    const session = system.open({ logger });
    const error = await rejectionOf(session.writer.create('pages', {}));
    expect(error).toBeInstanceOf(ReadBackError);
    expect(error).toMatchObject({
      code: 'READ_BACK_FAILED',
      cause: down,
      target: { table: 'pages', uid: 1 },
    });
    expect(session.landed()).toMatchObject([{ target: { table: 'pages', uid: 1 }, mark: null }]);
    expect(session.failedWrite()).toBeNull();
    expect(logger.lines.map((line) => line.message)).toEqual(['a content write could not be read back']);
  });

  it('keeps the notes of the run when the record counts as landed', async () => {
    const system = new SteppedContent();
    system.override = { read: failing };
    system.at.set('after hook 1', () => {
      throw new TypeError('boom');
    });
    const session = system.open();
    expect(await rejectionOf(session.writer.create('pages', {}))).toBeInstanceOf(ReadBackError);
    expect(session.notes()[0]).toContain('the write was stored when "after hook 1" failed');
  });

  it.each([
    ['nothing landed', { landed: () => [] }],
    ['the binding cannot say what landed', { landed: () => failing as never }],
  ])('leaves the outcome unknown when %s', async (_why, override) => {
    const system = new SteppedContent();
    system.override = { read: failing, ...override };
    const session = system.open();
    const error = await rejectionOf(session.writer.create('pages', {}));
    expect(error).toBeInstanceOf(ContentWriteError);
    expect((error as Error).message).toContain('it could not be read back');
    expect(session.landed()).toEqual([]);
    expect(session.failedWrite()).toBe(error);
  });
});
