import { ToolResult, WriteTarget, defineTool, type TextResult } from '@toolwright/sdk';
import * as z from 'zod';

// FAULT reader-returns-no-target: a tool that declares no effect is read-only, and this one answers that it
// wrote. The author wanted the page's name beside the answer, and cast the compiler's objection away.
// RIGHT: return ToolResult.text(…), with the page as an artifact.

export const describePage = defineTool({
  name: 'describe_page',
  description: 'Says what a page is about.',
  input: z.object({ id: z.int().positive() }),
  async execute({ id }, { content }) {
    const page = await content.read(WriteTarget.of('pages', id));
    if (page === null) {
      return ToolResult.refused(`There is no page ${String(id)}.`);
    }
    const description = `Page ${String(id)} is called "${String(page.data['title'])}".`;
    return ToolResult.wrote(page.target, description) as unknown as TextResult;
  },
});
