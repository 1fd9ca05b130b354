import type { UnresolvedFact, WriteFact } from '../../model/effect-facts.js';
import type { ToolFacts } from '../../model/fact-base.js';
import type { Rule } from '../../model/rule.js';
import type { Confidence, Diagnostic, RuleVerdict, Verdict } from '../../model/verdict.js';

const ID = 'effect-matches-code';

interface Answer {
  readonly verdict: Verdict;
  readonly confidence: Confidence;
  readonly reason: string;
  readonly at: WriteFact | UnresolvedFact | null;
}

/** Whoever asks a person before a write, retries a read or keeps a record of writes relies on what is declared. */
export const effectMatchesCode: Rule = {
  id: ID,
  summary: 'A read-only tool reaches no write; a declared writer reaches one.',
  check(facts) {
    const verdicts: RuleVerdict[] = [];
    const diagnostics: Diagnostic[] = [];
    for (const tool of facts.tools) {
      const { verdict, confidence, reason, at } = judge(tool);
      verdicts.push({ rule: ID, toolId: tool.id, location: null, verdict, confidence, reason });
      if (verdict === 'violated' || verdict === 'inconclusive') {
        diagnostics.push({
          rule: ID,
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
  },
};

function judge(tool: ToolFacts): Answer {
  const { effect, reach } = tool;
  if (effect.value === null && effect.kind === 'absent') {
    return answer('not_applicable', `Nothing is declared. ${reachedText(tool)}`);
  }
  if (reach === null) {
    return answer(
      'inconclusive',
      'The code of the tool was not found, so what it writes is not known. Write the function where the tool is defined.',
    );
  }
  const isWriter = effect.kind === 'constant' && effect.value !== 'read_only';
  if (effect.value === null && !isWriter) {
    return answer('inconclusive', `What the tool declares is not known: ${effect.why}.`);
  }
  return isWriter ? judgeWriter(tool, reach) : judgeReader(tool, reach);
}

function judgeReader(tool: ToolFacts, reach: NonNullable<ToolFacts['reach']>): Answer {
  const certain = worstFirst(
    reach.writes.filter((write) => isOutside(write) && write.certainty !== 'undecided'),
  );
  const [first] = certain;
  if (first !== undefined) {
    const more = certain.length > 1 ? ` (and ${countText(certain.length - 1, 'more write')})` : '';
    const reason =
      `${declaredText(tool)}, and \`${first.callee}\` writes (${first.effect})${conditionText(first)}: ` +
      `${first.reason}${more}. ${remedyText(tool)}`;
    return { verdict: 'violated', confidence: first.confidence, reason, at: first };
  }
  const open = openFinding(reach);
  if (open !== null) {
    return open;
  }
  const [name] = reach.readsByName;
  return {
    verdict: 'proven',
    confidence: name === undefined ? 'proven' : 'by-name',
    reason:
      name === undefined
        ? sessionText(reach.worst)
        : `It reads as far as names say: ${reach.readsByName.map((one) => `\`${one}\``).join(', ')}.`,
    at: null,
  };
}

function judgeWriter(tool: ToolFacts, reach: NonNullable<ToolFacts['reach']>): Answer {
  const certain = reach.writes.filter((write) => isOutside(write) && write.certainty !== 'undecided');
  const best = certain.find(({ confidence }) => confidence === 'proven') ?? certain[0];
  if (best !== undefined) {
    const reason = `\`${best.callee}\` writes (${best.effect})${conditionText(best)}: ${best.reason}.`;
    return { verdict: 'proven', confidence: best.confidence, reason, at: best };
  }
  const open = openFinding(reach);
  if (open !== null) {
    return open;
  }
  if (reach.worst === 'session') {
    return { verdict: 'proven', confidence: 'proven', reason: sessionText('session'), at: null };
  }
  const names = reach.readsByName.map((one) => `\`${one}\``).join(', ');
  return {
    verdict: 'violated',
    confidence: names === '' ? 'proven' : 'by-name',
    reason:
      `${declaredText(tool)}, and its code reaches no write` +
      (names === '' ? '' : ` (by their names, these read: ${names})`) +
      '. Declare it read-only, or name the function that writes in the configuration ("effects").',
    at: null,
  };
}

/** What keeps the answer open: a write of which it is not known whether it happens, or an unresolved call. */
function openFinding({ writes, unresolved }: NonNullable<ToolFacts['reach']>): Answer | null {
  const undecided = writes.find((write) => write.certainty === 'undecided' && write.effect !== 'session');
  if (undecided !== undefined) {
    const when = undecided.when === '' ? '' : `: it can write when ${undecided.when}`;
    return {
      verdict: 'inconclusive',
      confidence: undecided.confidence,
      reason: `Whether \`${undecided.callee}\` writes cannot be decided${when} (${undecided.reason}).`,
      at: undecided,
    };
  }
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

function answer(verdict: Verdict, reason: string): Answer {
  return { verdict, confidence: 'proven', reason, at: null };
}

function isOutside({ effect }: WriteFact): boolean {
  return effect === 'local' || effect === 'remote' || effect === 'content';
}

/** What is certain before what depends on something, what the source says before what a name says. */
function worstFirst(writes: readonly WriteFact[]): readonly WriteFact[] {
  const weight = (write: WriteFact): number =>
    (write.confidence === 'proven' ? 0 : 4) +
    (write.certainty === 'always' ? 0 : 2) +
    (write.when === '' ? 0 : 1);
  return [...writes].sort((a, b) => weight(a) - weight(b));
}

function declaredText({ effect }: ToolFacts): string {
  if (effect.hint !== undefined && effect.hint !== null) {
    return `The hint \`${effect.hint}\` says that the tool is ${nameOf(effect.value)}`;
  }
  return effect.kind === 'absent'
    ? 'The tool declares no effect, which means read-only'
    : `The tool is declared ${nameOf(effect.value)}`;
}

function nameOf(value: ToolFacts['effect']['value']): string {
  switch (value) {
    case 'read_only':
      return 'read-only';
    case 'idempotent_write':
      return 'an idempotent write';
    case 'non_idempotent_write':
      return 'a non-idempotent write';
    default:
      return 'a write';
  }
}

function remedyText({ effect }: ToolFacts): string {
  return effect.hint !== undefined && effect.hint !== null
    ? 'Correct the hint, or take the write out.'
    : 'Declare the write effect, or take the write out.';
}

function conditionText({ when }: WriteFact): string {
  return when === '' ? '' : ` when ${when}`;
}

function countText(count: number, what: string): string {
  return `${String(count)} ${what}${count === 1 ? '' : 's'}`;
}

function sessionText(worst: string): string {
  return worst === 'session' ? 'It changes state of this process only.' : '';
}

/** What the code of a tool that declares nothing reaches, for information. */
function reachedText({ reach }: ToolFacts): string {
  if (reach === null) {
    return 'Its code was not found.';
  }
  const writes = worstFirst(reach.writes.filter(isOutside));
  const [first] = writes.filter(({ certainty }) => certainty !== 'undecided');
  if (first !== undefined) {
    return `The code writes (${first.effect})${conditionText(first)}: \`${first.callee}\`, ${first.reason}.`;
  }
  return openFinding(reach)?.reason ?? 'The code reaches no write.';
}
