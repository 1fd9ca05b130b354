import type { ToolFacts } from '../../model/fact-base.js';
import type { Rule } from '../../model/rule.js';
import type { Diagnostic, RuleVerdict } from '../../model/verdict.js';

const ID = 'effect-is-constant';

/** An effect that a setting can change is no property of the code, so nothing that relies on it holds. */
export const effectIsConstant: Rule = {
  id: ID,
  summary: 'The declared effect is a literal of the code.',
  check(facts) {
    const verdicts: RuleVerdict[] = [];
    const diagnostics: Diagnostic[] = [];
    for (const tool of facts.tools) {
      verdicts.push(verdictOf(tool));
      const { effect } = tool;
      if (tool.isWrapper !== true && (effect.kind === 'not_constant' || effect.kind === 'undecided')) {
        diagnostics.push({
          rule: ID,
          verdict: effect.kind === 'not_constant' ? 'violated' : 'inconclusive',
          message:
            effect.kind === 'not_constant'
              ? `The declared effect is no literal of the code: ${effect.why}. Write one member of ToolEffect here.`
              : `Whether the declared effect is a literal cannot be decided: ${effect.why}. Write one member of ToolEffect here.`,
          toolId: tool.id,
          location: effect.location,
          confidence: 'proven',
          witness: effect.witness,
        });
      }
    }
    return { verdicts, diagnostics };
  },
};

function verdictOf(tool: ToolFacts): RuleVerdict {
  const { effect } = tool;
  const base = { rule: ID, toolId: tool.id, location: null, confidence: 'proven' } as const;
  if (tool.isWrapper === true) {
    return { ...base, verdict: 'not_applicable', reason: 'It has the effect of the tool that it wraps.' };
  }
  switch (effect.kind) {
    case 'absent':
      // Nothing is declared, so nothing that could change: our SDK reads it as read-only, always.
      return effect.value === null
        ? { ...base, verdict: 'not_applicable', reason: 'No effect is declared.' }
        : { ...base, verdict: 'proven', reason: `No effect is declared, which means ${effect.value}.` };
    case 'constant':
      return { ...base, verdict: 'proven', reason: effect.why };
    case 'not_constant':
      return { ...base, verdict: 'violated', reason: `${effect.why}.` };
    case 'undecided':
      return { ...base, verdict: 'inconclusive', reason: `${effect.why}.` };
  }
}
