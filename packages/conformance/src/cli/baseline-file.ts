import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BaselineEntry } from '../model/baseline.js';
import { ConformanceError } from '../model/errors.js';
import type { ReportedDiagnostic } from '../model/report.js';

/** Written and read when no other name is given. */
export const BASELINE_FILE = 'toolwright.baseline.json';

const SCHEMA_VERSION = 1;

/**
 * Reads a baseline.
 *
 * @throws ConformanceError with code `BAD_CONFIG`
 */
export function readBaseline(cwd: string, name: string): readonly BaselineEntry[] {
  let text: string;
  try {
    text = readFileSync(path.resolve(cwd, name), 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    throw bad(
      `Cannot read the baseline ${name} (${code}). Make one with --update-baseline --baseline ${name}.`,
      cause,
    );
  }
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\uFEFF/u, ''));
  } catch (cause) {
    throw bad(`The baseline ${name} is no valid JSON. Make it anew with --update-baseline.`, cause);
  }
  const { schemaVersion, findings } = (document ?? {}) as Readonly<Record<string, unknown>>;
  if (schemaVersion !== SCHEMA_VERSION || !Array.isArray(findings) || !findings.every(isEntry)) {
    throw bad(
      `The baseline ${name} is none of version ${String(SCHEMA_VERSION)}: expected findings, each with fingerprint, rule and file. ` +
        'Make it anew with --update-baseline.',
    );
  }
  return findings;
}

/** The text of a baseline that knows these findings, in a stable order. */
export function baselineText(diagnostics: readonly ReportedDiagnostic[]): string {
  const findings = diagnostics
    .map(({ fingerprint, rule, location, tool, message }): BaselineEntry => ({
      fingerprint,
      rule,
      file: location.file,
      tool,
      message,
    }))
    .sort(
      (a, b) => compare(a.file, b.file) || compare(a.rule, b.rule) || compare(a.fingerprint, b.fingerprint),
    );
  return `${JSON.stringify({ schemaVersion: SCHEMA_VERSION, findings }, null, 2)}\n`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isEntry(value: unknown): value is BaselineEntry {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const { fingerprint, rule, file } = value as Readonly<Record<string, unknown>>;
  return [fingerprint, rule, file].every((part) => typeof part === 'string' && part !== '');
}

function bad(message: string, cause?: unknown): ConformanceError {
  return new ConformanceError('BAD_CONFIG', message, { cause });
}
