import { createRequire } from 'node:module';
import type * as Semver from 'semver';
import type * as Yaml from 'yaml';

const require = createRequire(import.meta.url);

/** Most runs read no YAML, so the parser is loaded by the first that does. */
export function yaml(): typeof Yaml {
  return require('yaml') as typeof Yaml;
}

/** The same for versions. */
export function semver(): typeof Semver {
  return require('semver') as typeof Semver;
}
