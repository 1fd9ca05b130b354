import { ToolEffect, ToolResult, defineTool } from '@toolwright/sdk';
import * as z from 'zod';
import { blocksOf, pageTarget, readDraft, textOf } from './page-content.js';
import type { MayViewRecord } from './preview-viewers.js';
import { NO_PAGE_PREVIEW, noPage, unlessRefused } from './refusals.js';
import { pageId } from './site-arguments.js';

export const deletePage = (mayView: MayViewRecord) =>
  defineTool({
    name: 'delete_page',
    description: 'Deletes a page with all its languages and versions. It cannot be brought back.',
    effect: ToolEffect.IDEMPOTENT_WRITE,
    destructive: true,
    input: z.object({ id: pageId }),
    async preview({ id }, { content }) {
      const page = await readDraft(content, id);
      return page === null
        ? NO_PAGE_PREVIEW
        : [
            `Delete page ${id} with all its languages and versions`,
            `before: "${textOf(page, 'title')}", ${blocksOf(page).length} blocks`,
            'after:  gone, for good',
          ];
    },
    mayViewPreview: ({ id }, viewer) => mayView('pages', id, viewer),
    async execute({ id }, { content }) {
      if ((await readDraft(content, id)) === null) {
        return noPage();
      }
      const target = await unlessRefused(() => content.delete(pageTarget(id)));
      if (target === null) {
        return noPage();
      }
      return (await readDraft(content, id)) === null
        ? ToolResult.wrote(target, `Page ${id} is deleted.`)
        : ToolResult.error(`Page ${id} was deleted, and there is one with its id.`, { target });
    },
  });
