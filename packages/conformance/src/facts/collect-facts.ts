import type { LoadedProject } from '../load/loaded-project.js';
import type { DiscoveredTool } from '../discover/discovered-tool.js';
import type { FactBase, RawHandlerFacts, ToolFacts } from '../model/fact-base.js';

const NO_RAW_HANDLER: RawHandlerFacts = { isPresent: false, uses: [] };

/** Reads everything that rules need from the code that tools and rebuilds reach. */
export function collectFacts(project: LoadedProject, tools: readonly DiscoveredTool[]): FactBase {
  return {
    tools: tools.map((tool) => toolFacts(tool)),
    rebuilds: [],
    rawHandler: NO_RAW_HANDLER,
    unresolved: [],
    assumptions: [],
    files: project.sourceFiles.length,
    paths: 0,
  };
}

function toolFacts(tool: DiscoveredTool): ToolFacts {
  const { id, framework, location, plugin, name, effect } = tool;
  return { id, framework, location, plugin, name, effect, returns: null };
}
