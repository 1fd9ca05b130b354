import { describe, expect, it } from 'vitest';
import { ToolResult, WriteTarget, defineTool, type Tool } from '@toolwright/sdk';
import * as z from 'zod';
import { kindsOf, only, stepsOf } from '../loop/fixtures/harness.js';
import { describeOnDatabases } from '../store/sql/fixtures/test-databases.js';
import type { RunRequest, ScriptedTurn } from '../index.js';
import { queueWorld, type QueueWorld } from './fixtures/queue-world.js';

const MILLION = 1_000_000;
/** Nothing repeats in it, so that no database makes it short. */
const LONG = Array.from({ length: 40_000 }, (_, index) =>
  ((index * 2_654_435_761) % 2 ** 32).toString(36),
).join('');
const ODD: readonly (readonly [string, string])[] = [
  ['a NUL', 'a\0b'],
  ['the first half of a surrogate pair', 'a\ud83db'],
  ['the second half of a surrogate pair', 'a\ude00b'],
  ['a line break', 'a\nb'],
  ['300,000 characters', LONG],
];

describeOnDatabases('bad input to the queue', (databases) => {
  /** Drives a run to its rest, twice over: a run that the first worker left behind is not at its end. */
  const driven = async (script: readonly ScriptedTurn[], tools?: readonly Tool[]) => {
    const world = await queueWorld(databases, script);
    const process = world.start(tools === undefined ? {} : { tools });
    await process.enqueue();
    await process.drain();
    const steps = await stepsOf(process.store);
    return { world, process, steps, kinds: kindsOf(steps) };
  };
  const expectRest = async (world: QueueWorld): Promise<void> => {
    expect(await world.row()).toMatchObject({ status: 'completed', epoch: 1, requeues: 0, owner: null });
    expect(await world.fences()).toEqual([]);
    await world.end();
  };

  describe('from a model', () => {
    it.each(ODD)(
      'in the id of a call (%s) gets it another id, and the write is stored once',
      async (_what, id) => {
        const { world, steps } = await driven([{ call: { tool: 'create', id } }, 'Done.']);
        const [step] = only(steps, 'tool');
        expect(step?.callId).toMatch(/^\w{1,210}$/);
        expect(world.effects).toEqual([{ tool: 'create', callId: step?.callId }]);
        expect(only(steps, 'write_target')).toMatchObject([{ callId: step?.callId, table: 'pages' }]);
        await expectRest(world);
      },
    );

    it('twice under one odd id are two calls, and the second is refused', async () => {
      const call = { tool: 'create', id: 'a\0b' };
      const { world, steps } = await driven([{ call: [call, call] }, 'Done.']);
      expect(world.effects).toHaveLength(1);
      expect(only(steps, 'denied')).toMatchObject([{ reason: 'duplicate_call_id' }]);
      await expectRest(world);
    });

    it.each(ODD)('as the name of a tool (%s) is answered as not offered', async (_what, tool) => {
      const { world, steps } = await driven([{ call: { tool } }, 'Done.']);
      expect(only(steps, 'denied')).toMatchObject([
        { reason: 'not_offered', effect: 'non_idempotent_write' },
      ]);
      await expectRest(world);
    });

    it.each([
      ['text that is no JSON', 'a\0b', 'arguments_not_json'],
      ['the wrong type', JSON.stringify({ n: 'a\0\ud83d' }), 'arguments_refused'],
      ['a million characters', JSON.stringify({ n: 'x'.repeat(MILLION) }), 'arguments_too_large'],
    ])('as arguments (%s) is refused, and nothing runs', async (_what, args, reason) => {
      const { world, steps } = await driven([{ call: { tool: 'create', arguments: args } }, 'Done.']);
      expect(only(steps, 'denied')).toMatchObject([{ reason, tool: 'create' }]);
      expect(world.effects).toEqual([]);
      await expectRest(world);
    });

    it.each(ODD)(
      'as arguments that a tool takes, and as its answer (%s), is stored as it came',
      async (_what, text) => {
        const taken: string[] = [];
        const tool = defineTool({
          name: 'create',
          description: 'Writes.',
          effect: 'non_idempotent_write',
          input: z.object({ title: z.string() }),
          execute: ({ title }) => {
            taken.push(title);
            return ToolResult.wrote(WriteTarget.of('pages', 1), title.slice(0, 10));
          },
        }) as Tool;
        const { world, steps } = await driven(
          [{ call: { tool: 'create', arguments: { title: text } } }, text],
          [tool],
        );
        expect(taken).toEqual([text]);
        expect(only(steps, 'tool')).toMatchObject([
          { result: { content: text.slice(0, 10) }, outcome: 'landed' },
        ]);
        await expectRest(world);
      },
    );
  });

  describe('from a host', () => {
    const start = (request: object): RunRequest => ({ actor: { id: 'anna' }, prompt: 'do it', ...request });

    it.each(
      ODD.slice(0, 4).flatMap(([what, text]) => [
        [`a run id with ${what}`, { runId: text }] as const,
        [`a correlation id with ${what}`, { correlationId: text }] as const,
        [`an actor with ${what}`, { actor: { id: text } }] as const,
      ]),
    )('%s is refused before anything is stored', async (_what, request) => {
      const world = await queueWorld(databases, ['Done.']);
      const { runtime } = world.start();
      for (const asked of [() => runtime.run(start(request)), () => runtime.enqueue(start(request))]) {
        await expect(asked()).rejects.toMatchObject({
          code: 'INVALID_CONFIGURATION',
          message: expect.stringContaining('free of control characters') as string,
        });
      }
      expect(await world.units.read({ sql: 'select id from runs', parameters: [] })).toEqual([]);
      await world.end();
    });

    it('a prompt of any characters is asked as it is', async () => {
      const world = await queueWorld(databases, ['Done.']);
      const process = world.start();
      const prompt = ODD.map(([, text]) => text).join(' ');
      expect(await process.runtime.run(start({ prompt }))).toMatchObject({ status: 'completed' });
      expect(only(await stepsOf(process.store), 'request')).toMatchObject([
        { messages: [{ content: prompt }] },
      ]);
      await world.end();
    });

    // PostgreSQL cannot even be asked for a NUL.
    it.each(ODD.slice(1))('a run that is asked for by an odd id (%s) is not found', async (_what, id) => {
      const world = await queueWorld(databases, ['Done.']);
      const { runtime } = world.start();
      await expect(runtime.resume(id)).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
      await expect(runtime.pauses(id)).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
      await expect(runtime.cancel(id)).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
      await world.end();
    });
  });
});
