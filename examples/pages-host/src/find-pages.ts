import { ToolResult, defineTool } from '@toolwright/sdk';
import * as z from 'zod';

/** A tool of the host's own, beside those of its plugins. */
export const findPages = defineTool({
  name: 'find_pages',
  description: 'Finds the pages with a title and answers their ids.',
  input: z.object({ title: z.string().trim().min(1).max(200) }),
  async execute({ title }, { content }) {
    const pages = await content.find('pages', { where: { title }, limit: 20 });
    return pages.length === 0
      ? ToolResult.text('There is no page with that title.')
      : ToolResult.text(`Pages with that title: ${pages.map(({ target }) => String(target.uid)).join(', ')}`);
  },
});
