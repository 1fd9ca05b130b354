import type { EffectClass } from '../model/effect.js';
import { EFFECT_RANK } from '../model/effect.js';
import type { Decision, Outcome, OutcomeRule } from '../model/library-file.js';

/** The worst that a rule says a call can do, before any argument is looked at. */
export interface StatedEffect {
  readonly effect: EffectClass | 'unknown';
  /** `argument`: what is passed decides whether, or how far, it goes. */
  readonly when: 'always' | 'argument';
}

/** Reads the worst effect off a rule, without the parsers that judging a call takes. */
export function statedEffect(rule: OutcomeRule): StatedEffect {
  if (rule.decide === undefined) {
    return { effect: rule.effect ?? 'none', when: rule.paths === undefined ? 'always' : 'argument' };
  }
  const effect = worstOf(rule.decide);
  const isFixed = rule.decide.by === 'http' && isFixedWrite(rule.decide);
  return { effect, when: isFixed ? 'always' : 'argument' };
}

/** PUT, PATCH and DELETE write whatever they are passed; a POST may be a search. */
function isFixedWrite(decision: Extract<Decision, { by: 'http' }>): boolean {
  const isOpen = decision.method !== undefined || decision.route !== undefined;
  return !isOpen && /^(PUT|PATCH|DELETE)$/.test(decision.defaultMethod ?? '');
}

function worstOf(decision: Decision): EffectClass | 'unknown' {
  switch (decision.by) {
    case 'http':
    case 'graphql':
    case 'made':
      return 'remote';
    case 'sql':
    case 'verb':
      return decision.where;
    case 'command':
    case 'shell':
    case 'flag':
      return 'local';
    case 'value':
      return worstOutcome([...decision.cases, decision.absent, decision.otherwise]);
    case 'presence':
      return worstOutcome([decision.present, decision.absent]);
    case 'keys':
      return worstOutcome([...decision.cases, decision.otherwise, decision.unknown]);
  }
}

function worstOutcome(outcomes: readonly (Outcome | undefined)[]): EffectClass | 'unknown' {
  let worst: EffectClass | 'unknown' = 'none';
  for (const outcome of outcomes) {
    if (outcome === undefined || outcome.effect === 'none') continue;
    if (outcome.effect === 'unknown') worst = worst === 'none' ? 'unknown' : worst;
    else if (worst === 'unknown' || EFFECT_RANK[outcome.effect] > EFFECT_RANK[worst]) worst = outcome.effect;
  }
  return worst;
}
