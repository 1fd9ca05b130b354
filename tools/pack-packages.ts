import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { removeStaleBuild } from './remove-stale-build.js';
import { ROOT, publishedPackages, type WorkspacePackage } from './workspace.js';

const run = promisify(execFile);

export interface PackedPackage {
  readonly of: WorkspacePackage;
  /** Absolute path of the tarball. */
  readonly tarball: string;
  /** Absolute path of its content. */
  readonly content: string;
  /** Its files, relative to the content, with forward slashes. */
  readonly files: readonly string[];
}

/**
 * Packs every published package as a release would, into a folder of its own. Only pnpm's own `pack`
 * replaces what the workspace abbreviates (`workspace:`, `catalog:`).
 */
export async function packPackages(into: string): Promise<readonly PackedPackage[]> {
  const packed: PackedPackage[] = [];
  const pnpm = await pinnedPnpm();
  for (const of of await publishedPackages()) {
    const folder = path.join(into, path.basename(of.folder));
    const content = path.join(folder, 'package');
    await mkdir(content, { recursive: true });
    await removeStaleBuild(of.folder);
    await run('npx', ['-y', pnpm, 'pack', '--pack-destination', folder], { cwd: of.folder });
    const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
    if (tarball === undefined) {
      throw new Error(`Packing ${of.path} made no tarball in ${folder}.`);
    }
    await run('tar', ['-xzf', path.join(folder, tarball), '-C', content, '--strip-components', '1']);
    packed.push({ of, tarball: path.join(folder, tarball), content, files: await filesBelow(content) });
  }
  return packed;
}

async function pinnedPnpm(): Promise<string> {
  const text = await readFile(path.join(ROOT, 'package.json'), 'utf8');
  return z.object({ packageManager: z.string() }).parse(JSON.parse(text)).packageManager;
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}
