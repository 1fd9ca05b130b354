import { ToolEffect, ToolResult, WriteTarget, defineTool } from '@toolwright/sdk';
import * as z from 'zod';

/** An idempotent writer: a second call with the same arguments finds the title as the first one left it. */
export const renamePage = defineTool({
  name: 'rename_page',
  description: 'Gives a page another title.',
  effect: ToolEffect.IDEMPOTENT_WRITE,
  destructive: true,
  input: z.object({
    id: z.int().positive().describe('The id of the page.'),
    title: z.string().trim().min(1).max(200).describe('The new title.'),
  }),
  async preview({ id, title }, { content }) {
    const page = await content.read(WriteTarget.of('pages', id));
    return page === null
      ? [`Page ${String(id)} does not exist: the call would be refused.`]
      : [`Rename page ${String(id)}`, `from: ${String(page.data['title'])}`, `to:   ${title}`];
  },
  // Titles of pages are public.
  mayViewPreview: () => true,
  async execute({ id, title }, { content }) {
    const page = await content.read(WriteTarget.of('pages', id));
    if (page === null) {
      return ToolResult.refused(`There is no page ${String(id)}.`);
    }
    if (page.data['title'] === title) {
      return ToolResult.unchanged(`Page ${String(id)} has that title already.`);
    }
    const target = await content.update(page.target, { title });
    return ToolResult.wrote(target, `Page ${String(id)} is now called "${title}".`);
  },
});
