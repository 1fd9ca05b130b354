import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

/** Absolute folder of the workspace. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/u, '');

const RANGES = z.record(z.string(), z.string()).default({});

const MANIFEST = z.object({
  name: z.string(),
  version: z.string(),
  private: z.boolean().default(false),
  // A subpath leads to conditions, or (a data file) straight to a file.
  exports: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])).default({}),
  bin: z.record(z.string(), z.string()).default({}),
  dependencies: RANGES,
  peerDependencies: RANGES,
  devDependencies: RANGES,
});

export type Manifest = z.output<typeof MANIFEST>;

export interface WorkspacePackage {
  /** Absolute. */
  readonly folder: string;
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly manifest: Manifest;
}

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, 'package.json'), 'utf8');
  return MANIFEST.parse(JSON.parse(text));
}

/** The packages that are published, ordered so that each comes after what it depends on. */
export async function publishedPackages(root: string = ROOT): Promise<readonly WorkspacePackage[]> {
  const parent = path.join(root, 'packages');
  const entries = await readdir(parent, { withFileTypes: true });
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(parent, entry.name))
    // Anything else is what is left of a package that another branch has.
    .filter((folder) => existsSync(path.join(folder, 'package.json')));
  const all = await Promise.all(
    folders.map(async (folder) => ({
      folder,
      path: path.relative(root, folder).replaceAll('\\', '/'),
      manifest: await readManifest(folder),
    })),
  );
  return inOrder(all.filter(({ manifest }) => !manifest.private));
}

function inOrder(packages: readonly WorkspacePackage[]): readonly WorkspacePackage[] {
  const ordered: WorkspacePackage[] = [];
  const visit = (current: WorkspacePackage): void => {
    if (ordered.includes(current)) {
      return;
    }
    const needs = { ...current.manifest.dependencies, ...current.manifest.peerDependencies };
    for (const other of packages) {
      if (other !== current && other.manifest.name in needs) {
        visit(other);
      }
    }
    ordered.push(current);
  };
  packages.forEach(visit);
  return ordered;
}
