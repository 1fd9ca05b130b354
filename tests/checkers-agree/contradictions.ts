import type { Report, RuleId } from '@toolwright/conformance';
import type { CheckedProject, LintFinding } from './checked-projects.js';
import { RULE_PAIRS } from './rule-pairs.js';

/** What the lint rules find although the conformance command proves the contrary, one line each. */
export function contradictionsIn({ report, withoutTypes, withTypes }: CheckedProject): string[] {
  return [...withoutTypes, ...withTypes].flatMap((finding) => {
    const answer = report === null ? 'nothing to check' : answerTo(finding, report);
    return answer === null ? [] : [`${describe(finding)}\n  the command: ${answer}`];
  });
}

function describe({ rule, file, line, message }: LintFinding): string {
  return `${file}:${String(line)} ${rule}: ${message}`;
}

/** The verdict that contradicts a finding; null where the command finds it too, or does not know. */
function answerTo(finding: LintFinding, report: Report): string | null {
  const rule = RULE_PAIRS[finding.rule];
  if (
    rule === undefined ||
    report.diagnostics.some((one) => one.rule === rule && isAt(finding, one.location))
  ) {
    return null;
  }
  const sites = report.verdicts.filter(
    (one) => one.rule === rule && one.location !== null && isAt(finding, one.location),
  );
  if (sites.length > 0) {
    return sites.every(({ verdict }) => verdict === 'proven') ? 'this place is proven' : null;
  }
  return answerForTool(finding, rule, report);
}

/** The command may show a fault elsewhere in the same tool: where a helper makes it, not where it comes out. */
function answerForTool(finding: LintFinding, rule: RuleId, report: Report): string | null {
  const tool = report.tools
    .filter(({ location }) => location.file === finding.file && location.line <= finding.line)
    .toSorted((a, b) => a.location.line - b.location.line)
    .at(-1);
  const verdicts = report.verdicts.filter(
    (one) => one.rule === rule && one.location === null && one.toolId === (tool?.id ?? null),
  );
  const isOpen = verdicts.some(({ verdict }) => verdict === 'violated' || verdict === 'inconclusive');
  // One verdict for the whole project says nothing about this place in it.
  if (isOpen && tool !== undefined) {
    return null;
  }
  const said = verdicts.map(({ verdict }) => verdict).join(', ');
  return `${tool?.name ?? 'the project'} is ${said === '' ? 'not judged' : said}`;
}

function isAt(finding: LintFinding, location: { readonly file: string; readonly line: number }): boolean {
  return location.file === finding.file && finding.line <= location.line && location.line <= finding.endLine;
}
