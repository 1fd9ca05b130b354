import { safeContentHandler, type SafeContentHandler, type SafeContentOptions } from '@toolwright/sdk';
import { PagesBinding } from './pages-binding.js';

/** The content handler as it should be: the binding is built in this factory. */
export function pagesContent(options: SafeContentOptions = {}): SafeContentHandler {
  return safeContentHandler(() => new PagesBinding(), options);
}
