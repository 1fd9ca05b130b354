import { ToolEffect, ToolResult, WriteTarget, defineTool } from '@toolwright/sdk';
import * as z from 'zod';
import { PagesBinding } from '../pages-binding.js';

// FAULT raw-handler-stays-wrapped: the tool builds the raw handler by itself, because that was one import
// away. Nothing reads the write back now, and a hook that fails after it turns it into an error.
// RIGHT: write through context.content, and build the binding in the factory of safeContentHandler only.

export const touchPage = defineTool({
  name: 'touch_page',
  description: 'Sets the date of a page to today.',
  effect: ToolEffect.IDEMPOTENT_WRITE,
  input: z.object({ id: z.int().positive() }),
  async execute({ id }, { clock }) {
    const binding = new PagesBinding();
    const target = await binding.write({
      kind: 'update',
      target: WriteTarget.of('pages', id),
      data: { date: clock.now().toISOString().slice(0, 10) },
      options: {},
    });
    return ToolResult.wrote(target, `Page ${String(id)} has the date of today.`);
  },
});
