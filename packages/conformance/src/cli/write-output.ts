import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { ConformanceError } from '../model/errors.js';

/**
 * Writes a file that the command was asked for.
 *
 * @param what - for the message, as `the report`
 * @throws ConformanceError with code `OUTPUT_FAILED`
 */
export function writeOutput(cwd: string, name: string, text: string, what: string): void {
  try {
    writeFileSync(path.resolve(cwd, name), text);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new ConformanceError(
      'OUTPUT_FAILED',
      `Cannot write ${what} to ${name} (${code}). Check that its folder is there and writable.`,
      { cause },
    );
  }
}
