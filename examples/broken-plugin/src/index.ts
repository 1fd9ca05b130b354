import type { Tool } from '@toolwright/sdk';
import { commentPage } from './faults/effect-is-constant.js';
import { touchPage } from './faults/raw-handler-stays-wrapped.js';
import { describePage } from './faults/reader-returns-no-target.js';
import { publishPage, unpublishPage } from './faults/tool-names-unique.js';
import { archivePage } from './faults/writer-returns-target.js';

export { archivePage, commentPage, describePage, publishPage, touchPage, unpublishPage };
export { shortenAnswer } from './faults/result-rebuild-keeps-fields.js';
export { pagesContent } from './pages-content.js';
export { afterWrite, rows } from './pages-binding.js';

/** The tools of the plugin, faults and all. */
export const brokenTools: readonly Tool[] = [
  archivePage,
  describePage,
  touchPage,
  commentPage,
  publishPage,
  unpublishPage,
];
