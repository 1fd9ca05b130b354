import { ToolResult, defineTool } from '@toolwright/sdk';
import * as z from 'zod';
import { textOf } from './page-content.js';
import { title } from './site-arguments.js';

export const findPages = defineTool({
  name: 'find_pages',
  description: 'Finds pages by their exact English title, or lists the first 20 pages.',
  input: z.object({ title: title.optional() }),
  async execute({ title: wanted }, { content }) {
    const pages = await content.find('pages', {
      ...(wanted === undefined ? {} : { where: { title: wanted } }),
      limit: 20,
      options: { draft: true, locale: 'en' },
    });
    return ToolResult.text(
      JSON.stringify(pages.map(({ target, data }) => ({ id: target.uid, title: textOf(data, 'title') }))),
    );
  },
});
