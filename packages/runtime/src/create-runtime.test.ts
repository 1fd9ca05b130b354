import { ToolResult, WriteTarget, defineTool } from '@toolwright/sdk';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createRuntime, scriptedModel } from './index.js';

describe('run', () => {
  it('goes through the loop', async () => {
    const rename = defineTool({
      name: 'rename_page',
      description: 'Renames a page.',
      effect: 'idempotent_write',
      input: z.object({ uid: z.number(), title: z.string().trim() }),
      preview: ({ uid, title }) => [`Rename page ${uid} to "${title}"`],
      mayViewPreview: () => true,
      execute: ({ uid, title }) => ToolResult.wrote(WriteTarget.of('pages', uid), `Renamed to ${title}.`),
    });
    const model = scriptedModel([
      { call: { tool: 'rename_page', arguments: { uid: 12, title: ' Home ' } } },
      'Done.',
    ]);
    const runtime = createRuntime({ model, tools: [rename] });
    const paused = await runtime.run({ actor: { id: 'anna' }, prompt: 'Rename page 12' });
    expect(paused.status).toBe('paused');
    if (paused.status !== 'paused') return;
    const [pause] = paused.pauses;
    const card = await runtime.card(pause!, { id: 'ben' });
    expect(card.preview?.lines).toEqual(['Rename page 12 to "Home"']);
    await runtime.approve(pause!, { id: 'ben' });
    const done = await runtime.resume(paused.runId);
    expect(done).toMatchObject({
      status: 'completed',
      answer: 'Done.',
      writes: [{ outcome: 'landed', target: { table: 'pages', uid: 12 } }],
    });
    const trace = await runtime.trace(paused.runId);
    expect(trace.map(({ kind }) => kind)).toEqual([
      'request',
      'model',
      'approval',
      'approval',
      'tool',
      'write_target',
      'model',
    ]);
  });
});
