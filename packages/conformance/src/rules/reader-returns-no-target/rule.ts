import type { ReturnFact, ToolFacts } from '../../model/fact-base.js';
import type { Rule } from '../../model/rule.js';
import type { Diagnostic, RuleVerdict, Verdict } from '../../model/verdict.js';

const ID = 'reader-returns-no-target';

interface Finding {
  readonly verdict: 'violated' | 'inconclusive';
  readonly message: string;
  readonly at: ReturnFact | null;
}

/** A reader that names a record either writes, or makes the record's history claim that it did. */
export const readerReturnsNoTarget: Rule = {
  id: ID,
  summary: 'No path of a read-only tool returns a write target.',
  check(facts) {
    const verdicts: RuleVerdict[] = [];
    const diagnostics: Diagnostic[] = [];
    for (const tool of facts.tools) {
      const reason = whyNotApplicable(tool);
      if (reason !== null) {
        verdicts.push(verdictOf(tool, 'not_applicable', reason));
        continue;
      }
      const findings = findingsOf(tool);
      const worst = findings.find(({ verdict }) => verdict === 'violated') ?? findings[0];
      verdicts.push(verdictOf(tool, worst?.verdict ?? 'proven', worst?.message ?? ''));
      diagnostics.push(...findings.map((finding) => diagnosticOf(tool, finding)));
    }
    return { verdicts, diagnostics };
  },
};

function whyNotApplicable(tool: ToolFacts): string | null {
  if (tool.framework !== 'toolwright') {
    return 'Only results of the Toolwright SDK carry a write target.';
  }
  const { kind, value } = tool.effect;
  const isWriter = value === 'idempotent_write' || value === 'non_idempotent_write';
  // Callers that give different writes still give a write each.
  return isWriter || (kind === 'constant' && value === null) ? 'The tool declares a write.' : null;
}

function findingsOf(tool: ToolFacts): readonly Finding[] {
  const { value, why } = tool.effect;
  if (value === null) {
    return [inconclusive(`Whether the tool is read-only is not known, because its effect is not: ${why}.`)];
  }
  if (tool.returns === null) {
    return [
      inconclusive('The code of `execute` was not found. Write the function where the tool is defined.'),
    ];
  }
  return tool.returns.flatMap((one): readonly Finding[] => {
    if (one.target === 'present') {
      return [
        {
          verdict: 'violated',
          message: `A read-only tool returns a write target here (\`${one.shape}\`). Return ToolResult.text(…), or declare the tool's write effect.`,
          at: one,
        },
      ];
    }
    if (one.target === 'absent') {
      return [];
    }
    return [
      inconclusive(
        `Whether a write target comes back here cannot be decided: ${one.why}. Return what a factory of ToolResult makes.`,
        one,
      ),
    ];
  });
}

function inconclusive(message: string, at: ReturnFact | null = null): Finding {
  return { verdict: 'inconclusive', message, at };
}

function verdictOf(tool: ToolFacts, verdict: Verdict, reason: string): RuleVerdict {
  return { rule: ID, toolId: tool.id, location: null, verdict, confidence: 'proven', reason };
}

function diagnosticOf(tool: ToolFacts, { verdict, message, at }: Finding): Diagnostic {
  return {
    rule: ID,
    verdict,
    message,
    toolId: tool.id,
    location: at?.location ?? tool.location,
    confidence: 'proven',
    witness: at?.witness ?? [],
  };
}
