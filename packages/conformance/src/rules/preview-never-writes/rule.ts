import type { ToolFacts } from '../../model/fact-base.js';
import type { Rule } from '../../model/rule.js';
import {
  answer,
  answerForEach,
  certainWrites,
  conditionText,
  countText,
  openQuestion,
  readsOnly,
  type ReachAnswer,
} from '../reached-writes.js';

const ID = 'preview-never-writes';

/** A preview is shown before anybody said yes, and again to each who looks. */
export const previewNeverWrites: Rule = {
  id: ID,
  summary: 'A preview reaches no write.',
  check: (facts) => answerForEach(ID, facts.tools, judge),
};

function judge({ hasPreview, previewReach }: ToolFacts): ReachAnswer {
  if (!hasPreview) {
    return answer('not_applicable', 'The tool has no preview.');
  }
  if (previewReach === null) {
    return answer(
      'inconclusive',
      'The code of the preview was not found. Write the function where the tool is defined.',
    );
  }
  const [first, ...more] = certainWrites(previewReach);
  if (first !== undefined) {
    const others = more.length === 0 ? '' : ` (and ${countText(more.length, 'more write')})`;
    return {
      verdict: 'violated',
      confidence: first.confidence,
      reason:
        `The preview writes (${first.effect})${conditionText(first)}: \`${first.callee}\`, ${first.reason}${others}. ` +
        'Say in its lines what would be written, and leave the write to `execute`.',
      at: first,
    };
  }
  return openQuestion(previewReach) ?? readsOnly(previewReach, '');
}
