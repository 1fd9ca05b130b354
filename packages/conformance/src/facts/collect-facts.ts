import type { LoadedProject } from '../load/loaded-project.js';
import type { DiscoveredTool } from '../discover/discovered-tool.js';
import type { FactBase, RawHandlerFacts, ToolFacts } from '../model/fact-base.js';

const NO_RAW_HANDLER: RawHandlerFacts = { isPresent: false, uses: [] };

/** Reads everything that rules need from the code that tools and rebuilds reach. */
export function collectFacts(project: LoadedProject, tools: readonly DiscoveredTool[]): FactBase {
  return {
    tools: tools.map((tool) => toolFacts(project, tool)),
    rebuilds: [],
    rawHandler: NO_RAW_HANDLER,
    unresolved: [],
    assumptions: [],
    files: project.sourceFiles.length,
    paths: 0,
  };
}

function toolFacts(project: LoadedProject, tool: DiscoveredTool): ToolFacts {
  const location = project.locate(tool.node);
  return {
    id: `${tool.framework}:${location.file}:${tool.name.value ?? '?'}:${String(location.line)}`,
    framework: tool.framework,
    location,
    plugin: project.relative(project.packageFolderOf(tool.node.getSourceFile().fileName)),
    name: tool.name,
    effect: tool.effect,
    returns: null,
  };
}
