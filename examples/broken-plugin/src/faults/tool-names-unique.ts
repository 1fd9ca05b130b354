import { ToolEffect, ToolResult, WriteTarget, defineTool } from '@toolwright/sdk';
import * as z from 'zod';

// FAULT tool-names-unique: the second tool began as a copy of the first, and kept its name. A model that
// calls `publish_page` cannot know which of the two runs, and neither can a person who approves it.
// RIGHT: call the second one `unpublish_page`.

export const publishPage = defineTool({
  name: 'publish_page',
  description: 'Shows a page to visitors.',
  effect: ToolEffect.IDEMPOTENT_WRITE,
  input: z.object({ id: z.int().positive() }),
  async execute({ id }, { content }) {
    const target = await content.update(WriteTarget.of('pages', id), { published: true });
    return ToolResult.wrote(target, `Page ${String(id)} is public.`);
  },
});

export const unpublishPage = defineTool({
  name: 'publish_page',
  description: 'Hides a page from visitors.',
  effect: ToolEffect.IDEMPOTENT_WRITE,
  input: z.object({ id: z.int().positive() }),
  async execute({ id }, { content }) {
    const target = await content.update(WriteTarget.of('pages', id), { published: false });
    return ToolResult.wrote(target, `Page ${String(id)} is hidden.`);
  },
});
