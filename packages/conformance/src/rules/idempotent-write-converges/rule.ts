import type { WriteFact } from '../../model/effect-facts.js';
import type { ToolFacts } from '../../model/fact-base.js';
import type { Rule } from '../../model/rule.js';
import {
  answer,
  answerForEach,
  certainWrites,
  conditionText,
  countText,
  isOutside,
  unresolvedCall,
  type ReachAnswer,
} from '../reached-writes.js';

const ID = 'idempotent-write-converges';

/** What is called idempotent is run again after a failure whose outcome nobody knows. */
export const idempotentWriteConverges: Rule = {
  id: ID,
  summary:
    'An idempotent write reaches no append, send, keyless create, increment, relative move, pop or random key.',
  check: (facts) => answerForEach(ID, facts.tools, judge),
};

function judge(tool: ToolFacts): ReachAnswer {
  const { effect, reach } = tool;
  if (effect.value !== 'idempotent_write') {
    return effect.value === null && effect.kind === 'undecided'
      ? answer('inconclusive', `What the tool declares is not known: ${effect.why}.`)
      : answer('not_applicable', 'The tool declares no idempotent write.');
  }
  if (reach === null) {
    return answer(
      'inconclusive',
      'The code of the tool was not found. Write the function where the tool is defined.',
    );
  }
  const writes = certainWrites(reach);
  const diverging = writes.filter((write) => convergenceOf(write) === 'no');
  const [first] = diverging;
  if (first !== undefined) {
    const others = diverging.length === 1 ? '' : ` (and ${countText(diverging.length - 1, 'more')})`;
    return {
      verdict: 'violated',
      confidence: first.confidence,
      reason:
        `The tool is declared idempotent, and \`${first.callee}\` writes again when it runs again` +
        `${conditionText(first)}: ${kindText(first)}, ${first.reason}${others}. ` +
        'Write to a key that the arguments name, look for the record first, or declare a non-idempotent write.',
      at: first,
    };
  }
  const open = writes.find((write) => convergenceOf(write) === 'unknown') ?? reach.writes.find(isOpen);
  if (open !== undefined) {
    return {
      verdict: 'inconclusive',
      confidence: open.confidence,
      reason:
        `Whether a repetition of \`${open.callee}\` changes something further cannot be said: ${open.reason}. ` +
        'Say in the configuration ("effects") of which kind the write is.',
      at: open,
    };
  }
  const unresolved = unresolvedCall(reach);
  if (unresolved !== null) {
    return unresolved;
  }
  const isByName = writes.some(({ confidence }) => confidence === 'by-name') || reach.readsByName.length > 0;
  return { ...answer('proven', ''), confidence: isByName ? 'by-name' : 'proven' };
}

/** What is only created where a read found nothing is there the second time. */
function convergenceOf({ converges, isGuardedByRead, kind }: WriteFact): WriteFact['converges'] {
  return isGuardedByRead && (kind === 'create' || kind === 'append' || kind === 'run' || kind === 'write')
    ? 'yes'
    : converges;
}

function isOpen(write: WriteFact): boolean {
  return write.certainty === 'undecided' && (isOutside(write) || write.effect === 'unknown');
}

function kindText({ kind }: WriteFact): string {
  switch (kind) {
    case 'create':
      return 'it creates a record under a new key';
    case 'append':
      return 'it appends';
    case 'send':
      return 'it sends';
    case 'increment':
      return 'it counts up or down';
    case 'move':
      return 'it moves relative to where things are';
    case 'pop':
      return 'it takes out what is next';
    case 'toggle':
      return 'it flips';
    case 'random-key':
      return 'its key is new every time';
    default:
      return 'it does not converge';
  }
}
