import { ToolEffect, ToolResult, defineTool } from '@toolwright/sdk';
import * as z from 'zod';

/** A creating writer: a second call with the same arguments makes a second page. */
export const createPage = defineTool({
  name: 'create_page',
  description: 'Creates a page and answers its id.',
  effect: ToolEffect.NON_IDEMPOTENT_WRITE,
  destructive: false,
  input: z.object({
    title: z.string().trim().min(1).max(200),
    body: z.string().max(20_000).default(''),
  }),
  preview: ({ title, body }) => [
    `Create a page`,
    `title: ${title}`,
    `body:  ${String(body.length)} characters`,
  ],
  // The card shows no more of a draft than its title and its length.
  mayViewPreview: () => true,
  async execute({ title, body }, { content }) {
    const target = await content.create('pages', { title, body });
    return ToolResult.wrote(target, `Page ${String(target.uid)} was created.`);
  },
});
