import { ToolResult, WriteTarget, isWrite } from '@toolwright/sdk';
import { describe, expect, it } from 'vitest';
import {
  CREATE,
  creator,
  expectStatus,
  harness,
  kindsOf,
  only,
  reader,
  renamer,
} from './fixtures/harness.js';

/*
 * Acceptance of the record "a write tool names the record it wrote": the writer goes THROUGH the loop,
 * and the target is read back from the stored trace. Calling `execute` alone would pass with a loop that
 * drops it.
 */
describe('a write target', () => {
  it('is stored as a step of its own when the write succeeds', async () => {
    const { run, steps, told } = harness([CREATE, 'Done.'], [creator()]);
    const result = expectStatus(await run(), 'completed');
    const stored = await steps();
    expect(kindsOf(stored)).toEqual(['request', 'model', 'approval:waived', 'tool', 'write_target', 'model']);
    expect(only(stored, 'write_target')).toEqual([
      expect.objectContaining({ callId: 'call_1', tool: 'create_page', table: 'pages', uid: 1 }),
    ]);
    expect(only(stored, 'write_target')[0]!.mark).toEqual(expect.any(String));
    expect(only(stored, 'tool')[0]).toMatchObject({
      outcome: 'landed',
      result: { kind: 'wrote', isError: false, target: { table: 'pages', uid: 1 } },
    });
    expect(result.writes).toEqual([
      { callId: 'call_1', tool: 'create_page', outcome: 'landed', target: { table: 'pages', uid: 1 } },
    ]);
    expect(told()).toBe('Created "News".');
  });

  it('is stored when the tool answers with an error that names the record', async () => {
    const tool = creator(async ({ title }, { content }) =>
      ToolResult.error('The index is stale.', { target: await content.create('pages', { title }) }),
    );
    const { run, steps, told } = harness([CREATE, 'Done.'], [tool]);
    expectStatus(await run(), 'completed');
    const stored = await steps();
    expect(only(stored, 'write_target')).toEqual([
      expect.objectContaining({ callId: 'call_1', table: 'pages', uid: 1, mark: expect.any(String) }),
    ]);
    expect(only(stored, 'tool')[0]).toMatchObject({
      outcome: 'landed',
      result: {
        kind: 'error',
        isError: true,
        content: 'The index is stale.',
        target: { table: 'pages', uid: 1 },
      },
    });
    expect(told()).toBe('The index is stale.');
  });

  it('is stored when the tool throws after the content handler recorded its write', async () => {
    const tool = creator(async ({ title }, { content }) => {
      await content.create('pages', { title });
      throw new RangeError('rendering failed');
    });
    const { run, steps, told } = harness([CREATE, 'Done.'], [tool]);
    expectStatus(await run(), 'completed');
    const stored = await steps();
    expect(only(stored, 'write_target')).toEqual([
      expect.objectContaining({ callId: 'call_1', table: 'pages', uid: 1, mark: expect.any(String) }),
    ]);
    expect(only(stored, 'tool')[0]).toMatchObject({
      outcome: 'landed',
      ending: 'threw',
      errorClass: 'RangeError',
    });
    expect(told()).toContain('pages:1');
    expect(told()).toContain('a later step failed');
  });

  it('is in the same unit as its tool step, and notes follow both', async () => {
    const { run, content, steps, store } = harness([CREATE, 'Done.'], [creator()]);
    content.hooks.afterCommit.push(() => {
      throw new TypeError('hook broke');
    });
    const units: string[][] = [];
    const create = store.create.bind(store);
    store.create = async (...args) => {
      const journal = await create(...args);
      const record = journal.record.bind(journal);
      journal.record = (unit, transition) => {
        units.push(unit.map(({ kind }) => kind));
        return record(unit, transition);
      };
      return journal;
    };
    expectStatus(await run(), 'completed');
    expect(units).toContainEqual(['tool', 'write_target', 'note']);
    expect(only(await steps(), 'write_target')[0]).toMatchObject({ table: 'pages', uid: 1 });
  });

  it('has no mark when the write did not go through the handler', async () => {
    const tool = creator(() => ToolResult.wrote(WriteTarget.of('remote', 'x-1'), 'sent'));
    const { run, steps } = harness([CREATE, 'Done.'], [tool]);
    expectStatus(await run(), 'completed');
    expect(only(await steps(), 'write_target')).toEqual([
      expect.objectContaining({ table: 'remote', uid: 'x-1', mark: null }),
    ]);
  });

  it('is never stored for a call that wrote nothing', async () => {
    const unchanged = renamer(() => ToolResult.unchanged('It has that title.'));
    const { run, steps } = harness(
      [
        { call: [{ tool: 'rename_page', arguments: { uid: 12, title: 'Old' } }, { tool: 'count_pages' }] },
        'Done.',
      ],
      [unchanged, reader()],
    );
    expectStatus(await run(), 'completed');
    const stored = await steps();
    expect(only(stored, 'write_target')).toEqual([]);
    expect(only(stored, 'tool').map(({ outcome, effect }) => [isWrite(effect), outcome])).toEqual([
      [true, 'not_landed'],
      [false, null],
    ]);
  });
});
