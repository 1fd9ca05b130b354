import type { RebuildFact, RebuiltField } from '../../model/fact-base.js';
import type { Rule } from '../../model/rule.js';
import type { Diagnostic, RuleVerdict, Verdict } from '../../model/verdict.js';

const ID = 'result-rebuild-keeps-fields';

/** A field that is forgotten in one rebuild is gone for everything behind it, and no test of the tool notices. */
export const resultRebuildKeepsFields: Rule = {
  id: ID,
  summary: 'Wherever a result goes in and a new one comes out, every field goes along.',
  check(facts) {
    const verdicts: RuleVerdict[] = [];
    const diagnostics: Diagnostic[] = [];
    for (const rebuild of facts.rebuilds) {
      const dropped = rebuild.fields.filter(({ fate }) => fate === 'dropped');
      const open = rebuild.fields.filter(({ fate }) => fate === 'unknown');
      const verdict: Verdict = dropped.length > 0 ? 'violated' : open.length > 0 ? 'inconclusive' : 'proven';
      const lost = dropped.length > 0 ? dropped : open;
      verdicts.push({
        rule: ID,
        toolId: rebuild.toolId,
        location: rebuild.location,
        verdict,
        confidence: 'proven',
        reason: verdict === 'proven' ? '' : messageOf(rebuild, lost, verdict),
      });
      if (verdict !== 'proven') {
        diagnostics.push(diagnosticOf(rebuild, lost, verdict));
      }
    }
    return { verdicts, diagnostics };
  },
};

function messageOf(
  rebuild: RebuildFact,
  fields: readonly RebuiltField[],
  verdict: 'violated' | 'inconclusive',
): string {
  const list = fields.map(({ name, why }) => `\`${name}\` (${why})`).join(', ');
  return verdict === 'violated'
    ? `A ${rebuild.type} goes in and a new one comes out here without ${list}. ${remedy(rebuild.type)}`
    : `A ${rebuild.type} goes in and a new one comes out here, and it cannot be decided whether all of it goes along: ${list}. ${remedy(rebuild.type)}`;
}

function remedy(type: string): string {
  switch (type) {
    case 'ToolResult':
      return 'Use result.withContent(…) or result.withArtifacts(…), which keep every other field.';
    case 'WriteTarget':
      return 'Hand the target on as it is.';
    default:
      return 'Spread the old value first, and then set what changes.';
  }
}

function diagnosticOf(
  rebuild: RebuildFact,
  fields: readonly RebuiltField[],
  verdict: 'violated' | 'inconclusive',
): Diagnostic {
  const [first] = fields;
  return {
    rule: ID,
    verdict,
    message: messageOf(rebuild, fields, verdict),
    toolId: rebuild.toolId,
    location: rebuild.location,
    confidence: 'proven',
    witness: first?.witness ?? rebuild.witness,
  };
}
