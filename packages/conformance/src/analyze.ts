import { assertSomethingWasFound } from './discover/nothing-to-check.js';
import { filesOf, ToolDiscovery } from './discover/discover-tools.js';
import { collectFacts } from './facts/collect-facts.js';
import { Libraries } from './facts/interpret/libraries.js';
import { declaredFacts } from './facts/declared-facts.js';
import { mergeFacts } from './facts/merge-facts.js';
import { collectRawHandlerFacts } from './facts/raw-handler/collect-raw-handler-facts.js';
import { collectSuppressionComments } from './facts/suppression-comments.js';
import { ADAPTERS } from './generated/adapters.js';
import { manifestFact, manifestFor, pluginsOf, readManifest } from './load/effects-manifest.js';
import { loadProjects } from './load/load-projects.js';
import { ReadSources } from './load/read-sources.js';
import type { SourceFileCache } from './load/source-file-cache.js';
import { assertReachedFilesParse } from './load/syntax-errors.js';
import type { BaselineEntry } from './model/baseline.js';
import type { CheckConfig } from './model/check-config.js';
import type { FactBase, ProjectFacts } from './model/fact-base.js';
import type { Report } from './model/report.js';
import type { RuleId } from './model/verdict.js';
import { buildReport } from './run-rules/build-report.js';
import { RULES } from './run-rules/registry.js';
import { runRules } from './run-rules/run-rules.js';

export interface AnalyzeRequest {
  /** Absolute. Paths in the report are relative to it. */
  readonly cwd: string;
  /** Absolute files and folders to check; without any, the project of the working directory. */
  readonly paths?: readonly string[];
  /** Absolute configurations (tsconfig.json) to check. */
  readonly configs?: readonly string[];
  /** The rules to ask; all when it is left out, and only the tools are listed when it is empty. */
  readonly rules?: readonly RuleId[];
  readonly config?: CheckConfig;
  /** Whether what only a client's names speak for counts as undecided. */
  readonly isStrict?: boolean;
  /** Findings that are known and left out. */
  readonly baseline?: readonly BaselineEntry[];
  /** Whether the effects manifests are taken as they should be; the report has their texts. */
  readonly updateManifests?: boolean;
  /** Milliseconds, for the summary's seconds. */
  readonly now?: () => number;
  /** Parsed files of earlier runs, for a process that checks more than once. */
  readonly cache?: SourceFileCache;
  readonly onProgress?: (progress: AnalysisProgress) => void;
}

export interface AnalysisProgress {
  readonly stage: 'load' | 'discover' | 'facts' | 'rules';
  /** What is worked on: a project's folder. */
  readonly subject: string;
  readonly done: number;
  readonly total: number;
}

/**
 * Checks a project and answers what was found. Nothing of the project is executed.
 *
 * @throws ConformanceError when the work cannot be done; see its codes.
 */
export function analyze(request: AnalyzeRequest): Report {
  const now = request.now ?? (() => performance.now());
  const startedAt = now();
  const { cwd, config = {}, paths = [], configs = [] } = request;
  const rules = RULES.filter(({ id }) => request.rules?.includes(id) ?? true);

  // 1. Load: which programs hold the requested code.
  const loading = loadProjects({
    cwd,
    paths,
    configs,
    testFileGlobs: config.testFiles ?? [],
    ...(request.cache === undefined ? {} : { cache: request.cache }),
  });
  const progress = (stage: AnalysisProgress['stage'], subject: string, done: number): void => {
    request.onProgress?.({ stage, subject, done, total: loading.count });
  };
  progress('load', '.', 0);

  // 2. and 3. for one program after the other, so that only one is held at a time.
  const read = new ReadSources(loading.notes);
  const discovery = new ToolDiscovery(ADAPTERS, { registrars: config.registrars ?? [] });
  const libraries = new Libraries(config.effects ?? []);
  const parts: ProjectFacts[] = [];
  for (const project of loading.projects) {
    const subject = project.relative(project.root);

    // 2. Discover: the tools that each framework's adapter knows.
    progress('discover', subject, parts.length);
    const tools = discovery.discover(project);
    read.add(project, assertReachedFilesParse(project, filesOf(tools)));

    // 3. Facts: plain data about what the tools' code does. No compiler node goes on from here.
    progress('facts', subject, parts.length);
    parts.push(
      rules.length === 0
        ? declaredFacts(tools)
        : {
            ...collectFacts(project, tools, libraries),
            rawHandler: collectRawHandlerFacts(project, config.rawHandlers ?? []),
          },
    );
    read.addComments(collectSuppressionComments(project));
  }
  const joined = mergeFacts(parts, loading.assumptions, read.files.size);
  assertSomethingWasFound(joined, {
    adapters: ADAPTERS,
    files: [...read.files],
    skippedTests: read.skippedTests.size,
    notes: read.notes,
  });

  // 4. Pin: what the committed manifests say, or will say.
  const plugins = pluginsOf(joined.tools);
  const manifests =
    request.updateManifests === true ? plugins.map((one) => manifestFor(one, joined.tools)) : [];
  const facts: FactBase = {
    ...joined,
    manifests: plugins.map((plugin, index) => {
      const updated = manifests[index];
      return updated === undefined
        ? readManifest(cwd, plugin, config.manifest?.required ?? false)
        : manifestFact(plugin, updated);
    }),
  };
  facts.manifests.forEach(({ file }) => read.addText(cwd, file));

  // 5. Rules: verdicts from the facts alone.
  progress('rules', '.', loading.count);
  const result = runRules(rules, facts, request.isStrict ?? false);

  // 6. Report: suppressions and baseline applied, fingerprints and frames added.
  return buildReport({
    facts,
    result,
    texts: read.texts,
    comments: read.comments,
    suppressions: config.suppressions ?? [],
    baseline: request.baseline ?? [],
    baselineScope: {
      rules: new Set(rules.map(({ id }) => id)),
      files: paths.length === 0 && configs.length === 0 ? null : read.files,
    },
    manifests,
    knownRules: new Set(RULES.map(({ id }) => id)),
    notes: read.notes,
    seconds: (now() - startedAt) / 1000,
  });
}
