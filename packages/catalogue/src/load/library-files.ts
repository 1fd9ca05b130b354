import { LibraryIndex } from '../lookup/library-index.js';
import type { LibraryFile } from '../model/library-file.js';
import { jsonFilesIn, readJson } from './read-data.js';

let shipped: LibraryIndex | null = null;

/** Every library file of the package, sorted by file name. */
export function readLibraryFiles(): readonly LibraryFile[] {
  return jsonFilesIn('data').map((name) => readJson(`data/${name}`) as LibraryFile);
}

/** The shipped files as an index; they are read once. */
export function shippedIndex(): LibraryIndex {
  shipped ??= new LibraryIndex(readLibraryFiles());
  return shipped;
}
