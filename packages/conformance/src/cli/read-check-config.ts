import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import type * as AjvModule from 'ajv';
import type { CheckConfig } from '../model/check-config.js';
import { ConformanceError } from '../model/errors.js';
import { RULE_IDS } from '../model/verdict.js';
import { packageFile } from './package-files.js';
import { suggest } from './suggest.js';

const require = createRequire(import.meta.url);

/** Read from the working directory when no other is named. */
export const CONFIG_FILE = 'toolwright.config.json';

/**
 * Reads the configuration, checked against its published schema.
 *
 * @param named - what --config says, or null for the working directory's own, if there is one
 * @throws ConformanceError with code `BAD_CONFIG`
 */
export function readCheckConfig(cwd: string, named: string | null): CheckConfig {
  const fileName = path.resolve(cwd, named ?? CONFIG_FILE);
  if (named === null && !existsSync(fileName)) {
    return {};
  }
  const shown = named ?? CONFIG_FILE;
  const value = parse(shown, fileName);
  const schema = JSON.parse(readFileSync(packageFile('schema/config.schema.json'), 'utf8')) as object;
  // Most runs have no configuration, so the validator is loaded by the first that has one.
  const { Ajv } = require('ajv') as typeof AjvModule;
  const ajv = new Ajv({ allErrors: true, strict: false });
  const validate = ajv.compile<CheckConfig>(schema);
  if (!validate(value)) {
    const problems = (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath === '' ? 'the configuration' : instancePath} ${message ?? 'is not valid'}` +
        ('additionalProperty' in params ? ` (${String(params['additionalProperty'])})` : ''),
    );
    throw badConfig(`${shown} does not fit schema/config.schema.json: ${problems.join('; ')}.`);
  }
  for (const { rule } of value.suppressions ?? []) {
    if (!RULE_IDS.some((id) => id === rule)) {
      throw badConfig(
        `${shown} suppresses the rule ${JSON.stringify(rule)}, which does not exist.${suggest(rule, RULE_IDS)}`,
      );
    }
  }
  return value;
}

function parse(shown: string, fileName: string): unknown {
  let text: string;
  try {
    text = readFileSync(fileName, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    throw badConfig(
      `Cannot read the configuration ${shown} (${code}). Check the path given to --config.`,
      cause,
    );
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/u, '')) as unknown;
  } catch (cause) {
    throw badConfig(
      `The configuration ${shown} is no valid JSON: ${cause instanceof Error ? cause.message : String(cause)}.`,
      cause,
    );
  }
}

function badConfig(message: string, cause?: unknown): ConformanceError {
  return new ConformanceError('BAD_CONFIG', message, { cause });
}
