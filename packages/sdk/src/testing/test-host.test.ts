import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ApprovalRequest } from '../call/call-approval.js';
import { ToolResult } from '../result/tool-result.js';
import { WriteTarget } from '../target/write-target.js';
import { defineTool } from '../tool/define-tool.js';
import { InMemoryContent } from './in-memory-content.js';
import { createTestHost, runTool } from './test-host.js';
import { ToolContractError } from './tool-contract-error.js';
import './vitest.js';

const renamePage = defineTool({
  name: 'rename_page',
  description: 'Renames a page.',
  effect: 'idempotent_write',
  input: z.object({ id: z.int().positive(), title: z.string().min(1).default('Untitled') }),
  async preview({ id, title }, { content }) {
    const page = await content.read(WriteTarget.of('pages', id));
    return [`Rename page ${String(id)}`, `from ${String(page?.data['title'])} to ${title}`];
  },
  async execute({ id, title }, { content, logger, clock }) {
    const page = await content.read(WriteTarget.of('pages', id));
    if (page === null) {
      return ToolResult.refused(`There is no page ${String(id)}.`);
    }
    if (page.data['title'] === title) {
      return ToolResult.unchanged('The page has that title already.');
    }
    logger.info('renaming', { at: clock.now().toISOString() });
    return ToolResult.wrote(await content.update(page.target, { title }), `Renamed to ${title}.`);
  },
});

const readPage = defineTool({
  name: 'read_page',
  description: 'Reads a page.',
  input: z.object({ id: z.int().positive() }),
  preview: () => ['never asked'],
  async execute({ id }, { content }) {
    const page = await content.read(WriteTarget.of('pages', id));
    return page === null
      ? ToolResult.refused('There is no such page.')
      : ToolResult.text(String(page.data['title']));
  },
});

const records = { pages: { 12: { title: 'Old' } } };

/** A writer whose body a test chooses. */
function writer(execute: Parameters<typeof defineTool<typeof empty, 'idempotent_write'>>[0]['execute']) {
  return defineTool({ name: 'write', description: '', effect: 'idempotent_write', input: empty, execute });
}
const empty = z.object({});

describe('createTestHost', () => {
  it('runs a writer with its preview, its approval and its result', async () => {
    const host = createTestHost({ records });
    const record = await host.run(renamePage, { id: 12, title: 'New' });
    expect(record).toHaveWritten('pages', 12);
    expect(record).toMatchObject({
      toolName: 'rename_page',
      effect: 'idempotent_write',
      input: { id: 12, title: 'New' },
      preview: { lines: ['Rename page 12', 'from Old to New'], isCut: false },
      approval: { status: 'approved' },
      outcome: 'landed',
      told: 'Renamed to New.',
      notes: [],
      failure: null,
      runId: 'run-1',
      callId: 'call-1',
    });
    expect(record.landed.map(({ target }) => target.uid)).toEqual([12]);
    expect(record.logs).toEqual([
      { level: 'info', message: 'renaming', fields: { at: '2026-01-01T00:00:00.000Z' } },
    ]);
    expect(host.content.record(WriteTarget.of('pages', 12))?.data).toEqual({ title: 'New' });
  });

  it('answers refused, unchanged and a text as the tool does', async () => {
    const host = createTestHost({ records });
    expect(await host.run(renamePage, { id: 99, title: 'New' })).toHaveRefused('no page 99');
    expect(await host.run(renamePage, { id: 12, title: 'Old' })).toBeUnchanged();
    const read = await host.run(readPage, { id: 12 });
    expect(read).toHaveAnswered('Old');
    expect(read).toMatchObject({ preview: null, approval: { status: 'not_asked' }, outcome: 'not_landed' });
    expect(read.callId).toBe('call-3');
  });

  it('refuses wrong arguments before anything runs, and names the field and not the value', async () => {
    let asked = 0;
    const approve = () => {
      asked += 1;
      return true;
    };
    const record = await runTool(renamePage, { id: 'secret', title: 7 }, { records, approve });
    expect(record).toHaveRefused(/field "id".*field "title"/u);
    expect(record.told).not.toContain('secret');
    expect(record).toMatchObject({ input: null, preview: null, outcome: 'not_landed' });
    expect(asked).toBe(0);
  });

  it('parses once: the approver sees and the tool gets what the schema made of the arguments', async () => {
    let seen: ApprovalRequest | undefined;
    const approve = (request: ApprovalRequest) => {
      seen = request;
      (request.input as { title: string }).title = 'Something else';
      return { approved: true, by: 'chief' };
    };
    const record = await runTool(renamePage, { id: 12 }, { records, approve });
    expect(seen?.preview.lines).toContain('from Old to Untitled');
    expect(record.input).toEqual({ id: 12, title: 'Untitled' });
    expect(record.told).toBe('Renamed to Untitled.');
    expect(record.approval).toEqual({ status: 'approved', by: 'chief', reason: null });
  });

  it('runs nothing when the call is declined', async () => {
    const host = createTestHost({
      records,
      approve: () => ({ approved: false, by: 'chief', reason: 'not today' }),
    });
    const record = await host.run(renamePage, { id: 12, title: 'New' });
    expect(record).toHaveRefused('declined and nothing was done: not today');
    expect(record.preview?.lines).toHaveLength(2);
    expect(record.approval.status).toBe('declined');
    expect(host.content.record(WriteTarget.of('pages', 12))?.data).toEqual({ title: 'Old' });
  });

  it('shows the class of an error that a preview throws and runs on', async () => {
    const broken = defineTool({
      ...renamePage,
      preview: () => {
        throw new RangeError('password=hunter2');
      },
    });
    const record = await runTool(broken, { id: 12, title: 'New' }, { records });
    expect(record.preview?.lines).toEqual(['The preview failed (RangeError).']);
    expect(record).toHaveWritten('pages', 12);
  });

  it('gives a preview and a reader no write method, whatever the content is', async () => {
    const methods: string[][] = [];
    const spy = defineTool({
      ...readPage,
      execute: (_input, { content }) => {
        methods.push(Object.keys(content));
        return ToolResult.text('x');
      },
    });
    const spyWriter = defineTool({
      ...renamePage,
      preview: (_input, { content }) => {
        methods.push(Object.keys(content));
        return [];
      },
    });
    const host = createTestHost({ records });
    await host.run(spy, { id: 1 });
    await host.run(spyWriter, { id: 12 });
    expect(methods).toEqual([
      ['read', 'find'],
      ['read', 'find'],
    ]);
  });

  it('keeps the write when a hook fails after it, and tells the note to the model', async () => {
    const content = new InMemoryContent({
      records,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
    content.hooks.afterWrite.push(function notifySession() {
      throw new TypeError('no session');
    });
    const record = await runTool(renamePage, { id: 12, title: 'New' }, { content });
    expect(record).toHaveWritten('pages', 12);
    expect(record.notes).toHaveLength(1);
    expect(record.told).toMatch(/^Renamed to New\.\n\n.*notifySession.*TypeError/u);
    expect(content.record(WriteTarget.of('pages', 12))?.data['title']).toBe('New');
  });

  it('logs of the content in memory are among the logs of the call when a hook fails', async () => {
    const host = createTestHost({ records });
    host.content.hooks.afterWrite.push(() => {
      throw new TypeError('no session');
    });
    const record = await host.run(renamePage, { id: 12, title: 'New' });
    expect(record.logs.some(({ level }) => level === 'error')).toBe(true);
    expect(host.logs).toEqual(record.logs);
  });

  it('names the record when the tool throws after its write', async () => {
    const tool = writer(async (_input, { content }) => {
      await content.create('pages', { title: 'x' });
      throw new TypeError('index is down');
    });
    const record = await runTool(tool, {});
    expect(record).toHaveWritten('pages', 1);
    expect(record).toHaveFailed('The call wrote pages:1, and a later step failed (TypeError)');
    expect(record.outcome).toBe('landed');
    expect(record.failure).toMatchObject({ kind: 'threw', error: { message: 'index is down' } });
  });

  it('does not know the outcome when the content system fails during the write', async () => {
    const host = createTestHost({ records });
    host.content.hooks.beforeWrite.push(() => {
      throw new Error('locked');
    });
    const record = await host.run(renamePage, { id: 12, title: 'New' });
    expect(record).toHaveUnknownOutcome();
    expect(record).toHaveFailed();
    expect(record).not.toHaveWritten();
  });

  it('ends a call whose deadline passes, aborts its signal, and does not know its outcome', async () => {
    const host = createTestHost();
    let signal: AbortSignal | undefined;
    const tool = writer((_input, context) => {
      signal = context.signal;
      expect(context.deadline.toISOString()).toBe('2026-01-01T00:00:30.000Z');
      host.clock.advance(30_000);
      return new Promise(() => undefined);
    });
    const record = await host.run(tool, {});
    expect(record).toHaveUnknownOutcome();
    expect(record.failure).toEqual({ kind: 'deadline' });
    expect(signal?.reason).toMatchObject({ name: 'TimeoutError' });
    expect(record.told).not.toMatch(/try again|retry/iu);
  });

  it('reports what landed late when the tool ends after its deadline', async () => {
    const host = createTestHost({ deadlineMs: 5 });
    let finish = (): void => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    const tool = writer(async (_input, { content }) => {
      const target = await content.create('pages', {});
      host.clock.advance(5);
      await held;
      return ToolResult.wrote(target, 'late');
    });
    const record = await host.run(tool, {});
    expect(record).toHaveUnknownOutcome();
    expect(record.told).toContain('Known to be written: pages:1.');
    finish();
    await held;
    await Promise.resolve();
    expect(host.logs.at(-1)).toMatchObject({ level: 'warn', fields: { landed: ['pages:1'] } });
  });

  it("prefers the tool's own timeout to the host's when the call names none", async () => {
    const host = createTestHost();
    const deadlines: string[] = [];
    const tool = defineTool({
      ...readPage,
      timeoutMs: 2_000,
      execute: (_input, { deadline }) => {
        deadlines.push(deadline.toISOString().slice(17));
        return ToolResult.text('x');
      },
    });
    await host.run(tool, { id: 1 });
    await host.run(tool, { id: 1 }, { deadlineMs: 1_000 });
    expect(deadlines).toEqual(['02.000Z', '01.000Z']);
  });

  it('does nothing when the call is cancelled while the approval is pending', async () => {
    const cancel = new AbortController();
    const host = createTestHost({ records });
    const record = await host.run(
      renamePage,
      { id: 12, title: 'New' },
      {
        signal: cancel.signal,
        approve: () => {
          cancel.abort();
          return new Promise(() => undefined);
        },
      },
    );
    expect(record).toHaveRefused('cancelled before it started');
    expect(record).toMatchObject({ outcome: 'not_landed', failure: { kind: 'cancelled' } });
    expect(host.content.record(WriteTarget.of('pages', 12))?.data).toEqual({ title: 'Old' });
  });

  it.each([
    ['writer-returns-target', writer(() => ToolResult.text('done') as never), 'found text'],
    ['answers-a-tool-result', writer(() => ({ content: 'done' }) as never), 'no factory of ToolResult'],
    [
      'reader-returns-no-target',
      defineTool({
        name: 'read',
        description: '',
        input: empty,
        execute: () => ToolResult.wrote(WriteTarget.of('pages', 1), 'x') as never,
      }),
      'found wrote',
    ],
    [
      'nothing-claimed-after-a-write',
      writer(async (_input, { content }) => {
        await content.create('pages', {});
        return ToolResult.unchanged('nothing to do');
      }),
      'found unchanged after writing pages:1',
    ],
    [
      'waits-for-its-writes',
      writer(async (_input, { content }) => {
        void content.create('pages', {});
        return ToolResult.wrote(WriteTarget.of('pages', 1), 'done');
      }),
      '1 write(s) had not settled',
    ],
  ])('fails clearly, with what happened, when a tool breaks %s', async (rule, tool, found) => {
    const failure = await runTool(tool, {}).then(
      () => null,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(ToolContractError);
    expect(failure).toMatchObject({ code: 'CONTRACT_VIOLATION', rule });
    const { message, record } = failure as ToolContractError;
    expect(message).toContain(`broke its contract (${rule}): expected `);
    expect(message).toContain(found);
    expect(record.failure).toMatchObject({ kind: 'contract_violation', rule });
  });

  it.each([
    [{ deadlineMs: 0 }, 'deadlineMs'],
    [{ deadlineMs: Number.POSITIVE_INFINITY }, 'deadlineMs'],
    [{ records, content: new InMemoryContent() }, 'either records or content'],
  ])('says what to do when the options are wrong (%#)', (options, text) => {
    expect(() => createTestHost(options)).toThrow(text);
    expect(() => createTestHost(options)).toThrow(expect.objectContaining({ code: 'INVALID_OPTIONS' }));
  });

  it('rejects what is no valid tool', async () => {
    const tool = { ...readPage, name: 'not a name' };
    await expect(runTool(tool, {})).rejects.toMatchObject({ code: 'INVALID_TOOL_DEFINITION' });
  });

  it('keeps calls apart when they run at the same time', async () => {
    const host = createTestHost();
    const tool = writer(async (_input, { content, callId }) =>
      ToolResult.wrote(await content.create('pages', { callId }), callId),
    );
    const done = await Promise.all([host.run(tool, {}), host.run(tool, {}), host.run(tool, {})]);
    expect(done.map(({ told, callId }) => told === callId)).toEqual([true, true, true]);
    expect(done.map(({ landed }) => landed.length)).toEqual([1, 1, 1]);
  });
});
