import type { DiscoveredTool } from '../discover/discovered-tool.js';
import type { ProjectFacts } from '../model/fact-base.js';

/** What the declarations of tools say for themselves; their code is not followed. */
export function declaredFacts(tools: readonly DiscoveredTool[]): ProjectFacts {
  return {
    tools: tools.map(({ id, framework, location, plugin, name, effect, preview }) => ({
      id,
      framework,
      location,
      plugin,
      name,
      effect,
      reach: null,
      previewReach: null,
      paths: null,
      hasPreview: preview !== null,
      returns: null,
    })),
    rebuilds: [],
    rawHandler: { isPresent: false, uses: [] },
    unresolved: [],
    assumptions: [],
    files: 0,
    paths: 0,
  };
}
