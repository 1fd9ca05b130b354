import { readFileSync } from 'node:fs';
import path from 'node:path';

const byFolder = new Map<string, string | null>();

/** The `name` of the nearest package.json at or above a file's folder; null without one. */
export function packageNameOf(file: string): string | null {
  const folder = path.dirname(path.resolve(file));
  const known = byFolder.get(folder);
  if (known !== undefined) {
    return known;
  }
  const own = readName(path.join(folder, 'package.json'));
  const parent = path.dirname(folder);
  const name = own ?? (parent === folder ? null : packageNameOf(path.join(parent, 'package.json')));
  byFolder.set(folder, name);
  return name;
}

// A package.json without a name (`{ "type": "module" }` in a build folder) is not the package's.
function readName(file: string): string | null {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof content === 'object' &&
      content !== null &&
      'name' in content &&
      typeof content.name === 'string'
      ? content.name
      : null;
  } catch {
    return null;
  }
}
