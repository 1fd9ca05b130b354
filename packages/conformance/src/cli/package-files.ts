import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The absolute path of a file that this package ships, from its sources or its build alike. */
export function packageFile(relative: string): string {
  return fileURLToPath(new URL(`../../${relative}`, import.meta.url));
}

/** The version in this package's own package.json. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string };
  return version;
}
