import { ToolEffect, ToolResult, defineTool } from '@toolwright/sdk';
import * as z from 'zod';
import { readDraft, textOf } from './page-content.js';
import { unlessRefused } from './refusals.js';
import { description, title } from './site-arguments.js';

export const createPageDraft = () =>
  defineTool({
    name: 'create_page_draft',
    description: 'Makes a new page as a draft in English, owned by the acting user. Nothing is published.',
    effect: ToolEffect.NON_IDEMPOTENT_WRITE,
    destructive: false,
    input: z.object({ title, description: description.default('') }),
    preview: (input) => [
      'A new page, as a draft',
      'before: there is none',
      `title after: ${input.title}`,
      `description after: ${input.description}`,
    ],
    // It shows nothing but what the call itself says.
    mayViewPreview: () => true,
    async execute(input, { content }) {
      const target = await unlessRefused(() =>
        content.create('pages', { ...input, _status: 'draft' }, { draft: true }),
      );
      if (target === null) {
        return ToolResult.refused('You may not create pages.');
      }
      const stored = await readDraft(content, Number(target.uid));
      return stored !== null && textOf(stored, 'title') === input.title && stored['_status'] === 'draft'
        ? ToolResult.wrote(target, `Page ${target.uid} was created as a draft.`)
        : ToolResult.error(`Page ${target.uid} was created, and is not the draft that was asked for.`, {
            target,
          });
    },
  });
