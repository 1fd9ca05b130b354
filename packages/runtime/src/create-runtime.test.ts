import { ToolResult, WriteTarget, defineTool } from '@toolwright/sdk';
import { InMemoryContent } from '@toolwright/sdk/testing';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createRuntime, scriptedModel, type RuntimeOptions } from './index.js';

describe('createRuntime', () => {
  it('reads well in twenty lines', async () => {
    const renamePage = defineTool({
      name: 'rename_page',
      description: 'Renames a page.',
      effect: 'idempotent_write',
      input: z.object({ uid: z.number().int(), title: z.string().min(1) }),
      preview: ({ uid, title }) => [`Rename page ${uid} to "${title}"`],
      mayViewPreview: (_input, viewer) => viewer.id === 'ben',
      execute: async ({ uid, title }, { content }) =>
        ToolResult.wrote(
          await content.update(WriteTarget.of('pages', uid), { title }),
          `Renamed to "${title}".`,
        ),
    });
    const model = scriptedModel([
      { call: { tool: 'rename_page', arguments: { uid: 12, title: 'Home' } } },
      'The page is renamed.',
    ]);
    const content = new InMemoryContent({ records: { pages: { 12: { title: 'Old' } } } });
    const runtime = createRuntime({ model, content, tools: [renamePage] });

    let result = await runtime.run({ actor: { id: 'anna' }, prompt: 'Call page 12 "Home".' });
    while (result.status === 'paused') {
      for (const pause of result.pauses) {
        const card = await runtime.card(pause, { id: 'ben' });
        expect(card.preview?.lines).toEqual(['Rename page 12 to "Home"']);
        await runtime.approve(pause, { id: 'ben' });
      }
      result = await runtime.resume(result.runId);
    }
    expect(result).toMatchObject({
      status: 'completed',
      answer: 'The page is renamed.',
      writes: [{ tool: 'rename_page', outcome: 'landed', target: { table: 'pages', uid: 12 } }],
    });
    expect(content.record(WriteTarget.of('pages', 12))?.data).toEqual({ title: 'Home' });
  });

  it.each<[string, Partial<Record<keyof RuntimeOptions, unknown>>, string]>([
    ['no model', { model: undefined }, 'model'],
    ['a model without a method', { model: {} }, 'respond'],
    ['a content handler that is none', { content: () => undefined }, 'open'],
    ['a policy that is none', { policy: 'always' }, 'decide'],
    ['a store that lacks a method', { store: { create: () => undefined } }, 'read'],
    ['a limit of zero', { limits: { maxRounds: 0 } }, 'limits.maxRounds'],
    ['a limit that is no number', { limits: { callTimeoutMs: '5' } }, 'limits.callTimeoutMs'],
    ['a limit beyond what a timer takes', { limits: { callTimeoutMs: 2 ** 31 } }, 'limits.callTimeoutMs'],
  ])('refuses %s and names it', (_what, options, named) => {
    const all = { model: scriptedModel([]), ...options } as unknown as RuntimeOptions;
    expect(() => createRuntime(all)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIGURATION', message: expect.stringContaining(named) }),
    );
  });

  it.each([
    ['no actor', { prompt: 'x' }, 'actor'],
    ['an actor without an id', { prompt: 'x', actor: { id: '' } }, 'actor'],
    ['no prompt', { actor: { id: 'a' } }, 'prompt'],
    ['an empty prompt', { actor: { id: 'a' }, prompt: ' ' }, 'prompt'],
    ['an empty run id', { actor: { id: 'a' }, prompt: 'x', runId: '' }, 'runId'],
  ])('refuses a run with %s', async (_what, request, named) => {
    const runtime = createRuntime({ model: scriptedModel(['x']) });
    await expect(runtime.run(request as never)).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringContaining(named),
    });
  });

  it('tells the model system text, history and prompt in that order, and which tools there are', async () => {
    const model = scriptedModel(['x']);
    const runtime = createRuntime({ model });
    await runtime.run({
      actor: { id: 'a' },
      prompt: 'now',
      system: 'be brief',
      history: [
        { role: 'user', content: 'before' },
        { role: 'assistant', content: 'yes', calls: [] },
      ],
      correlationId: 'corr-9',
    });
    expect(model.requests[0]).toMatchObject({ correlationId: 'corr-9', tools: [] });
    expect(model.requests[0]!.messages.map(({ content }) => content)).toEqual([
      'be brief',
      'before',
      'yes',
      'now',
    ]);
  });

  it('says what to configure when a tool reaches for content and there is none', async () => {
    const read = defineTool({
      name: 'read',
      description: '',
      input: z.object({}),
      execute: async (_input, { content }) => ToolResult.text(JSON.stringify(await content.find('pages'))),
    });
    const model = scriptedModel([{ call: { tool: 'read' } }, 'x']);
    await createRuntime({ model, tools: [read], logger: silent }).run({ actor: { id: 'a' }, prompt: 'x' });
    expect(JSON.stringify(model.requests.at(-1))).toContain('Pass `content: safeContentHandler');
  });
});

const quiet = (): void => undefined;
const silent = { debug: quiet, info: quiet, warn: quiet, error: quiet };
