import type { Tool } from '@toolwright/sdk';
import { createPage } from './tools/create-page.js';
import { readPage } from './tools/read-page.js';
import { renamePage } from './tools/rename-page.js';

export { createPage, readPage, renamePage };
export { openPagesDatabase, type PagesDatabase } from './pages-database.js';
export { pagesContent, type PagesContentOptions } from './pages-content.js';
export { PageCache } from './page-cache.js';
export type { PageHook } from './sqlite-pages-handler.js';

/** The tools of the plugin. */
export const pagesTools: readonly Tool[] = [readPage, renamePage, createPage];
