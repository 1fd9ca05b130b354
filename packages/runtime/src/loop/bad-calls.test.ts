import { ToolResult, WriteTarget } from '@toolwright/sdk';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { createRuntime, neverPause, type ModelTurn, type ScriptedCall } from '../index.js';
import { ACTOR, creator, expectStatus, harness, kindsOf, only, reader, renamer } from './fixtures/harness.js';

const target = WriteTarget.of('pages', 12);

async function answered(
  call: ScriptedCall | readonly ScriptedCall[],
  tools = [creator(), renamer(), reader()],
) {
  const h = harness([{ call }, 'Done.'], tools);
  expectStatus(await h.run(), 'completed');
  return { ...h, denied: only(await h.steps(), 'denied'), ran: only(await h.steps(), 'tool') };
}

describe('a call that cannot run', () => {
  it('is answered as not offered when its name is unknown, with the strictest effect', async () => {
    const { denied, told } = await answered({ tool: 'delete_everything', arguments: { yes: true } });
    expect(denied).toEqual([
      expect.objectContaining({
        reason: 'not_offered',
        tool: 'delete_everything',
        effect: 'non_idempotent_write',
      }),
    ]);
    expect(told()).toContain('there is no such tool');
  });

  it.each([
    ['no JSON', '{"title": ', 'arguments_not_json'],
    ['two values', '{} {}', 'arguments_not_json'],
    ['a list', '[1]', 'arguments_refused'],
    ['null', 'null', 'arguments_refused'],
    ['of the wrong type', '{"title": 7}', 'arguments_refused'],
    ['a million characters', JSON.stringify({ title: 'x'.repeat(1_000_000) }), 'arguments_too_large'],
    ['nested without end', `${'{"title":'.repeat(20_000)}1${'}'.repeat(20_000)}`, 'arguments_refused'],
  ])('is refused when its arguments are %s', async (_what, text, reason) => {
    const { denied, ran, told, model } = await answered({ tool: 'create_page', arguments: text });
    expect(denied).toEqual([expect.objectContaining({ reason, tool: 'create_page' })]);
    expect(ran).toEqual([]);
    expect(told()).toMatch(/nothing was done/u);
    expect(told()!.length).toBeLessThan(500);
    const sent = JSON.stringify(model.requests.at(-1)!.messages);
    expect(sent.length).toBeLessThan(10_000);
    const calls = model.requests.at(-1)!.messages.flatMap((m) => (m.role === 'assistant' ? m.calls : []));
    expect(calls.map((call) => typeof JSON.parse(call.arguments))).toEqual(['object']);
  });

  it('names the field at fault and never its value', async () => {
    const { told } = await answered({ tool: 'rename_page', arguments: { uid: 'sk-secret', title: 'x' } });
    expect(told()).toContain('"uid"');
    expect(told()).not.toContain('sk-secret');
  });

  it('keeps only the beginning of refused arguments in the trace', async () => {
    const { steps } = await answered({ tool: 'create_page', arguments: `"${'x'.repeat(1_000_000)}` });
    expect(JSON.stringify(await steps()).length).toBeLessThan(10_000);
  });

  it('is refused when its id was used before, in the same turn or an earlier one', async () => {
    const execute = vi.fn(() => ToolResult.wrote(target, 'ok'));
    const call = (title: string) => ({ tool: 'create_page', id: 'same', arguments: { title } });
    const h = harness([{ call: [call('A'), call('B')] }, { call: call('C') }, 'Done.'], [creator(execute)]);
    expectStatus(await h.run(), 'completed');
    expect(execute).toHaveBeenCalledOnce();
    const steps = await h.steps();
    expect(only(steps, 'denied').map(({ callId, reason }) => [callId, reason])).toEqual([
      ['same_2', 'duplicate_call_id'],
      ['same_3', 'duplicate_call_id'],
    ]);
    const ids = h.model.requests.at(-1)!.messages.flatMap((m) => (m.role === 'tool' ? [m.callId] : []));
    expect(ids).toEqual(['same', 'same_2', 'same_3']);
  });

  it('does not take the id of another call of its turn when it needs a new one', async () => {
    const call = (id: string) => ({ tool: 'count_pages', id });
    const { ran, denied } = await answered([call('a'), call('a'), call('a_2')]);
    expect(ran.map(({ callId }) => callId)).toEqual(['a', 'a_2']);
    expect(denied.map(({ callId }) => callId)).toEqual(['a_3']);
  });

  it('is refused when it is one too many in its turn', async () => {
    const call = Array.from({ length: 40 }, () => ({ tool: 'count_pages' }));
    const { ran, denied } = await answered(call);
    expect([ran.length, denied.length]).toEqual([32, 8]);
    expect(denied[0]).toMatchObject({ reason: 'too_many_calls' });
  });

  it.each([
    ['a Date', z.object({ at: z.string().transform((text) => new Date(text)) }), { at: '2026-01-01' }],
    ['a BigInt', z.object({ at: z.string().transform((text) => BigInt(text)) }), { at: '7' }],
  ])('is refused when its schema makes %s, which cannot be stored', async (_what, input, args) => {
    const { denied, told } = await answered({ tool: 'count_pages', arguments: args }, [
      reader(undefined, { input }),
    ]);
    expect(denied[0]).toMatchObject({ reason: 'arguments_not_storable' });
    expect(told()).toContain('$.at');
  });

  it('is refused when its schema throws, with the class alone', async () => {
    const input = z.object({
      title: z.string().refine(() => {
        throw new RangeError('secret of the schema');
      }),
    });
    const { denied, told } = await answered({ tool: 'create_page', arguments: { title: 'x' } }, [
      creator(undefined, { input }),
    ]);
    expect(denied[0]).toMatchObject({ reason: 'schema_failed' });
    expect(told()).toContain('RangeError');
    expect(told()).not.toContain('secret');
  });

  it('is refused when its schema does not answer in time', async () => {
    const input = z.object({ title: z.string().refine(() => new Promise<boolean>(() => undefined)) });
    const h = harness(
      [{ call: { tool: 'create_page', arguments: { title: 'x' } } }, 'Done.'],
      [creator(undefined, { input })],
      { limits: { callTimeoutMs: 30 } },
    );
    const running = h.run();
    await h.pass(30);
    expectStatus(await running, 'completed');
    expect(only(await h.steps(), 'denied')[0]).toMatchObject({ reason: 'schema_failed' });
  });

  it('does not keep the other calls of its turn from running', async () => {
    const { steps } = await answered([
      { tool: 'nope' },
      { tool: 'count_pages' },
      { tool: 'rename_page', arguments: '{' },
      { tool: 'rename_page', arguments: { uid: 12, title: 'B' } },
    ]);
    expect(kindsOf(await steps())).toEqual([
      'request',
      'model',
      'approval:waived',
      'denied',
      'tool',
      'denied',
      'tool',
      'write_target',
      'model',
    ]);
  });

  it('is answered when the content system cannot be opened, and nothing has run', async () => {
    const execute = vi.fn(() => ToolResult.wrote(target, 'ok'));
    const content = {
      open: () => {
        throw new TypeError('no connection to secret-host');
      },
    };
    const h = harness([{ call: { tool: 'create_page' } }, 'Done.'], [creator(execute)], { content });
    expectStatus(await h.run(), 'completed');
    expect(execute).not.toHaveBeenCalled();
    expect(only(await h.steps(), 'denied')[0]).toMatchObject({ reason: 'content_unavailable' });
    expect(h.told()).toContain('TypeError');
    expect(h.told()).not.toContain('secret-host');
  });
});

describe('a model that answers with what is no turn', () => {
  it.each<[string, unknown, string[]]>([
    ['nothing', undefined, ['request', 'model']],
    ['calls that are no list', { content: 'x', calls: {} }, ['request', 'model']],
    [
      'calls without fields',
      { calls: [null, {}, { id: 1, name: 2, arguments: 3 }] },
      ['request', 'model', 'denied', 'denied', 'denied', 'model'],
    ],
    [
      'arguments as an object',
      { calls: [{ id: 'a', name: 'count_pages', arguments: {} }] },
      ['request', 'model', 'tool', 'model'],
    ],
    [
      'a name that no tool can have',
      { calls: [{ id: 'a', name: 'drop table;\n', arguments: '{}' }] },
      ['request', 'model', 'denied', 'model'],
    ],
  ])('gets an answer for each call when it sends %s', async (_what, first, kinds) => {
    const requests: { messages: readonly unknown[] }[] = [];
    const turns: unknown[] = [first, { content: 'Done.', calls: [], finish: 'stop' }];
    const runtime = createRuntime({
      model: {
        respond: (request) => {
          requests.push(request);
          return Promise.resolve(turns.shift() as ModelTurn);
        },
      },
      tools: [reader()],
      policy: neverPause,
    });
    const result = expectStatus(await runtime.run({ actor: ACTOR, prompt: 'x' }), 'completed');
    expect(kindsOf(await runtime.trace(result.runId))).toEqual(kinds);
    for (const message of requests.at(-1)!.messages as { calls?: { name: string }[] }[]) {
      expect(message.calls?.every(({ name }) => /^[\w-]{1,64}$/u.test(name)) ?? true).toBe(true);
    }
  });
});
