import pc from 'picocolors';
import type { SourceLocation } from '../model/location.js';
import type { CodeFrame, Report, ReportedDiagnostic, ReportedTool } from '../model/report.js';
import type { RuleId, RuleVerdict, Verdict } from '../model/verdict.js';
import { cutText, escapeLine, escapeText } from './escape-text.js';
import type { Reporter } from './reporter.js';

type Colors = ReturnType<typeof pc.createColors>;

const MAX_UNRESOLVED = 20;
const MAX_LINE_LENGTH = 160;
const LABEL_WIDTH = 'not applicable'.length;
const EFFECT_RULE: RuleId = 'effect-matches-code';
const VERDICT_ORDER: readonly Verdict[] = ['violated', 'inconclusive', 'proven', 'not_applicable'];

/** For people: tools, verdicts, findings with their code and witness paths, and what they rest on. */
export const PRETTY_REPORTER: Reporter = {
  report(report, { isColored, isStrict }) {
    const colors = pc.createColors(isColored);
    const sections = [
      toolSection(report, colors),
      projectSection(report, colors),
      findingSection(report, colors),
      suppressedSection(report, colors),
      staleSection(report, colors),
      unresolvedSection(report, colors),
      listSection('Taken for granted', report.assumptions, colors),
      listSection('Notes', report.notes, colors),
      summarySection(report, isStrict, colors),
    ];
    return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
  },
  reportError() {
    return '';
  },
};

/** The tools alone, one a line. */
export function listTools(report: Report, isColored: boolean): string {
  const colors = pc.createColors(isColored);
  const width = nameWidth(report.tools);
  const lines = report.tools.map((tool) => toolLine(tool, width, colors));
  return `${[...lines, '', countLine(report)].join('\n')}\n`;
}

function toolSection(report: Report, colors: Colors): string {
  if (report.tools.length === 0) {
    return '';
  }
  const width = nameWidth(report.tools);
  const verdicts = new Map<string | null, RuleVerdict[]>(report.tools.map(({ id }) => [id, []]));
  for (const verdict of report.verdicts) {
    if (verdict.location === null) {
      verdicts.get(verdict.toolId)?.push(verdict);
    }
  }
  const lines = report.tools.flatMap((tool) => {
    const own = verdicts.get(tool.id) ?? [];
    return [
      toolLine(tool, width, colors),
      ...verdictLines(own, colors),
      ...(tool.effect === null && !tool.declared ? informationLines(own, colors) : []),
    ];
  });
  return [colors.bold('Tools'), ...lines].join('\n');
}

function nameWidth(tools: readonly ReportedTool[]): number {
  return Math.min(40, Math.max(0, ...tools.map((tool) => displayName(tool.name).length)));
}

function displayName(name: string | null): string {
  return name === null ? '(name is no literal)' : cutText(escapeText(name), 64);
}

function toolLine(tool: ReportedTool, width: number, colors: Colors): string {
  const effect = tool.effect ?? (tool.declared ? '(effect is no literal)' : '(declares nothing)');
  const declared = tool.declared || tool.effect === null ? '' : ' (by default)';
  const name = displayName(tool.name);
  return (
    `  ${colors.bold(name)}${' '.repeat(Math.max(0, width - name.length))}  ` +
    `${colorEffect(effect, colors)}${declared}  ${colors.dim(placeOf(tool.location))}`
  );
}

function colorEffect(effect: string, colors: Colors): string {
  return effect === 'read_only' ? colors.cyan(effect) : colors.magenta(effect);
}

function verdictLines(verdicts: readonly RuleVerdict[], colors: Colors): readonly string[] {
  return VERDICT_ORDER.flatMap((kind) => {
    const those = verdicts.filter(({ verdict }) => verdict === kind);
    if (those.length === 0) {
      return [];
    }
    const names = those.map(({ rule, confidence }) =>
      confidence === 'by-name' ? `${rule} (by name)` : rule,
    );
    return [`    ${verdictLabel(kind, colors)}  ${names.join(', ')}`];
  });
}

/** What the code of a tool that declares nothing does: no verdict, and what its maintainer wants to know. */
function informationLines(verdicts: readonly RuleVerdict[], colors: Colors): readonly string[] {
  return verdicts
    .filter(({ rule, reason }) => rule === EFFECT_RULE && reason !== '')
    .map(({ reason }) => `    ${colors.cyan('information'.padEnd(LABEL_WIDTH))}  ${escapeText(reason)}`);
}

function verdictLabel(verdict: Verdict, colors: Colors): string {
  const text = verdict.replace('_', ' ').padEnd(LABEL_WIDTH);
  switch (verdict) {
    case 'proven':
      return colors.green(text);
    case 'violated':
      return colors.red(text);
    case 'inconclusive':
      return colors.yellow(text);
    case 'not_applicable':
      return colors.dim(text);
  }
}

/** Verdicts about the project, and about single places that rebuild something. */
function projectSection(report: Report, colors: Colors): string {
  const tools = new Set(report.tools.map(({ id }) => id));
  const others = report.verdicts.filter(
    ({ toolId, location }) => location !== null || toolId === null || !tools.has(toolId),
  );
  if (others.length === 0) {
    return '';
  }
  const lines = others.map(({ rule, verdict, location, reason }) => {
    const place = location === null ? '' : `  ${colors.dim(placeOf(location))}`;
    const why = reason === '' ? '' : `  ${escapeText(reason)}`;
    return `    ${verdictLabel(verdict, colors)}  ${rule}${place}${why}`;
  });
  return [colors.bold('Project'), ...lines].join('\n');
}

function findingSection(report: Report, colors: Colors): string {
  if (report.diagnostics.length === 0) {
    return '';
  }
  return [
    colors.bold('Findings'),
    ...report.diagnostics.map((diagnostic) => finding(diagnostic, colors)),
  ].join('\n\n');
}

function finding(diagnostic: ReportedDiagnostic, colors: Colors): string {
  const { verdict, rule, location, message, frame, witness } = diagnostic;
  const label = verdict === 'violated' ? colors.red('violated') : colors.yellow('inconclusive');
  const tool = diagnostic.toolId === null ? '' : `  ${displayName(diagnostic.tool)}`;
  const byName = diagnostic.confidence === 'by-name' ? ' (by name)' : '';
  const steps = witness.map(
    (step, index) =>
      `      ${String(index + 1)}. ${colors.dim(exactPlaceOf(step))}  ${escapeText(step.message)}`,
  );
  return [
    `  ${label}${byName}  ${colors.bold(rule)}${tool}  ${colors.dim(exactPlaceOf(location))}`,
    `    ${escapeText(message)}`,
    ...(frame === null ? [] : frameLines(frame, location, colors)),
    ...(steps.length === 0 ? [] : ['    Path:', ...steps]),
  ].join('\n');
}

function frameLines(frame: CodeFrame, location: SourceLocation, colors: Colors): readonly string[] {
  const lastLine = frame.firstLine + frame.lines.length - 1;
  const width = String(lastLine).length;
  return frame.lines.flatMap((line, index) => {
    const number = frame.firstLine + index;
    const isMarked = number === location.line;
    const gutter = `    ${isMarked ? '>' : ' '} ${String(number).padStart(width)} | `;
    const text = cutText(escapeLine(line), MAX_LINE_LENGTH);
    const shown = `${colors.dim(gutter)}${text}`;
    // Escaping lengthens what stands before the place, so the mark is measured on the escaped text.
    const column = escapeLine(line.slice(0, location.column - 1)).length;
    return isMarked && column < MAX_LINE_LENGTH
      ? [shown, `${colors.dim(`      ${' '.repeat(width)} | `)}${' '.repeat(column)}${colors.red('^')}`]
      : [shown];
  });
}

function suppressedSection(report: Report, colors: Colors): string {
  return listSection(
    'Suppressed',
    report.suppressed.map(
      ({ diagnostic, reason }) => `${diagnostic.rule}  ${exactPlaceOf(diagnostic.location)}  ${reason}`,
    ),
    colors,
  );
}

function staleSection(report: Report, colors: Colors): string {
  const lines = report.staleBaseline.map(
    ({ rule, file, tool }) => `${rule}  ${file}${tool === null ? '' : `  ${tool}`}`,
  );
  const advice = 'Run with --update-baseline to forget them; until then they fail the run.';
  return lines.length === 0
    ? ''
    : listSection(colors.red('In the baseline, and gone'), [...lines, advice], colors);
}

function unresolvedSection(report: Report, colors: Colors): string {
  const shown = report.unresolved
    .slice(0, MAX_UNRESOLVED)
    .map(({ location, callee, why }) => `${exactPlaceOf(location)}  ${callee}  ${why}`);
  const more = report.unresolved.length - shown.length;
  const lines = more > 0 ? [...shown, `and ${String(more)} more; --format json lists them all`] : shown;
  return listSection('Unresolved calls', lines, colors);
}

function listSection(title: string, lines: readonly string[], colors: Colors): string {
  return lines.length === 0
    ? ''
    : [colors.bold(title), ...lines.map((line) => `    ${escapeText(line)}`)].join('\n');
}

function summarySection(report: Report, isStrict: boolean, colors: Colors): string {
  const { proven, violated, inconclusive, notApplicable, suppressed } = report.summary;
  const verdicts = [
    `${String(proven)} proven`,
    `${String(violated)} violated`,
    `${String(inconclusive)} inconclusive`,
    `${String(notApplicable)} not applicable`,
    `${String(suppressed)} suppressed`,
  ].join(', ');
  const fails = violated > 0 || (isStrict && inconclusive > 0) || report.staleBaseline.length > 0;
  return [countLine(report), `Verdicts: ${fails ? colors.red(verdicts) : verdicts}`].join('\n');
}

/** What was read and followed, in one line. */
export function countLine({ summary }: Report): string {
  return (
    `Summary: ${counted(summary.files, 'file')}, ${counted(summary.tools, 'tool')}, ` +
    `${counted(summary.paths, 'path')} proven, ${counted(summary.unresolved, 'unresolved call')}, ` +
    `${summary.seconds.toFixed(2)} s`
  );
}

function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function placeOf({ file, line }: SourceLocation): string {
  return `${escapeText(file)}:${String(line)}`;
}

function exactPlaceOf(location: SourceLocation): string {
  return `${placeOf(location)}:${String(location.column)}`;
}
