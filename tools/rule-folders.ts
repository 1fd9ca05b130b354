import { access, readdir } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from './workspace.js';

/**
 * The ids of what a folder holds, one folder each, sorted.
 *
 * @param parent relative to the root
 * @param file what each of them must have, for example `rule.ts`
 */
export async function foldersWith(parent: string, file: string): Promise<readonly string[]> {
  const entries = await readdir(path.join(ROOT, parent), { withFileTypes: true });
  const ids = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const id of ids) {
    await access(path.join(ROOT, parent, id, file)).catch(() => {
      throw new Error(`${parent}/${id} has no ${file}. Write it, or delete the folder.`);
    });
  }
  return ids.sort();
}
