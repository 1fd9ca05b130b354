import { createHash } from 'node:crypto';
import type { Diagnostic } from '../model/verdict.js';

/**
 * Identities of findings that stay the same when lines move: the rule, the tool, the file and the
 * code at the place, and which of several equal ones it is.
 *
 * @param lineOf - the source line of a place; empty where it is not known
 */
export function fingerprintsOf(
  diagnostics: readonly Diagnostic[],
  toolNameOf: (toolId: string | null) => string | null,
  lineOf: (file: string, line: number) => string,
): readonly string[] {
  const seen = new Map<string, number>();
  return diagnostics.map((diagnostic) => {
    const { rule, toolId, location } = diagnostic;
    const code = lineOf(location.file, location.line).trim().replace(/\s+/gu, ' ');
    const identity = JSON.stringify([rule, toolNameOf(toolId), location.file, code]);
    const count = seen.get(identity) ?? 0;
    seen.set(identity, count + 1);
    return createHash('sha256')
      .update(`${identity}\0${String(count)}`)
      .digest('hex')
      .slice(0, 32);
  });
}
