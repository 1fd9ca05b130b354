import { safeContentHandler, type SafeContentHandler, type SafeContentOptions } from '@toolwright/sdk';
import { PageCache } from './page-cache.js';
import type { PagesDatabase } from './pages-database.js';
import { SqlitePagesHandler, type PageHook } from './sqlite-pages-handler.js';

export interface PagesContentOptions extends SafeContentOptions {
  readonly cache?: PageCache;
  /** Called in order after each write. One that throws does not fail the write it ran after. */
  readonly hooks?: readonly PageHook[];
}

/** The content handler for the tools of this plugin, over one database. */
export function pagesContent(database: PagesDatabase, options: PagesContentOptions = {}): SafeContentHandler {
  const { cache = new PageCache(), hooks = [], ...safe } = options;
  // The only place that builds a raw handler.
  return safeContentHandler((run) => new SqlitePagesHandler({ database, cache, hooks }, run), safe);
}
