import { ConformanceError } from '../model/errors.js';
import type { ProjectFacts } from '../model/fact-base.js';
import type { ToolAdapter } from './discovered-tool.js';

const MAX_LISTED_FILES = 10;

export interface Searched {
  readonly adapters: readonly ToolAdapter[];
  /** Relative paths of the files that were read. */
  readonly files: readonly string[];
  readonly skippedTests: number;
  readonly notes: readonly string[];
}

/**
 * A run that analysed nothing is never green.
 *
 * @throws ConformanceError with code `NOTHING_TO_CHECK`, which says what was looked for, and where
 */
export function assertSomethingWasFound(facts: ProjectFacts, searched: Searched): void {
  if (facts.tools.length > 0 || facts.rebuilds.length > 0 || facts.rawHandler.isPresent) {
    return;
  }
  const { adapters, skippedTests, notes } = searched;
  const files = [...searched.files].sort();
  const shown = files.slice(0, MAX_LISTED_FILES).map((file) => `  ${file}`);
  const more = files.length - shown.length;
  throw new ConformanceError(
    'NOTHING_TO_CHECK',
    [
      'No tool, and no place that rebuilds a tool result, was found. Looked for:',
      ...adapters.map((adapter) => `  - ${adapter.looksFor}`),
      '  - code that takes a tool result (or a type marked @preserved) and makes a new one',
      `in ${String(files.length)} ${files.length === 1 ? 'file' : 'files'}:`,
      ...shown,
      ...(more > 0 ? [`  and ${String(more)} more`] : []),
      ...(skippedTests > 0 ? [`Test files that were left out: ${String(skippedTests)}.`] : []),
      ...notes,
      'Name the folder or the tsconfig.json (-p) that holds the tools.',
    ].join('\n'),
  );
}
