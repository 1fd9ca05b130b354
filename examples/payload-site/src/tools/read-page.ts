import { ToolResult, defineTool } from '@toolwright/sdk';
import * as z from 'zod';
import { blockLine, blocksOf, readDraft, textOf } from './page-content.js';
import { noPage } from './refusals.js';
import { locale, pageId } from './site-arguments.js';

export const readPage = defineTool({
  name: 'read_page',
  description:
    'Reads the latest draft of a page: title, description, status and blocks. Use it before you change one.',
  input: z.object({ id: pageId, locale: locale.default('en') }),
  async execute({ id, locale: language }, { content }) {
    const page = await readDraft(content, id, language);
    if (page === null) {
      return noPage();
    }
    return ToolResult.text(
      JSON.stringify({
        id,
        locale: language,
        status: page['_status'],
        title: textOf(page, 'title'),
        description: textOf(page, 'description'),
        blocks: blocksOf(page).map(blockLine),
      }),
    );
  },
});
