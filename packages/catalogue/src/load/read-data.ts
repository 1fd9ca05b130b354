import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { CatalogueError } from '../errors.js';

/** The package's folder: sources and build lie equally deep in it. */
const PACKAGE_ROOT = new URL('../../', import.meta.url);

/** Reads one JSON file of the package; `path` is relative to it. */
export function readJson(path: string): unknown {
  const url = new URL(path, PACKAGE_ROOT);
  try {
    return JSON.parse(readFileSync(url, 'utf8')) as unknown;
  } catch (error) {
    throw new CatalogueError(
      'DATA_UNREADABLE',
      `Reading the catalogue's file ${path} failed: expected a JSON file at ${fileURLToPath(url)}. Reinstall @toolwright/catalogue.`,
      { cause: error },
    );
  }
}

/** Names of the JSON files in a folder of the package, sorted. */
export function jsonFilesIn(folder: string): readonly string[] {
  try {
    return readdirSync(new URL(`${folder}/`, PACKAGE_ROOT))
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch (error) {
    throw new CatalogueError(
      'DATA_UNREADABLE',
      `Listing the catalogue's folder ${folder} failed: expected it inside the package. Reinstall @toolwright/catalogue.`,
      { cause: error },
    );
  }
}
