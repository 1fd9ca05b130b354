import type { ReachFacts, UnresolvedFact, WriteFact } from '../model/effect-facts.js';
import type { ToolFacts } from '../model/fact-base.js';
import type { Diagnostic, RuleId, Confidence, RuleVerdict, Verdict } from '../model/verdict.js';

// What the rules on effects share: how a reached write is chosen and told.

/** A rule's answer for one tool, and the place that shows it. */
export interface ReachAnswer {
  readonly verdict: Verdict;
  readonly confidence: Confidence;
  readonly reason: string;
  readonly at: Pick<WriteFact | UnresolvedFact, 'location' | 'witness'> | null;
}

export function answer(verdict: Verdict, reason: string): ReachAnswer {
  return { verdict, confidence: 'proven', reason, at: null };
}

/** One verdict per tool, with a finding where one is needed. */
export function answerForEach(
  rule: RuleId,
  tools: readonly ToolFacts[],
  judge: (tool: ToolFacts) => ReachAnswer,
): { readonly verdicts: readonly RuleVerdict[]; readonly diagnostics: readonly Diagnostic[] } {
  const verdicts: RuleVerdict[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const tool of tools) {
    const { verdict, confidence, reason, at } = judge(tool);
    verdicts.push({ rule, toolId: tool.id, location: null, verdict, confidence, reason });
    if (verdict === 'violated' || verdict === 'inconclusive') {
      diagnostics.push({
        rule,
        verdict,
        message: reason,
        toolId: tool.id,
        location: at?.location ?? tool.location,
        confidence,
        witness: at?.witness ?? [],
      });
    }
  }
  return { verdicts, diagnostics };
}

/** Beyond this process. State of the process ends with it, and violates nothing. */
export function isOutside({ effect }: WriteFact): boolean {
  return effect === 'local' || effect === 'remote' || effect === 'content';
}

/** Writes beyond this process that happen, always or for some arguments; the clearest first. */
export function certainWrites({ writes }: ReachFacts): readonly WriteFact[] {
  const weight = (write: WriteFact): number =>
    (write.confidence === 'proven' ? 0 : 4) +
    (write.certainty === 'always' ? 0 : 2) +
    (write.when === '' ? 0 : 1);
  return writes
    .filter((write) => isOutside(write) && write.certainty !== 'undecided')
    .sort((a, b) => weight(a) - weight(b));
}

/** What keeps an answer open: a write of which it is not known whether it happens, or an unresolved call. */
export function openQuestion(reach: ReachFacts): ReachAnswer | null {
  const undecided = reach.writes.find(
    (write) => write.certainty === 'undecided' && write.effect !== 'session',
  );
  if (undecided !== undefined) {
    const when = undecided.when === '' ? '' : `: it can write when ${undecided.when}`;
    // The reason of a call that an argument decides is that condition itself.
    const reason =
      when !== '' && undecided.reason.startsWith('can write when ') ? '' : ` (${undecided.reason})`;
    return {
      verdict: 'inconclusive',
      confidence: undecided.confidence,
      reason: `Whether \`${undecided.callee}\` writes cannot be decided${when}${reason}.`,
      at: undecided,
    };
  }
  return unresolvedCall(reach);
}

export function unresolvedCall({ unresolved }: ReachFacts): ReachAnswer | null {
  const [call] = unresolved;
  if (call === undefined) {
    return null;
  }
  const more = unresolved.length > 1 ? ` (and of ${countText(unresolved.length - 1, 'more call')})` : '';
  return {
    verdict: 'inconclusive',
    confidence: 'proven',
    reason:
      `What \`${call.callee}\` does cannot be said${more}: ${call.why}. ` +
      'Say it in the configuration ("effects"), or let the check see its source.',
    at: call,
  };
}

/** Nothing is written: proven, or as far as names say where one had to be believed. */
export function readsOnly({ readsByName }: ReachFacts, reason: string): ReachAnswer {
  return readsByName.length === 0
    ? answer('proven', reason)
    : {
        ...answer('proven', `It reads as far as names say: ${namesText(readsByName)}.`),
        confidence: 'by-name',
      };
}

export function conditionText({ when }: WriteFact): string {
  return when === '' ? '' : ` when ${when}`;
}

export function countText(count: number, what: string): string {
  return `${String(count)} ${what}${count === 1 ? '' : 's'}`;
}

export function namesText(names: readonly string[]): string {
  return names.map((one) => `\`${one}\``).join(', ');
}
