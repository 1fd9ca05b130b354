import { readFileSync } from 'node:fs';
import { LintError } from './errors.js';

// The same distance from `src` and from `dist`.
const MANIFEST = new URL('../package.json', import.meta.url);

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** This package's own name and version, read from its manifest so that they are said once. */
export function packageMetadata(): Manifest {
  const manifest: unknown = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  if (
    typeof manifest === 'object' &&
    manifest !== null &&
    'name' in manifest &&
    typeof manifest.name === 'string' &&
    'version' in manifest &&
    typeof manifest.version === 'string'
  ) {
    return { name: manifest.name, version: manifest.version };
  }
  throw new LintError(
    'BAD_PACKAGE',
    'Cannot load @toolwright/eslint-plugin: expected its package.json to have a name and a version. Install it again.',
  );
}

/** The folder of this installed package: the docs that ship with a version are the ones that describe it. */
export function packageFolder(): URL {
  return new URL('./', MANIFEST);
}
