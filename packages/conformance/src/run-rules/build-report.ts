import type { FactBase, ToolFacts } from '../model/fact-base.js';
import type { BaselineEntry } from '../model/baseline.js';
import type { CodeFrame, ManifestText, Report, ReportedDiagnostic, ReportSummary } from '../model/report.js';
import type { ConfiguredSuppression, SuppressionComment } from '../model/suppression.js';
import type { Diagnostic, RuleResult, RuleVerdict } from '../model/verdict.js';
import { applyBaseline, type BaselineScope } from './apply-baseline.js';
import { fingerprintsOf } from './fingerprint.js';
import { applySuppressions } from './suppress.js';

const FRAME_LINES_BEFORE = 2;
const FRAME_LINES_AFTER = 1;

export interface ReportInput {
  readonly facts: FactBase;
  readonly result: RuleResult;
  /** Source texts by path relative to the working directory. */
  readonly texts: ReadonlyMap<string, string>;
  readonly comments: readonly SuppressionComment[];
  readonly suppressions: readonly ConfiguredSuppression[];
  readonly baseline: readonly BaselineEntry[];
  readonly baselineScope: BaselineScope;
  readonly manifests: readonly ManifestText[];
  readonly knownRules: ReadonlySet<string>;
  readonly notes: readonly string[];
  readonly seconds: number;
}

/** Puts together what reporters print. */
export function buildReport(input: ReportInput): Report {
  const { facts, result } = input;
  const linesOf = lineReader(input.texts);
  const names = new Map(facts.tools.map((tool) => [tool.id, tool.name.value]));
  const nameOf = (toolId: string | null): string | null =>
    toolId === null ? null : (names.get(toolId) ?? null);
  const ordered = [...result.diagnostics].sort(byPlace);
  const fingerprints = fingerprintsOf(ordered, nameOf, (file, line) => linesOf(file)[line - 1] ?? '');
  const diagnostics = ordered.map((diagnostic, index): ReportedDiagnostic => ({
    ...diagnostic,
    severity: diagnostic.verdict === 'violated' ? 'error' : 'warning',
    tool: nameOf(diagnostic.toolId),
    fingerprint: fingerprints[index] ?? '',
    frame: frameOf(linesOf(diagnostic.location.file), diagnostic.location.line),
  }));
  const asked = applySuppressions(diagnostics, input.comments, input.suppressions, input.knownRules);
  const { standing, known, stale } = applyBaseline(asked.standing, input.baseline, input.baselineScope);
  const suppressed = [...asked.suppressed, ...known];
  return {
    summary: summaryOf(input, standing, suppressed.length),
    tools: facts.tools.map(toolOf),
    verdicts: result.verdicts,
    diagnostics: standing,
    suppressed,
    unresolved: facts.unresolved,
    assumptions: [...new Set(facts.assumptions)],
    staleBaseline: stale,
    manifests: input.manifests,
    notes: [...input.notes, ...asked.notes],
  };
}

function toolOf(tool: ToolFacts): Report['tools'][number] {
  const { id, framework, location } = tool;
  return {
    id,
    name: tool.name.value,
    effect: tool.effect.value,
    declared: tool.effect.kind !== 'absent',
    framework,
    location,
  };
}

function summaryOf(
  { facts, result, seconds }: ReportInput,
  standing: readonly Diagnostic[],
  suppressed: number,
): ReportSummary {
  const count = (kind: RuleVerdict['verdict']): number =>
    result.verdicts.filter((verdict) => verdict.verdict === kind && stands(verdict, standing)).length;
  return {
    files: facts.files,
    tools: facts.tools.length,
    proven: count('proven'),
    violated: count('violated'),
    inconclusive: count('inconclusive'),
    notApplicable: count('not_applicable'),
    suppressed,
    paths: facts.paths,
    unresolved: facts.unresolved.length,
    seconds,
  };
}

/** Whether a verdict still has a finding behind it. One that needs none always stands. */
function stands(verdict: RuleVerdict, standing: readonly Diagnostic[]): boolean {
  if (verdict.verdict !== 'violated' && verdict.verdict !== 'inconclusive') {
    return true;
  }
  return standing.some(
    (one) => one.rule === verdict.rule && one.verdict === verdict.verdict && isBehind(one, verdict),
  );
}

/** A verdict on a place has its finding there; one on the whole project has any of the rule's. */
function isBehind(finding: Diagnostic, { toolId, location }: RuleVerdict): boolean {
  if (location !== null) {
    return finding.location.file === location.file && finding.location.line === location.line;
  }
  return toolId === null || finding.toolId === toolId;
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  const order = a.location.file.localeCompare(b.location.file, 'en');
  if (order !== 0) {
    return order;
  }
  return a.location.line - b.location.line || a.location.column - b.location.column;
}

function lineReader(texts: ReadonlyMap<string, string>): (file: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (file) => {
    const lines = known.get(file) ?? (texts.get(file) ?? '').split(/\r\n|[\n\r]/u);
    known.set(file, lines);
    return lines;
  };
}

function frameOf(lines: readonly string[], line: number): CodeFrame | null {
  if (line > lines.length || lines.length === 1) {
    return lines.length === 1 && lines[0] !== '' && line === 1 ? { firstLine: 1, lines } : null;
  }
  const firstLine = Math.max(1, line - FRAME_LINES_BEFORE);
  return { firstLine, lines: lines.slice(firstLine - 1, line + FRAME_LINES_AFTER) };
}
