import { SdkError, ToolResult, WriteTarget, type Tool } from '@toolwright/sdk';
import { describe, expect, it } from 'vitest';
import type { CallEnding, WriteOutcome } from '../index.js';
import { CREATE, creator, expectStatus, gate, harness, kindsOf, only, reader } from './fixtures/harness.js';

const RETRY_ADVICE = /try again|retry|once more/iu;

async function ended(tool: Tool, script = CREATE) {
  const h = harness([script, 'Done.'], [tool]);
  const result = expectStatus(await h.run(), 'completed');
  const [step] = only(await h.steps(), 'tool');
  return { ...h, result, step: step!, told: h.told()! };
}

describe('the answer to "did it happen?"', () => {
  const target = WriteTarget.of('pages', 12);

  it.each<[string, Tool, WriteOutcome, CallEnding]>([
    ['a write', creator(() => ToolResult.wrote(target, 'ok')), 'landed', 'answered'],
    ['an error with a target', creator(() => ToolResult.error('x', { target })), 'landed', 'answered'],
    ['a refusal', creator(() => ToolResult.refused('no')), 'not_landed', 'answered'],
    ['unchanged', creator(() => ToolResult.unchanged('same')), 'not_landed', 'answered'],
    ['an error without a target', creator(() => ToolResult.error('x')), 'unknown', 'answered'],
    [
      'a throw',
      creator(() => {
        throw new Error('x');
      }),
      'unknown',
      'threw',
    ],
    [
      'a rejection with nothing',
      creator(() => {
        throw undefined;
      }),
      'unknown',
      'threw',
    ],
    [
      'a throw after a recorded write',
      creator(async (_, { content }) => {
        await content.create('pages', {});
        throw new Error('x');
      }),
      'landed',
      'threw',
    ],
    [
      'a throw after a write that failed on the way',
      creator(async (_, { content }) => {
        await content.create('pages', {});
        await content.update(WriteTarget.of('pages', 99), {}).catch(() => undefined);
        throw new Error('x');
      }),
      'unknown',
      'threw',
    ],
  ])('is right after %s', async (_what, tool, outcome, ending) => {
    const { step } = await ended(tool);
    expect([step.outcome, step.ending]).toEqual([outcome, ending]);
  });

  it('is none for a read, whatever happens to it', async () => {
    const throwing = reader(() => {
      throw new Error('x');
    });
    const { step, told } = await ended(throwing, { call: { tool: 'count_pages' } });
    expect(step).toMatchObject({ outcome: null, ending: 'threw' });
    expect(told).toContain('It is read-only, so nothing was written.');
  });

  it('says of an unknown outcome that the record must be read, and keeps what the tool said', async () => {
    const { told } = await ended(creator(() => ToolResult.error('The slug may be taken.')));
    expect(told).toContain('The outcome of this call is unknown');
    expect(told).toContain('Read the record before anything is written again.');
    expect(told).toContain('The slug may be taken.');
  });

  it.each([
    ['an error without a target', creator(() => ToolResult.error('Network down. Please try again later.'))],
    ['an error with a target', creator(() => ToolResult.error('Please retry the create.', { target }))],
    [
      'a throw',
      creator(() => {
        throw new SdkError('CONTENT_WRITE_FAILED', 'Deadlock found; try restarting, or try the call again');
      }),
    ],
  ])('never passes on advice to run the call once more after %s', async (_what, tool) => {
    const { told } = await ended(tool);
    expect(told).not.toMatch(RETRY_ADVICE);
  });

  it('names the record instead of the advice when the write has landed', async () => {
    const { told, step } = await ended(creator(() => ToolResult.error('Please retry.', { target })));
    expect(told).toContain('pages:12');
    expect(step.result.target).toEqual({ table: 'pages', uid: 12 });
  });

  it('names the records that are known to be written when the outcome is unknown', async () => {
    const tool = creator(async (_, { content }) => {
      await content.create('pages', {});
      await content.update(WriteTarget.of('pages', 99), {});
      return ToolResult.refused('never reached');
    });
    const { told, step } = await ended(tool);
    expect(step).toMatchObject({ outcome: 'unknown', landed: [{ table: 'pages', uid: 1 }] });
    expect(told).toContain('Known to be written: pages:1.');
  });
});

describe('a call that passes its deadline', () => {
  it('aborts the signal, and is unknown when the tool does not settle; the run goes on without it', async () => {
    const started = gate<AbortSignal>();
    const stuck = creator((_, { signal }) => {
      started.open(signal);
      return new Promise(() => undefined);
    });
    const h = harness([CREATE, 'Done.'], [stuck], { limits: { callTimeoutMs: 1000, callGraceMs: 50 } });
    const running = h.run();
    const signal = await started.opened;
    await h.pass(999);
    expect(signal.aborted).toBe(false);
    await h.pass(1);
    expect(signal.aborted).toBe(true);
    await h.pass(50);
    expectStatus(await running, 'completed');
    expect(only(await h.steps(), 'tool')[0]).toMatchObject({ outcome: 'unknown', ending: 'timed_out' });
    expect(h.told()).toContain('The outcome of this call is unknown');
  });

  it('counts with its own answer when the tool settles once the signal has aborted', async () => {
    const started = gate();
    const polite = creator(
      (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(ToolResult.refused('I stopped in time.')));
          started.open();
        }),
    );
    const h = harness([CREATE, 'Done.'], [polite], { limits: { callTimeoutMs: 1000 } });
    const running = h.run();
    await started.opened;
    await h.pass(1000);
    expectStatus(await running, 'completed');
    expect(only(await h.steps(), 'tool')[0]).toMatchObject({ outcome: 'not_landed', ending: 'answered' });
  });

  it('has the tool’s own timeout where the tool names one', async () => {
    const started = gate<Date>();
    const stuck = creator(
      (_, { deadline }) => {
        started.open(deadline);
        return new Promise(() => undefined);
      },
      { timeoutMs: 10 },
    );
    const h = harness([CREATE, 'Done.'], [stuck], { limits: { callTimeoutMs: 60_000, callGraceMs: 0 } });
    const running = h.run();
    expect((await started.opened).toISOString()).toBe('2026-01-01T00:00:00.010Z');
    await h.pass(10);
    await h.pass(5);
    expectStatus(await running, 'completed');
  });

  it('keeps what a tool did after the run had gone on, beside the run', async () => {
    const started = gate();
    const late = gate();
    const slow = creator(async ({ title }) => {
      started.open();
      await late.opened;
      return ToolResult.wrote(WriteTarget.of('pages', 44), title);
    });
    const h = harness([CREATE, 'Done.'], [slow], { limits: { callTimeoutMs: 5, callGraceMs: 5 } });
    const running = h.run();
    await started.opened;
    await h.pass(10);
    await h.pass(5);
    expectStatus(await running, 'completed');
    late.open();
    await new Promise(setImmediate);
    expect(h.store.lateEvidence('run-1')).toEqual([
      {
        callId: 'call_1',
        tool: 'create_page',
        cause: 'after_deadline',
        ending: 'answered',
        target: { table: 'pages', uid: 44 },
        landed: [],
      },
    ]);
    expect(only(await h.steps(), 'tool')[0]).toMatchObject({ outcome: 'unknown' });
    expect(h.logger.entries).toContainEqual(
      expect.objectContaining({ level: 'warn', message: expect.stringContaining('ended after') }),
    );
  });
});

describe('a tool that breaks its contract', () => {
  const target = WriteTarget.of('pages', 12);

  it.each<[string, Tool, string, object]>([
    [
      'a declared writer that answers text',
      creator(() => ToolResult.text('done', { artifacts: [{ type: 'x', data: 1 }] }) as never),
      'create_page',
      {
        outcome: 'unknown',
        breach: { rule: 'writer-returns-target', answer: { kind: 'text', content: 'done' } },
      },
    ],
    [
      'a reader that answers with a target',
      reader(() => ToolResult.wrote(target, 'done')),
      'count_pages',
      { outcome: 'landed', breach: { answer: { kind: 'wrote', target: { table: 'pages', uid: 12 } } } },
    ],
    [
      'a reader whose error has a target',
      reader(() => ToolResult.error('oh', { target })),
      'count_pages',
      { outcome: 'landed', result: { target: { table: 'pages', uid: 12 } } },
    ],
    [
      'an answer that is no result',
      creator(() => ({ kind: 'wrote', content: 'done', target }) as never),
      'create_page',
      { outcome: 'unknown', breach: { rule: 'answers-a-tool-result', answer: null } },
    ],
    [
      'a spread of a result',
      creator(() => ({ ...ToolResult.wrote(target, 'done') }) as never),
      'create_page',
      { outcome: 'unknown', breach: { answer: null } },
    ],
    ['nothing at all', creator(() => undefined as never), 'create_page', { outcome: 'unknown' }],
    [
      'text after a recorded write',
      creator(async (_, { content }) => {
        await content.create('pages', {});
        return ToolResult.text('done') as never;
      }),
      'create_page',
      { outcome: 'landed', result: { target: { table: 'pages', uid: 1 } } },
    ],
  ])('fails the run for good, with everything recorded: %s', async (_what, tool, name, expected) => {
    const h = harness([{ call: { tool: name } }, 'never reached'], [tool]);
    const failed = expectStatus(await h.run(), 'failed');
    expect(failed.failure).toMatchObject({
      detail: 'contract_violation',
      failureClass: 'unknown',
      isRetryable: false,
      callId: 'call_1',
    });
    expect(failed.error).toMatchObject({ code: 'CONTRACT_VIOLATION' });
    expect(h.model.requests).toHaveLength(1);
    const steps = await h.steps();
    expect(only(steps, 'tool')[0]).toMatchObject({ ending: 'broke_contract', ...expected });
    expect(kindsOf(steps).at(-1)).toBe('failure');
    expect((await h.store.read('run-1'))?.status).toBe('failed');
    const landed = (expected as { outcome: string }).outcome === 'landed';
    expect(only(steps, 'write_target')).toHaveLength(landed ? 1 : 0);
  });
});
