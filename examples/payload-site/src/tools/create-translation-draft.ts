import { ToolEffect, ToolResult, defineTool } from '@toolwright/sdk';
import * as z from 'zod';
import { pageTarget, readDraft, textOf } from './page-content.js';
import type { MayViewRecord } from './preview-viewers.js';
import { NO_PAGE_PREVIEW, noPage, unlessRefused } from './refusals.js';
import { description, pageId, title } from './site-arguments.js';

/** One record all the same: a translation is a language of the page, and no page of its own. */
export const createTranslationDraft = (mayView: MayViewRecord) =>
  defineTool({
    name: 'create_translation_draft',
    description: 'Adds the German title and description to a page that has none, as a draft.',
    effect: ToolEffect.IDEMPOTENT_WRITE,
    destructive: false,
    input: z.object({ id: pageId, title, description }),
    async preview(input, { content }) {
      const [english, german] = [
        await readDraft(content, input.id, 'en'),
        await readDraft(content, input.id, 'de'),
      ];
      if (english === null || german === null) {
        return NO_PAGE_PREVIEW;
      }
      const before = textOf(german, 'title');
      return [
        `German draft of page ${input.id} ("${textOf(english, 'title')}")`,
        before === '' ? 'before: not translated' : `before: ${before}. The call would be refused.`,
        `title after: ${input.title}`,
        `description after: ${input.description}`,
      ];
    },
    mayViewPreview: ({ id }, viewer) => mayView('pages', id, viewer),
    async execute(input, { content }) {
      const german = await readDraft(content, input.id, 'de');
      if (german === null) {
        return noPage();
      }
      if (textOf(german, 'title') !== '') {
        return ToolResult.refused(
          `Page ${input.id} is translated already. Use update_page_metadata to change the translation.`,
        );
      }
      const target = await unlessRefused(() =>
        content.update(
          pageTarget(input.id),
          { title: input.title, description: input.description },
          { draft: true, locale: 'de' },
        ),
      );
      if (target === null) {
        return noPage();
      }
      const stored = await readDraft(content, input.id, 'de');
      return stored !== null && textOf(stored, 'title') === input.title
        ? ToolResult.wrote(target, `Page ${input.id} has a German draft now.`)
        : ToolResult.error(`Page ${input.id} was written, and its German title is not the new one.`, {
            target,
          });
    },
  });
