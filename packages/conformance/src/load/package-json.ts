import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The parts of a package.json that loading needs. Everything is unchecked input. */
export interface PackageJson {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly workspaces?: unknown;
  readonly dependencies?: unknown;
  readonly devDependencies?: unknown;
  readonly peerDependencies?: unknown;
}

/** The package.json of a folder; null when there is none, or it is no JSON object. */
export function readPackageJson(folder: string): PackageJson | null {
  const value = readJsonFile(path.join(folder, 'package.json'));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
}

/** A JSON file's value; undefined when it cannot be read or parsed. */
export function readJsonFile(fileName: string): unknown {
  try {
    return JSON.parse(readFileSync(fileName, 'utf8').replace(/^\uFEFF/u, '')) as unknown;
  } catch {
    return undefined;
  }
}

/** The folder and every folder above it, nearest first. */
export function* foldersUpward(folder: string): Generator<string> {
  let current = path.resolve(folder);
  for (;;) {
    yield current;
    const parent = path.dirname(current);
    if (parent === current) {
      return;
    }
    current = parent;
  }
}

/** A dependency's range as package.json writes it, from any of its lists. */
export function dependencyRange(packageJson: PackageJson, name: string): string | null {
  for (const list of [packageJson.devDependencies, packageJson.dependencies, packageJson.peerDependencies]) {
    if (typeof list === 'object' && list !== null) {
      const range = (list as Record<string, unknown>)[name];
      if (typeof range === 'string') {
        return range;
      }
    }
  }
  return null;
}
