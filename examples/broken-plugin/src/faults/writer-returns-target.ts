import { ToolEffect, ToolResult, WriteTarget, defineTool } from '@toolwright/sdk';
import * as z from 'zod';

// FAULT writer-returns-target: the page is archived, and the answer does not say which one.
// The compiler would refuse a text as the answer of a writer; the `any` of this small function hides it.
// RIGHT: return ToolResult.wrote(target, 'Archived.') with the target that content.update() answers.

function done(message: string): any {
  return ToolResult.text(message);
}

export const archivePage = defineTool({
  name: 'archive_page',
  description: 'Takes a page out of the menu.',
  effect: ToolEffect.IDEMPOTENT_WRITE,
  input: z.object({ id: z.int().positive() }),
  async execute({ id }, { content }) {
    const page = await content.read(WriteTarget.of('pages', id));
    if (page === null) {
      return ToolResult.refused(`There is no page ${String(id)}.`);
    }
    await content.update(page.target, { archived: true });
    return done(`Archived page ${String(id)}.`);
  },
});
