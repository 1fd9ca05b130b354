import type { LoadedProject } from '../../load/loaded-project.js';
import type { RawHandlerFacts } from '../../model/fact-base.js';

/** Finds every place outside the safe wrapper's factory that constructs, obtains or uses a raw handler. */
export function collectRawHandlerFacts(
  _project: LoadedProject,
  _configuredNames: readonly string[],
): RawHandlerFacts {
  return { isPresent: false, uses: [] };
}
