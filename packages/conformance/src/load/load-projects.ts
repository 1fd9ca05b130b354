import type { LoadedProject } from './loaded-project.js';
import { findProjects, type ProjectRequest } from './find-projects.js';
import { loadProgram } from './load-program.js';
import { toSlashes } from './paths.js';
import { SourceFileCache } from './source-file-cache.js';

export interface LoadRequest extends ProjectRequest {
  /** Globs of more test files, relative to each project's folder. */
  readonly testFileGlobs: readonly string[];
  /** Parsed files of earlier runs. */
  readonly cache?: SourceFileCache;
}

export interface LoadResult {
  /** Loaded one by one, so that only one program is held at a time. */
  readonly projects: Iterable<LoadedProject>;
  /** How many there are. */
  readonly count: number;
  readonly assumptions: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Finds the requested code and makes programs of it.
 *
 * @throws ConformanceError with code `NO_SUCH_PATH`, `NO_SOURCE` or `BAD_TSCONFIG`.
 */
export function loadProjects(request: LoadRequest): LoadResult {
  const { plans, assumptions, notes } = findProjects(request);
  const named = new Set(request.paths.map(toSlashes));
  const cache = request.cache ?? new SourceFileCache();
  return {
    projects: (function* () {
      for (const plan of plans) {
        yield loadProgram(plan, {
          cwd: request.cwd,
          testFileGlobs: request.testFileGlobs,
          named,
          cache,
        });
      }
    })(),
    count: plans.length,
    assumptions,
    notes,
  };
}
