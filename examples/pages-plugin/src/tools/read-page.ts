import { ToolResult, WriteTarget, defineTool } from '@toolwright/sdk';
import * as z from 'zod';

/** A reader: it declares no effect, and its context has no write method. */
export const readPage = defineTool({
  name: 'read_page',
  description: 'Reads the title and the body of a page. Use it before a page is changed.',
  input: z.object({ id: z.int().positive().describe('The id of the page.') }),
  async execute({ id }, { content }) {
    const page = await content.read(WriteTarget.of('pages', id));
    if (page === null) {
      return ToolResult.refused(`There is no page ${String(id)}.`);
    }
    return ToolResult.text(JSON.stringify({ id, ...page.data }));
  },
});
