import type { FactBase } from '../model/fact-base.js';
import type { Rule } from '../model/rule.js';
import type { Diagnostic, RuleResult, RuleVerdict } from '../model/verdict.js';

/**
 * Asks every rule. A verdict that is violated or inconclusive always comes with a finding, so that no
 * run fails without saying where.
 *
 * @param isStrict - whether what only a name speaks for counts as undecided
 */
export function runRules(rules: readonly Rule[], facts: FactBase, isStrict: boolean): RuleResult {
  const verdicts: RuleVerdict[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const rule of rules) {
    const result = rule.check(facts);
    const judged = isStrict ? result.verdicts.map(withoutNames) : result.verdicts;
    verdicts.push(...judged);
    diagnostics.push(...result.diagnostics);
    for (const verdict of judged) {
      const finding = missingFinding(verdict, result.diagnostics, facts);
      if (finding !== null) {
        diagnostics.push(finding);
      }
    }
  }
  return { verdicts, diagnostics };
}

function withoutNames(verdict: RuleVerdict): RuleVerdict {
  return verdict.verdict === 'proven' && verdict.confidence === 'by-name'
    ? {
        ...verdict,
        verdict: 'inconclusive',
        reason: `Only names of a client speak for it${verdict.reason === '' ? '' : `: ${verdict.reason}`}`,
      }
    : verdict;
}

function missingFinding(
  verdict: RuleVerdict,
  diagnostics: readonly Diagnostic[],
  facts: FactBase,
): Diagnostic | null {
  if (verdict.verdict !== 'violated' && verdict.verdict !== 'inconclusive') {
    return null;
  }
  const hasFinding = diagnostics.some(
    (one) =>
      one.toolId === verdict.toolId &&
      (verdict.location === null || isSamePlace(one.location, verdict.location)),
  );
  const location = verdict.location ?? facts.tools.find(({ id }) => id === verdict.toolId)?.location ?? null;
  if (hasFinding || location === null) {
    return null;
  }
  return {
    rule: verdict.rule,
    verdict: verdict.verdict,
    message: verdict.reason,
    toolId: verdict.toolId,
    location,
    confidence: verdict.confidence,
    witness: [],
  };
}

function isSamePlace(a: Diagnostic['location'], b: Diagnostic['location']): boolean {
  return a.file === b.file && a.line === b.line;
}
