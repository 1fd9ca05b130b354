import { ToolResult, WriteTarget, defineTool, type Tool } from '@toolwright/sdk';
import { createRecordingLogger, createTestClock } from '@toolwright/sdk/testing';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { createRuntime, type Plugin } from '../index.js';
import { transcriptModel } from '../queue/fixtures/queue-world.js';
import { only } from '../loop/fixtures/harness.js';
import { clocked } from '../store/sql/fixtures/clocked-dialect.js';
import { describeOnDatabases } from '../store/sql/fixtures/test-databases.js';
import { SqlRunStore } from '../store/sql/sql-run-store.js';

const OLD = z.object({ title: z.string() });
const CREATE = { call: { tool: 'create_page', arguments: { title: 'News' } } };

describeOnDatabases('a run that an older host left', (databases) => {
  async function world() {
    const { units, dialect } = await databases.take();
    const clock = createTestClock();
    const effects: unknown[] = [];
    const tool = (input: z.ZodObject, isIdempotent = false): Tool => {
      const shared = {
        name: 'create_page',
        description: 'Creates a page.',
        input,
        preview: () => ['Create'],
        mayViewPreview: () => true,
        execute: (given: unknown) => {
          effects.push(given);
          return ToolResult.wrote(WriteTarget.of('pages', effects.length), 'Created.');
        },
      };
      return isIdempotent
        ? defineTool({ ...shared, effect: 'idempotent_write' })
        : defineTool({ ...shared, effect: 'non_idempotent_write' });
    };
    const host = (plugins: readonly Plugin[]) => {
      const time = createTestClock(clock.now());
      const store = new SqlRunStore({
        runner: units,
        dialect: clocked(dialect, clock),
        encryption: 'none',
        time,
        clock: { elapsedMs: () => time.now().getTime() },
        logger: createRecordingLogger(),
      });
      const model = transcriptModel([CREATE, 'Done.']);
      const logger = createRecordingLogger();
      const runtime = createRuntime({ model, plugins, store, logger, time, newId: () => 'run-1' });
      return { store, runtime };
    };
    return { clock, effects, tool, host, old: host([{ name: 'pages', version: '1', tools: [tool(OLD)] }]) };
  }
  const pages = (version: string, ...tools: readonly Tool[]): readonly Plugin[] => [
    { name: 'pages', version, tools },
  ];

  it.each<
    [string, (tool: (input: z.ZodObject, isIdempotent?: boolean) => Tool) => readonly Plugin[], string]
  >([
    ['its tool is gone', () => [], 'not_offered'],
    [
      'its arguments would not parse any more',
      (tool) => pages('1', tool(z.object({ title: z.number() }))),
      'tool_changed',
    ],
    ['its plugin has another version', (tool) => pages('2', tool(OLD)), 'tool_changed'],
    ['its tool declares another effect', (tool) => pages('1', tool(OLD, true)), 'tool_changed'],
  ])('does not run the approved call, says why, and goes on, when %s', async (_what, plugins, reason) => {
    const { old, host, tool, effects } = await world();
    const paused = await old.runtime.run({ actor: { id: 'anna' }, prompt: 'x' });
    const pause = (paused.status === 'paused' ? paused.pauses : [])[0]!;
    await old.runtime.approve(pause, { id: 'ben' });

    const { runtime, store } = host(plugins(tool));
    const result = await runtime.resume('run-1');
    expect(result).toMatchObject({ status: 'completed', writes: [] });
    expect(effects).toEqual([]);
    const steps = (await store.read('run-1'))?.steps ?? [];
    expect(only(steps, 'denied')).toMatchObject([
      { reason, tool: 'create_page', effect: 'non_idempotent_write' },
    ]);
    expect(only(steps, 'denied')[0]?.answer).toContain('nothing was done');
  });

  it('withholds the preview of a tool that is gone, whoever asks, and says what the call was', async () => {
    const { old, host } = await world();
    const paused = await old.runtime.run({ actor: { id: 'anna' }, prompt: 'x' });
    const pause = (paused.status === 'paused' ? paused.pauses : [])[0]!;
    const { runtime } = host([]);
    expect(await runtime.card(pause, { id: 'ben' })).toMatchObject({
      tool: 'create_page',
      preview: null,
      input: null,
    });
    const trace = JSON.stringify(await runtime.trace('run-1', { id: 'ben' }));
    expect(trace).not.toContain('News');
  });

  it.each<[string, 'idempotent_write' | 'non_idempotent_write']>([
    ['whatever it declared', 'idempotent_write'],
    ['and it wrote anew each time', 'non_idempotent_write'],
  ])('is buried when a write of a vanished tool stands open, %s', async (_what, effect) => {
    const { old, host, clock } = await world();
    await old.runtime.enqueue({ actor: { id: 'anna' }, prompt: 'x' });
    const gone = (await old.store.claimQueued('run-1'))!;
    const until = new Date(clock.now().getTime() + 1_000);
    await gone.beforeWrite({ callId: 'c', tool: 'create_page', effect, until });
    gone.close?.();
    clock.advance(300_000);
    const { runtime } = host([]);
    await runtime.reap();
    expect(await runtime.operations.find('run-1')).toMatchObject({
      status: 'failed',
      deadLetter: { reason: 'not_retryable', detail: 'write_interrupted' },
      openWrite: { tool: 'create_page', effect },
    });
  });
});
