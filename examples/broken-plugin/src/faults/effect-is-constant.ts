import { ToolEffect, ToolResult, WriteTarget, defineTool } from '@toolwright/sdk';
import * as z from 'zod';

// FAULT effect-is-constant: what the tool does to the world is a property of its code, and here an
// administrator's setting decides. With the wrong value a write runs again after a crash as if it converged.
// RIGHT: write the literal. A tool that appends is ToolEffect.NON_IDEMPOTENT_WRITE, whatever anybody sets.

function configuredEffect(): any {
  return process.env['PAGES_COMMENT_EFFECT'] ?? ToolEffect.NON_IDEMPOTENT_WRITE;
}

export const commentPage = defineTool({
  name: 'comment_page',
  description: 'Adds a comment to a page.',
  effect: configuredEffect() as 'non_idempotent_write',
  input: z.object({ id: z.int().positive(), text: z.string().min(1) }),
  async execute({ id, text }, { content }) {
    const page = await content.read(WriteTarget.of('pages', id));
    if (page === null) {
      return ToolResult.refused(`There is no page ${String(id)}.`);
    }
    const comment = await content.create('comments', { page: id, text });
    return ToolResult.wrote(comment, 'The comment was added.');
  },
});
