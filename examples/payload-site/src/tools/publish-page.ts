import { ToolEffect, ToolResult, defineTool, type ContentReader } from '@toolwright/sdk';
import * as z from 'zod';
import { pageTarget, readDraft, textOf } from './page-content.js';
import type { MayViewRecord } from './preview-viewers.js';
import { NO_PAGE_PREVIEW, noPage, unlessRefused } from './refusals.js';
import { pageId } from './site-arguments.js';

export const publishPage = (mayView: MayViewRecord) =>
  defineTool({
    name: 'publish_page',
    description: 'Publishes the latest draft of a page, so that everybody sees it.',
    effect: ToolEffect.IDEMPOTENT_WRITE,
    // It replaces what everybody sees.
    destructive: true,
    input: z.object({ id: pageId }),
    async preview({ id }, { content }) {
      const draft = await readDraft(content, id);
      if (draft === null) {
        return NO_PAGE_PREVIEW;
      }
      const before = await publishedTitle(content, id);
      return [
        `Publish page ${id}`,
        before === null ? 'everybody sees before: nothing' : `everybody sees before: ${before}`,
        `everybody sees after:  ${textOf(draft, 'title')}`,
      ];
    },
    mayViewPreview: ({ id }, viewer) => mayView('pages', id, viewer),
    async execute({ id }, { content }) {
      const draft = await readDraft(content, id);
      if (draft === null) {
        return noPage();
      }
      if (draft['_status'] === 'published') {
        return ToolResult.unchanged(`Page ${id} is published as it is.`);
      }
      const target = await unlessRefused(() => content.update(pageTarget(id), { _status: 'published' }));
      if (target === null) {
        return noPage();
      }
      return (await publishedTitle(content, id)) === textOf(draft, 'title')
        ? ToolResult.wrote(target, `Page ${id} is published.`)
        : ToolResult.error(`Page ${id} was written, and is not published as it was drafted.`, { target });
    },
  });

/** The title that everybody sees; null while nothing is published. */
async function publishedTitle(content: ContentReader, id: number): Promise<string | null> {
  const page = await content.read(pageTarget(id), { locale: 'en', fallbackLocale: false });
  return page?.data['_status'] === 'published' ? textOf(page.data, 'title') : null;
}
