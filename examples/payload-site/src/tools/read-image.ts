import { ToolResult, defineTool } from '@toolwright/sdk';
import * as z from 'zod';
import { readImageIn, textOf } from './page-content.js';
import { noImage } from './refusals.js';
import { imageId, locale } from './site-arguments.js';

export const readImage = defineTool({
  name: 'read_image',
  description: 'Reads the file name and the alternative text of an image.',
  input: z.object({ id: imageId, locale: locale.default('en') }),
  async execute({ id, locale: language }, { content }) {
    const image = await readImageIn(content, id, language);
    if (image === null) {
      return noImage();
    }
    return ToolResult.text(
      JSON.stringify({ id, file: textOf(image, 'filename'), alt: textOf(image, 'alt') }),
    );
  },
});
