import type { ProjectFacts } from '../model/fact-base.js';

/**
 * Joins the facts of a run's projects.
 *
 * @param assumptions - what loading took for granted
 * @param files - how many files were checked; each counts once, whatever projects it lies in
 */
export function mergeFacts(
  parts: readonly ProjectFacts[],
  assumptions: readonly string[],
  files: number,
): ProjectFacts {
  return {
    tools: parts.flatMap((part) => part.tools),
    rebuilds: parts.flatMap((part) => part.rebuilds),
    rawHandler: {
      isPresent: parts.some((part) => part.rawHandler.isPresent),
      uses: parts.flatMap((part) => part.rawHandler.uses),
    },
    unresolved: parts.flatMap((part) => part.unresolved),
    assumptions: [...new Set([...assumptions, ...parts.flatMap((part) => part.assumptions)])],
    files,
    paths: parts.reduce((sum, part) => sum + part.paths, 0),
  };
}
