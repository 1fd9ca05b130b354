import { WriteTarget, type SafeContentHandler, type Tool } from '@toolwright/sdk';
import { createPageDraft } from './tools/create-page-draft.js';
import { createTranslationDraft } from './tools/create-translation-draft.js';
import { deletePage } from './tools/delete-page.js';
import { findPages } from './tools/find-pages.js';
import { moveBlock } from './tools/move-block.js';
import { pageTarget } from './tools/page-content.js';
import type { MayViewRecord } from './tools/preview-viewers.js';
import { publishPage } from './tools/publish-page.js';
import { readImage } from './tools/read-image.js';
import { readPage } from './tools/read-page.js';
import { setImageAlternativeText } from './tools/set-image-alternative-text.js';
import { updatePageMetadata } from './tools/update-page-metadata.js';

/** The tools of the site. A preview is shown to whoever may read the record that it is about. */
export function siteTools(content: SafeContentHandler): readonly Tool[] {
  const mayView = viewersOf(content);
  return [
    findPages,
    readPage,
    readImage,
    updatePageMetadata(mayView),
    createPageDraft(),
    createTranslationDraft(mayView),
    setImageAlternativeText(mayView),
    moveBlock(mayView),
    publishPage(mayView),
    deletePage(mayView),
  ];
}

function viewersOf(content: SafeContentHandler): MayViewRecord {
  return async (table, id, viewer) => {
    const { reader } = content.open({
      actor: { id: viewer.id },
      runId: 'preview',
      callId: 'preview',
      signal: new AbortController().signal,
    });
    const target = table === 'pages' ? pageTarget(id) : WriteTarget.of('images', id);
    return (await reader.read(target, table === 'pages' ? { draft: true } : {})) !== null;
  };
}
