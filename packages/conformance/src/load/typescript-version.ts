import type { SemVer } from 'semver';
import { ts } from '../../engine/typescript.mjs';
import { semver } from './on-demand.js';
import { dependencyRange, foldersUpward, readJsonFile, readPackageJson } from './package-json.js';
import { catalogRange } from './workspace-packages.js';

const BUNDLED_MAJOR = Number(ts.versionMajorMinor.split('.')[0]);

/**
 * The major version of TypeScript that a folder's code was made for: the one installed, else the
 * lowest that its package.json (or one above) allows, else the bundled one.
 */
export function typeScriptMajorOf(folder: string): number {
  for (const above of foldersUpward(folder)) {
    const installed = readJsonFile(`${above}/node_modules/typescript/package.json`);
    const version = (installed as { version?: unknown } | null | undefined)?.version;
    if (typeof version === 'string' && semver().valid(version) !== null) {
      return semver().major(version);
    }
  }
  for (const above of foldersUpward(folder)) {
    const packageJson = readPackageJson(above);
    const written = packageJson === null ? null : dependencyRange(packageJson, 'typescript');
    if (written !== null) {
      return majorOfRange(resolveRange(above, written)) ?? BUNDLED_MAJOR;
    }
  }
  return BUNDLED_MAJOR;
}

function resolveRange(folder: string, written: string): string {
  if (written.startsWith('catalog:')) {
    return catalogRange(folder, 'typescript', written) ?? '';
  }
  // `npm:typescript@^5.4` and `workspace:^5` carry the range at their end.
  return written.replace(/^(workspace:|npm:(@[^@]+\/)?[^@]+@)/u, '');
}

function majorOfRange(range: string): number | null {
  // A range without a lower bound (`*`, `latest`, `>=0`) says nothing about what the code was made for.
  const lowest = range === '' || range === '*' ? null : minVersion(range);
  return lowest === null || lowest.major === 0 ? null : lowest.major;
}

function minVersion(range: string): SemVer | null {
  return semver().validRange(range) === null ? null : semver().minVersion(range);
}
