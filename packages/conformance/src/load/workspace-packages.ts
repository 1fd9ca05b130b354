import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import { yaml } from './on-demand.js';
import { foldersUpward, readPackageJson } from './package-json.js';
import { toSlashes } from './paths.js';

/** Folder patterns of a workspace root (pnpm, npm, yarn, bun); null when the folder is none. */
export function workspacePatterns(folder: string): readonly string[] | null {
  const pnpm = readPnpmWorkspace(folder);
  if (pnpm !== null) {
    return stringsOf(pnpm['packages']);
  }
  const workspaces = readPackageJson(folder)?.workspaces;
  if (Array.isArray(workspaces)) {
    return stringsOf(workspaces);
  }
  if (typeof workspaces === 'object' && workspaces !== null) {
    return stringsOf((workspaces as Record<string, unknown>)['packages']);
  }
  return null;
}

/** Absolute folders of a workspace's packages, sorted, the root itself left out; null when it is no workspace. */
export function workspacePackages(folder: string): readonly string[] | null {
  const patterns = workspacePatterns(folder);
  if (patterns === null) {
    return null;
  }
  const globs = patterns.map((pattern) => {
    const negated = pattern.startsWith('!');
    const bare = pattern.replace(/^!/u, '').replace(/^\.\//u, '').replace(/\/+$/u, '');
    return `${negated ? '!' : ''}${bare}/package.json`;
  });
  if (globs.length === 0) {
    return [];
  }
  return globSync(globs, {
    cwd: folder,
    absolute: true,
    dot: false,
    followSymbolicLinks: false,
    ignore: ['**/node_modules/**'],
  })
    .map((file) => toSlashes(path.dirname(file)))
    .filter((found) => found !== toSlashes(path.resolve(folder)))
    .sort();
}

/** The version that pnpm's catalogs give a dependency written as `catalog:` or `catalog:name`. */
export function catalogRange(folder: string, dependency: string, reference: string): string | null {
  const catalogName = reference.slice('catalog:'.length).trim();
  for (const above of foldersUpward(folder)) {
    const pnpm = readPnpmWorkspace(above);
    if (pnpm !== null) {
      const named = recordOf(recordOf(pnpm['catalogs'])[catalogName === '' ? 'default' : catalogName]);
      const catalog = catalogName === '' ? { ...named, ...recordOf(pnpm['catalog']) } : named;
      const range = catalog[dependency];
      return typeof range === 'string' ? range : null;
    }
  }
  return null;
}

function readPnpmWorkspace(folder: string): Record<string, unknown> | null {
  const fileName = path.join(folder, 'pnpm-workspace.yaml');
  if (!existsSync(fileName)) {
    return null;
  }
  try {
    return recordOf(yaml().parse(readFileSync(fileName, 'utf8')));
  } catch {
    // Not ours to report: the package manager says so, and every package can still be named by its path.
    return {};
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
