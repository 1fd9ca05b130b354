import type { ReachFacts } from '../../model/effect-facts.js';
import type { ToolFacts } from '../../model/fact-base.js';
import type { Rule } from '../../model/rule.js';
import {
  answer,
  answerForEach,
  certainWrites,
  conditionText,
  countText,
  namesText,
  openQuestion,
  readsOnly,
  type ReachAnswer,
} from '../reached-writes.js';

const ID = 'effect-matches-code';

/** Whoever asks a person before a write, retries a read or keeps a record of writes relies on what is declared. */
export const effectMatchesCode: Rule = {
  id: ID,
  summary: 'A read-only tool reaches no write; a declared writer reaches one.',
  check: (facts) => answerForEach(ID, facts.tools, judge),
};

function judge(tool: ToolFacts): ReachAnswer {
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

function judgeReader(tool: ToolFacts, reach: ReachFacts): ReachAnswer {
  const certain = certainWrites(reach);
  const [first] = certain;
  if (first !== undefined) {
    const more = certain.length > 1 ? ` (and ${countText(certain.length - 1, 'more write')})` : '';
    const reason =
      `${declaredText(tool)}, and \`${first.callee}\` writes (${first.effect})${conditionText(first)}: ` +
      `${first.reason}${more}. ${remedyText(tool)}`;
    return { verdict: 'violated', confidence: first.confidence, reason, at: first };
  }
  return openQuestion(reach) ?? readsOnly(reach, sessionText(reach.worst));
}

function judgeWriter(tool: ToolFacts, reach: ReachFacts): ReachAnswer {
  const certain = certainWrites(reach);
  const best = certain.find(({ confidence }) => confidence === 'proven') ?? certain[0];
  if (best !== undefined) {
    const reason = `\`${best.callee}\` writes (${best.effect})${conditionText(best)}: ${best.reason}.`;
    return { verdict: 'proven', confidence: best.confidence, reason, at: best };
  }
  const open = openQuestion(reach);
  if (open !== null) {
    return open;
  }
  if (reach.worst === 'session') {
    return { verdict: 'proven', confidence: 'proven', reason: sessionText('session'), at: null };
  }
  const names = namesText(reach.readsByName);
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

function sessionText(worst: string): string {
  return worst === 'session' ? 'It changes state of this process only.' : '';
}

/** What the code of a tool that declares nothing reaches, for information. */
function reachedText({ reach }: ToolFacts): string {
  if (reach === null) {
    return 'Its code was not found.';
  }
  const [first] = certainWrites(reach);
  if (first !== undefined) {
    return `The code writes (${first.effect})${conditionText(first)}: \`${first.callee}\`, ${first.reason}.`;
  }
  return openQuestion(reach)?.reason ?? 'The code reaches no write.';
}
