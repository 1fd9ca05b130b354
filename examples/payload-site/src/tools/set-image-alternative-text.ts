import { ToolEffect, ToolResult, WriteTarget, defineTool } from '@toolwright/sdk';
import * as z from 'zod';
import { readImageIn, textOf } from './page-content.js';
import type { MayViewRecord } from './preview-viewers.js';
import { NO_IMAGE_PREVIEW, noImage, unlessRefused } from './refusals.js';
import { imageId, locale } from './site-arguments.js';

export const setImageAlternativeText = (mayView: MayViewRecord) =>
  defineTool({
    name: 'set_image_alternative_text',
    description: 'Sets what is read out in place of an image, in one language. It is public at once.',
    effect: ToolEffect.IDEMPOTENT_WRITE,
    // Images have no versions: the old text is gone.
    destructive: true,
    input: z.object({
      id: imageId,
      locale: locale.default('en'),
      text: z.string().trim().min(1).max(200).describe('What the image shows.'),
    }),
    async preview({ id, locale: language, text }, { content }) {
      const image = await readImageIn(content, id, language);
      return image === null
        ? NO_IMAGE_PREVIEW
        : [
            `Alternative text of image ${id} (${textOf(image, 'filename')}), ${language}`,
            `before: ${textOf(image, 'alt')}`,
            `after:  ${text}`,
          ];
    },
    mayViewPreview: ({ id }, viewer) => mayView('images', id, viewer),
    async execute({ id, locale: language, text }, { content }) {
      const image = await readImageIn(content, id, language);
      if (image === null) {
        return noImage();
      }
      if (textOf(image, 'alt') === text) {
        return ToolResult.unchanged(`Image ${id} has this alternative text already.`);
      }
      const target = await unlessRefused(() =>
        content.update(WriteTarget.of('images', id), { alt: text }, { locale: language }),
      );
      if (target === null) {
        return noImage();
      }
      const stored = await readImageIn(content, id, language);
      return stored !== null && textOf(stored, 'alt') === text
        ? ToolResult.wrote(target, `Image ${id} has the new alternative text.`)
        : ToolResult.error(`Image ${id} was written, and its alternative text is not the new one.`, {
            target,
          });
    },
  });
