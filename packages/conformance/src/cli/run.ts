import { readFileSync } from 'node:fs';
import path from 'node:path';
import { analyze } from '../analyze.js';
import type { SourceFileCache } from '../load/source-file-cache.js';
import type { CheckConfig } from '../model/check-config.js';
import { ConformanceError } from '../model/errors.js';
import type { Report } from '../model/report.js';
import type { RuleId } from '../model/verdict.js';
import { escapeText } from '../reporters/escape-text.js';
import { GITHUB_REPORTER } from '../reporters/github.js';
import { JSON_REPORTER } from '../reporters/json.js';
import { listTools, PRETTY_REPORTER } from '../reporters/pretty.js';
import type { Reporter, ReporterOptions } from '../reporters/reporter.js';
import { SARIF_REPORTER } from '../reporters/sarif.js';
import { RULES } from '../run-rules/registry.js';
import { BASELINE_FILE, baselineText, readBaseline } from './baseline-file.js';
import { helpText } from './help.js';
import { packageFile, packageVersion } from './package-files.js';
import { type CommandLine, type Format, parseCommandLine, wantedFormat } from './parse-command-line.js';
import { Progress } from './progress.js';
import { readCheckConfig } from './read-check-config.js';
import { isColored, type Terminal } from './terminal.js';
import { writeOutput } from './write-output.js';

export const EXIT_OK = 0;
export const EXIT_FINDINGS = 1;
export const EXIT_FAILED = 2;
/** The stack was too small: nothing was printed, and a process that has a larger one can try again. */
export const STACK_EXHAUSTED = -1;

const REPORTERS: Readonly<Record<Format, Reporter>> = {
  pretty: PRETTY_REPORTER,
  json: JSON_REPORTER,
  sarif: SARIF_REPORTER,
  github: GITHUB_REPORTER,
};

/**
 * Runs the command and answers its exit code, or {@link STACK_EXHAUSTED} where the terminal can give more stack. It never
 * throws, and never ends the process.
 *
 * @param cache - parsed files of earlier runs, for a process that runs the command more than once
 */
export function run(args: readonly string[], terminal: Terminal, cache?: SourceFileCache): number {
  try {
    return runCommand(parseCommandLine(args), terminal, cache);
  } catch (caught) {
    if (terminal.hasLargerStack === true && isStackExhausted(caught)) {
      return STACK_EXHAUSTED;
    }
    const error = toConformanceError(caught);
    const options = reporterOptions(terminal, false, false);
    terminal.stdout.write(REPORTERS[wantedFormat(args)].reportError(error, options));
    terminal.stderr.write(`toolwright-conformance: ${escapeLines(error.message)}\n`);
    return EXIT_FAILED;
  }
}

function runCommand(command: CommandLine, terminal: Terminal, cache: SourceFileCache | undefined): number {
  if (command.help) {
    terminal.stdout.write(helpText());
    return EXIT_OK;
  }
  if (command.version) {
    terminal.stdout.write(`${packageVersion()}\n`);
    return EXIT_OK;
  }
  if (command.explain !== null) {
    terminal.stdout.write(explanation(command.explain));
    return EXIT_OK;
  }
  const config = readCheckConfig(terminal.cwd, command.config);
  const baseline = command.baseline ?? config.baseline ?? null;
  const report = check(command, terminal, config, command.updateBaseline ? null : baseline, cache);
  const { cwd, stderr } = terminal;
  for (const { file, text } of report.manifests) {
    writeOutput(cwd, file, text, 'the effects manifest');
    stderr.write(`Effects manifest written to ${escapeText(file)}.\n`);
  }
  deliver(command, terminal, report);
  if (command.updateBaseline) {
    const name = baseline ?? BASELINE_FILE;
    writeOutput(cwd, name, baselineText(report.diagnostics), 'the baseline');
    stderr.write(`${String(report.diagnostics.length)} findings written to ${escapeText(name)}.\n`);
    return EXIT_OK;
  }
  return command.listTools ? EXIT_OK : exitCodeOf(report, command.isStrict);
}

function check(
  command: CommandLine,
  terminal: Terminal,
  config: CheckConfig,
  baseline: string | null,
  cache: SourceFileCache | undefined,
): Report {
  const { cwd } = terminal;
  const entries = baseline === null ? [] : readBaseline(cwd, baseline);
  const progress = new Progress(terminal);
  try {
    return analyze({
      cwd,
      paths: command.paths.map((one) => path.resolve(cwd, one)),
      configs: command.projects.map((one) => path.resolve(cwd, one)),
      ...(command.listTools ? { rules: [] } : command.rules.length > 0 ? { rules: command.rules } : {}),
      config,
      isStrict: command.isStrict,
      baseline: entries,
      updateManifests: command.updateManifest,
      now: () => terminal.now(),
      ...(cache === undefined ? {} : { cache }),
      onProgress: (step) => {
        progress.step(step);
      },
    });
  } finally {
    progress.clear();
  }
}

function deliver(command: CommandLine, terminal: Terminal, report: Report): void {
  const { stdout, stderr, env, cwd } = terminal;
  const colored = command.output === null && isColored(stdout, env);
  const text =
    command.listTools && command.format === 'pretty'
      ? listTools(report, colored)
      : REPORTERS[command.format].report(report, reporterOptions(terminal, colored, command.isStrict));
  if (command.format !== 'pretty') {
    // The document has no place for them, and standard output holds nothing but the document.
    report.notes.forEach((note) => stderr.write(`note: ${escapeText(note)}\n`));
    report.staleBaseline.forEach(({ rule, file }) =>
      stderr.write(`error: the baseline knows a finding of ${rule} in ${escapeText(file)} that is gone\n`),
    );
  }
  if (command.output === null) {
    stdout.write(text);
    return;
  }
  writeOutput(cwd, command.output, text, 'the report');
  stderr.write(`Report written to ${escapeText(command.output)}.\n`);
}

function reporterOptions({ cwd, env }: Terminal, colored: boolean, isStrict: boolean): ReporterOptions {
  const workspace = env['GITHUB_WORKSPACE'];
  const below = workspace === undefined || workspace === '' ? '' : path.relative(workspace, cwd);
  const isBelow = below !== '' && !below.startsWith('..') && !path.isAbsolute(below);
  return {
    isColored: colored,
    isStrict,
    version: packageVersion(),
    rules: RULES.map(({ id, summary }) => ({ id, summary })),
    pathPrefix: isBelow ? `${below.replaceAll('\\', '/')}/` : '',
  };
}

function exitCodeOf(report: Report, isStrict: boolean): number {
  const fails = report.diagnostics.some(({ verdict }) => verdict === 'violated' || isStrict);
  return fails || report.staleBaseline.length > 0 ? EXIT_FINDINGS : EXIT_OK;
}

function explanation(rule: RuleId): string {
  return readFileSync(packageFile(`src/rules/${rule}/rule.md`), 'utf8');
}

function toConformanceError(caught: unknown): ConformanceError {
  if (caught instanceof ConformanceError) {
    return caught;
  }
  if (isStackExhausted(caught)) {
    return new ConformanceError(
      'INTERNAL',
      'The code nests deeper than the stack that the check has, so nothing is proven. Write the return types of functions that ' +
        'call each other in a long row (generated ones, most often), or check the folders apart.',
      { cause: caught },
    );
  }
  const what = caught instanceof Error ? (caught.stack ?? caught.message) : String(caught);
  return new ConformanceError(
    'INTERNAL',
    `The check itself failed, so nothing is proven. Please report this with the lines below.\n${what}`,
    { cause: caught },
  );
}

function isStackExhausted(caught: unknown): boolean {
  return caught instanceof RangeError && caught.message.includes('call stack');
}

/** A message of several lines stays one; each line is escaped for itself. */
function escapeLines(message: string): string {
  return message.split('\n').map(escapeText).join('\n');
}
