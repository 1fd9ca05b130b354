import type { ReturnFact, ToolFacts } from '../../model/fact-base.js';
import type { Rule } from '../../model/rule.js';
import type { Diagnostic, RuleVerdict, Verdict } from '../../model/verdict.js';

const ID = 'writer-returns-target';

interface Finding {
  readonly verdict: 'violated' | 'inconclusive';
  readonly message: string;
  readonly at: ReturnFact | null;
}

/** What a write did is only known later if the tool says which record it was. */
export const writerReturnsTarget: Rule = {
  id: ID,
  summary:
    'Every path of a declared writer that ends without an error returns a write target, or says that nothing changed.',
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
  return kind === 'absent' || value === 'read_only' ? 'The tool declares no write.' : null;
}

function findingsOf(tool: ToolFacts): readonly Finding[] {
  const { kind, value, why } = tool.effect;
  if (value === null && kind !== 'constant') {
    return [inconclusive(`Whether the tool is a writer is not known, because its effect is not: ${why}.`)];
  }
  if (tool.returns === null) {
    return [
      inconclusive('The code of `execute` was not found. Write the function where the tool is defined.'),
    ];
  }
  const findings = tool.returns.flatMap((one) => findingOf(one));
  const hasTarget = tool.returns.some(({ shape, target }) => shape !== 'none' && target === 'present');
  const isOpen = findings.some(({ verdict }) => verdict === 'inconclusive');
  if (!hasTarget && !isOpen && findings.length === 0) {
    findings.push({
      verdict: 'violated',
      message:
        'The tool declares a write and no path of it returns a write target. Return ToolResult.wrote(target, …) where the write has landed.',
      at: null,
    });
  }
  return findings;
}

function findingOf(one: ReturnFact): readonly Finding[] {
  switch (one.shape) {
    case 'refused':
    case 'error':
      return one.target === 'present' && one.uid?.kind === 'other' ? [openUid(one)] : [];
    case 'unchanged':
      return [];
    case 'wrote':
      if (one.target !== 'present') {
        return [inconclusive(`Which record was written is not known: ${one.why}.`, one)];
      }
      return one.uid?.kind === 'other' ? [openUid(one)] : [];
    case 'text':
      return [
        {
          verdict: 'violated',
          message:
            'A declared writer returns `text` here, which names no record. Return ToolResult.wrote(target, …), or ToolResult.unchanged(…) if nothing had to change.',
          at: one,
        },
      ];
    case 'none':
      return [
        {
          verdict: 'violated',
          message: `A declared writer ends here without a result: ${one.why}. Return ToolResult.wrote(target, …).`,
          at: one,
        },
      ];
    case 'unknown':
      return one.target === 'present'
        ? []
        : [
            inconclusive(
              `What comes back here cannot be decided: ${one.why}. Return what a factory of ToolResult makes.`,
              one,
            ),
          ];
  }
}

function openUid(one: ReturnFact): Finding {
  return inconclusive(
    `Whether the target names the record that was written is not known: ${one.uid?.why ?? one.why}. Use the uid that the write answered, or the one of the input.`,
    one,
  );
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
