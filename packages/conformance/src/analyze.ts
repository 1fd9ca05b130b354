import { ToolDiscovery } from './discover/discover-tools.js';
import { collectFacts } from './facts/collect-facts.js';
import { collectRawHandlerFacts } from './facts/raw-handler/collect-raw-handler-facts.js';
import { collectSuppressionComments } from './facts/suppression-comments.js';
import { mergeFacts } from './facts/merge-facts.js';
import { ADAPTERS } from './generated/adapters.js';
import { loadProjects } from './load/load-projects.js';
import type { SourceFileCache } from './load/source-file-cache.js';
import { assertReachedFilesParse } from './load/syntax-errors.js';
import type { CheckConfig } from './model/check-config.js';
import { ConformanceError } from './model/errors.js';
import type { FactBase } from './model/fact-base.js';
import type { Report } from './model/report.js';
import type { SuppressionComment } from './model/suppression.js';
import type { RuleId } from './model/verdict.js';
import { buildReport } from './run-rules/build-report.js';
import { RULES } from './run-rules/registry.js';
import { runRules } from './run-rules/run-rules.js';

const MAX_LISTED_FILES = 10;

export interface AnalyzeRequest {
  /** Absolute. Paths in the report are relative to it. */
  readonly cwd: string;
  /** Absolute files and folders to check; without any, the project of the working directory. */
  readonly paths?: readonly string[];
  /** Absolute configurations (tsconfig.json) to check. */
  readonly configs?: readonly string[];
  /** The rules to ask; without any, all. */
  readonly rules?: readonly RuleId[];
  readonly config?: CheckConfig;
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
  const config = request.config ?? {};

  // 1. Load: which programs hold the requested code.
  const { projects, count, assumptions, notes } = loadProjects({
    cwd: request.cwd,
    paths: request.paths ?? [],
    configs: request.configs ?? [],
    testFileGlobs: config.testFiles ?? [],
    ...(request.cache === undefined ? {} : { cache: request.cache }),
  });

  const discovery = new ToolDiscovery(ADAPTERS);
  const facts: FactBase[] = [];
  const comments: SuppressionComment[] = [];
  const texts = new Map<string, string>();
  const allNotes = [...notes];
  const checkedFiles = new Set<string>();
  const skippedTests = new Set<string>();
  let done = 0;
  report('load', '.', 0);
  for (const project of projects) {
    const subject = project.relative(project.root);

    // 2. Discover: the tools that each framework's adapter knows.
    report('discover', subject, done);
    const tools = discovery.discover(project);
    const toolFiles = new Set(tools.map((tool) => tool.node.getSourceFile()));
    allNotes.push(...assertReachedFilesParse(project, toolFiles));

    // 3. Facts: plain data about what the tools' code does. The program is let go afterwards.
    report('facts', subject, done);
    facts.push({
      ...collectFacts(project, tools),
      rawHandler: collectRawHandlerFacts(project, config.rawHandlers ?? []),
    });
    comments.push(...collectSuppressionComments(project));
    for (const file of project.ownFiles) {
      texts.set(project.relative(file.fileName), file.text);
    }
    project.sourceFiles.forEach((file) => checkedFiles.add(project.relative(file.fileName)));
    project.testFiles.forEach((file) => skippedTests.add(file.fileName));
    done += 1;
    report('load', subject, done);
  }
  const merged = mergeFacts(facts, assumptions, checkedFiles.size);
  assertSomethingWasChecked(merged, [...checkedFiles], skippedTests.size, allNotes);

  // 4. Rules: verdicts from the facts alone.
  report('rules', '.', count);
  const rules = RULES.filter(({ id }) => request.rules?.includes(id) ?? true);
  const result = runRules(rules, merged);

  // 5. Report: suppressions applied, fingerprints and frames added.
  return buildReport({
    facts: merged,
    result,
    texts,
    comments,
    suppressions: config.suppressions ?? [],
    knownRules: new Set(RULES.map(({ id }) => id)),
    notes: allNotes,
    seconds: (now() - startedAt) / 1000,
  });

  function report(stage: AnalysisProgress['stage'], subject: string, finished: number): void {
    request.onProgress?.({ stage, subject, done: finished, total: count });
  }
}

function assertSomethingWasChecked(
  facts: FactBase,
  fileNames: readonly string[],
  skippedTests: number,
  notes: readonly string[],
): void {
  if (facts.tools.length > 0 || facts.rebuilds.length > 0 || facts.rawHandler.isPresent) {
    return;
  }
  const looksFor = ADAPTERS.map((adapter) => `  - ${adapter.looksFor}`).join('\n');
  const files = fileNames.slice(0, MAX_LISTED_FILES).map((file) => `  ${file}`);
  const more = fileNames.length - files.length;
  throw new ConformanceError(
    'NOTHING_TO_CHECK',
    `No tool, and no place that rebuilds a tool result, was found. Looked for:\n${looksFor}\n` +
      '  - code that takes a tool result (or a type marked @preserved) and makes a new one\n' +
      `in ${String(fileNames.length)} ${fileNames.length === 1 ? 'file' : 'files'}:\n${files.join('\n')}` +
      (more > 0 ? `\n  and ${String(more)} more` : '') +
      (skippedTests > 0 ? `\nTest files that were left out: ${String(skippedTests)}.` : '') +
      notes.map((note) => `\n${note}`).join('') +
      '\nName the folder or the tsconfig.json (-p) that holds the tools.',
  );
}
