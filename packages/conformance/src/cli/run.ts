import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { analyze } from '../analyze.js';
import type { SourceFileCache } from '../load/source-file-cache.js';
import { ConformanceError } from '../model/errors.js';
import type { Report } from '../model/report.js';
import type { RuleId } from '../model/verdict.js';
import { escapeText } from '../reporters/escape-text.js';
import { JSON_REPORTER } from '../reporters/json.js';
import { listTools, PRETTY_REPORTER } from '../reporters/pretty.js';
import type { Reporter } from '../reporters/reporter.js';
import { helpText } from './help.js';
import { packageFile, packageVersion } from './package-files.js';
import { parseCommandLine, wantsJson, type CommandLine, type Format } from './parse-command-line.js';
import { Progress } from './progress.js';
import { readCheckConfig } from './read-check-config.js';
import { isColored, type Terminal } from './terminal.js';

export const EXIT_OK = 0;
export const EXIT_FINDINGS = 1;
export const EXIT_FAILED = 2;

const REPORTERS: Readonly<Record<Format, Reporter>> = { pretty: PRETTY_REPORTER, json: JSON_REPORTER };

/**
 * Runs the command and answers its exit code. It never throws, and never ends the process.
 *
 * @param cache - parsed files of earlier runs, for a process that runs the command more than once
 */
export function run(args: readonly string[], terminal: Terminal, cache?: SourceFileCache): number {
  try {
    return runCommand(parseCommandLine(args), terminal, cache);
  } catch (caught) {
    const error = toConformanceError(caught);
    if (wantsJson(args)) {
      terminal.stdout.write(JSON_REPORTER.reportError(error));
    }
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
  const report = check(command, terminal, cache);
  deliver(command, terminal, report);
  return command.listTools ? EXIT_OK : exitCodeOf(report, command.isStrict);
}

function check(command: CommandLine, terminal: Terminal, cache: SourceFileCache | undefined): Report {
  const { cwd } = terminal;
  const progress = new Progress(terminal);
  try {
    return analyze({
      cwd,
      paths: command.paths.map((one) => path.resolve(cwd, one)),
      configs: command.projects.map((one) => path.resolve(cwd, one)),
      ...(command.listTools ? { rules: [] } : command.rules.length > 0 ? { rules: command.rules } : {}),
      config: readCheckConfig(cwd, command.config),
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
      : REPORTERS[command.format].report(report, { isColored: colored, isStrict: command.isStrict });
  if (command.format !== 'pretty') {
    // The document has no place for them, and standard output holds nothing but the document.
    report.notes.forEach((note) => stderr.write(`note: ${escapeText(note)}\n`));
  }
  if (command.output === null) {
    stdout.write(text);
    return;
  }
  const fileName = path.resolve(cwd, command.output);
  try {
    writeFileSync(fileName, text);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new ConformanceError(
      'OUTPUT_FAILED',
      `Cannot write the report to ${command.output} (${code}). Check that its folder is there and writable.`,
      { cause },
    );
  }
  stderr.write(`Report written to ${escapeText(command.output)}.\n`);
}

function exitCodeOf(report: Report, isStrict: boolean): number {
  const fails = report.diagnostics.some(({ verdict }) => verdict === 'violated' || isStrict);
  return fails ? EXIT_FINDINGS : EXIT_OK;
}

function explanation(rule: RuleId): string {
  return readFileSync(packageFile(`src/rules/${rule}/rule.md`), 'utf8');
}

function toConformanceError(caught: unknown): ConformanceError {
  if (caught instanceof ConformanceError) {
    return caught;
  }
  const what = caught instanceof Error ? (caught.stack ?? caught.message) : String(caught);
  return new ConformanceError(
    'INTERNAL',
    `The check itself failed, so nothing is proven. Please report this with the lines below.\n${what}`,
    { cause: caught },
  );
}

/** A message of several lines stays one; each line is escaped for itself. */
function escapeLines(message: string): string {
  return message.split('\n').map(escapeText).join('\n');
}
