import type { ts } from '../../engine/typescript.mjs';
import type { DiscoveredTool } from '../discover/discovered-tool.js';
import type { LoadedProject } from '../load/loaded-project.js';
import type { ProjectFacts, RawHandlerFacts, ToolFacts, UnresolvedCall } from '../model/fact-base.js';
import { CodeRoots } from './code-roots.js';
import { calleeText } from './interpret/calls.js';
import { Interpreter } from './interpret/interpreter.js';
import type { PathFacts, ReachFacts } from '../model/effect-facts.js';
import { PathJudge } from './effects/path-facts.js';
import { ReachJudge } from './effects/reach-facts.js';
import type { Libraries } from './interpret/libraries.js';
import { CheckerQueries } from './queries/checker-queries.js';
import { RebuildDetector } from './rebuilds/rebuild-detector.js';
import { RebuildSites } from './rebuilds/rebuild-sites.js';
import { ReturnJudge, type JudgedReturn } from './returns/return-facts.js';
import { TellingCode } from './telling-code.js';
import { allOf, joinPaths, joinReach } from './effects/join-bodies.js';
import { bodiesOf, ToolCode } from './tool-code.js';

const NO_RAW_HANDLER: RawHandlerFacts = { isPresent: false, uses: [] };

/** What the facts take for granted, where the code they speak of has it. */
const BY_TYPE = 'Code without a body here (installed packages, interfaces) answers what its types declare.';

/**
 * Reads everything that rules need from the code that tools and rebuilds reach. Facts about raw
 * handlers are collected on their own.
 */
export function collectFacts(
  project: LoadedProject,
  tools: readonly DiscoveredTool[],
  libraries: Libraries,
): ProjectFacts {
  const queries = new CheckerQueries(project);
  const sites = new RebuildSites();
  const detector = new RebuildDetector(sites);
  const { preservedTypes } = queries;
  const interpreter = new Interpreter(
    queries,
    detector,
    (symbol) => preservedTypes.ofSymbol(symbol),
    libraries,
  );
  detector.attach(interpreter);

  const telling = new TellingCode(project, queries);
  interpreter.passOver(telling);
  const roots = new CodeRoots(project, interpreter, telling);
  const code = new ToolCode(interpreter, roots, project.ownFiles);
  code.prepare(tools);
  roots.runFiles();
  // Before functions run on their own, with arguments that nobody gives them.
  const judged = tools.map((tool) => judgeTool(project, code, tool));
  roots.runFunctions();
  return {
    tools: judged.map(toolFacts),
    rebuilds: sites.facts(project, (node) => toolAround(tools, node)),
    rawHandler: NO_RAW_HANDLER,
    unresolved: unresolvedCalls(project, judged),
    assumptions: [...assumptionsOf(judged), BY_TYPE],
    files: project.sourceFiles.length,
    paths: judged.reduce((all, { returns }) => all + (returns?.length ?? 0), 0),
  };
}

interface JudgedTool {
  readonly tool: DiscoveredTool;
  readonly returns: readonly JudgedReturn[] | null;
  readonly reach: ReachFacts | null;
  readonly previewReach: ReachFacts | null;
  readonly paths: PathFacts | null;
}

function judgeTool(project: LoadedProject, code: ToolCode, tool: DiscoveredTool): JudgedTool {
  const bodies = bodiesOf(tool, 'execute').map((body) => {
    const ran = code.run(tool, body);
    return ran === null
      ? null
      : {
          returns: new ReturnJudge(project, body).judge(ran.returns),
          reach: new ReachJudge(project, body).factsOf(ran.effects),
          paths: new PathJudge(project, code.events, tool.framework, ran.effects).factsOf(body, ran),
        };
  });
  const previews = bodiesOf(tool, 'preview').map((body) => {
    const ran = code.runPreview(tool, body);
    return ran === null ? null : new ReachJudge(project, body).factsOf(ran.effects);
  });
  return {
    tool,
    returns: allOf(bodies.map((body) => body?.returns ?? null))?.flat() ?? null,
    reach: joinReach(bodies.map((body) => body?.reach ?? null)),
    previewReach: joinReach(previews),
    paths: joinPaths(bodies.map((body) => body?.paths ?? null)),
  };
}

function assumptionsOf(judged: readonly JudgedTool[]): readonly string[] {
  const assumed = judged.flatMap(({ reach, previewReach }) => [
    ...(reach?.assumed ?? []),
    ...(previewReach?.assumed ?? []),
  ]);
  return [...new Set(assumed)].map((one) => `What a call writes is taken as configured: ${one}.`);
}

function toolFacts({ tool, returns, reach, previewReach, paths }: JudgedTool): ToolFacts {
  const { id, framework, location, plugin, name, effect } = tool;
  return {
    reach,
    previewReach,
    paths,
    hasPreview: tool.preview !== null || (tool.previewGuard ?? null) !== null,
    id,
    framework,
    location,
    plugin,
    name,
    effect,
    ...(tool.isWrapper === true ? { isWrapper: true } : {}),
    returns: returns?.map(({ fact }) => fact) ?? null,
  };
}

/** The innermost tool whose definition a place lies in; of several that share one definition, none. */
function toolAround(tools: readonly DiscoveredTool[], node: ts.Node): string | null {
  const file = node.getSourceFile();
  const around = tools.filter(
    (tool) => tool.node.getSourceFile() === file && tool.node.pos <= node.pos && node.end <= tool.node.end,
  );
  const [innermost, next] = around.sort((a, b) => b.node.pos - a.node.pos);
  return innermost === undefined || next?.node === innermost.node ? null : innermost.id;
}

function unresolvedCalls(project: LoadedProject, judged: readonly JudgedTool[]): readonly UnresolvedCall[] {
  const calls = new Map<string, UnresolvedCall & { readonly toolIds: string[] }>();
  const note = (call: Omit<UnresolvedCall, 'toolIds'>, toolId: string): void => {
    const { file, line, column } = call.location;
    const key = `${file}:${String(line)}:${String(column)}`;
    const known = calls.get(key) ?? { ...call, toolIds: [] };
    calls.set(key, known);
    if (!known.toolIds.includes(toolId)) {
      known.toolIds.push(toolId);
    }
  };
  for (const { tool, returns, reach, previewReach } of judged) {
    for (const { fact, unresolved } of returns ?? []) {
      if (unresolved !== null) {
        const call = { location: project.locate(unresolved), callee: calleeText(unresolved), why: fact.why };
        note(call, tool.id);
      }
    }
    for (const call of [...(reach?.unresolved ?? []), ...(previewReach?.unresolved ?? [])]) {
      note({ location: call.location, callee: call.callee, why: call.why }, tool.id);
    }
  }
  return [...calls.values()];
}
