import { ToolEffect, ToolResult, defineTool } from '@toolwright/sdk';
import * as z from 'zod';
import { pageTarget, readDraft, textOf } from './page-content.js';
import type { MayViewRecord } from './preview-viewers.js';
import { NO_PAGE_PREVIEW, noPage, unlessRefused } from './refusals.js';
import { description, locale, pageId, title } from './site-arguments.js';

export const updatePageMetadata = (mayView: MayViewRecord) =>
  defineTool({
    name: 'update_page_metadata',
    description: 'Writes title and description of a page as a draft, in one language. Nothing is published.',
    effect: ToolEffect.IDEMPOTENT_WRITE,
    destructive: false,
    input: z.object({ id: pageId, locale: locale.default('en'), title, description }),
    async preview(input, { content }) {
      const page = await readDraft(content, input.id, input.locale);
      return page === null
        ? NO_PAGE_PREVIEW
        : [
            `Draft of page ${input.id}, ${input.locale}`,
            `title before: ${textOf(page, 'title')}`,
            `title after:  ${input.title}`,
            `description before: ${textOf(page, 'description')}`,
            `description after:  ${input.description}`,
          ];
    },
    mayViewPreview: ({ id }, viewer) => mayView('pages', id, viewer),
    async execute(input, { content }) {
      const page = await readDraft(content, input.id, input.locale);
      if (page === null) {
        return noPage();
      }
      const wanted = { title: input.title, description: input.description };
      if (textOf(page, 'title') === wanted.title && textOf(page, 'description') === wanted.description) {
        return ToolResult.unchanged(`Page ${input.id} has this title and description already.`);
      }
      const target = await unlessRefused(() =>
        content.update(pageTarget(input.id), wanted, { draft: true, locale: input.locale }),
      );
      if (target === null) {
        return noPage();
      }
      const stored = await readDraft(content, input.id, input.locale);
      return stored !== null &&
        textOf(stored, 'title') === wanted.title &&
        textOf(stored, 'description') === wanted.description
        ? ToolResult.wrote(target, `The draft of page ${input.id} has the new title and description.`)
        : ToolResult.error(`Page ${input.id} was written, and its draft shows something else.`, { target });
    },
  });
