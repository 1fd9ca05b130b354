import type { LateFailureFact } from '../../model/effect-facts.js';
import type { ToolFacts } from '../../model/fact-base.js';
import type { Rule } from '../../model/rule.js';
import { answer, answerForEach, certainWrites, openQuestion, type ReachAnswer } from '../reached-writes.js';

const ID = 'late-failure-names-the-write';

/** A failure that forgets what was written before it is answered by writing once more. */
export const lateFailureNamesTheWrite: Rule = {
  id: ID,
  summary:
    'After a local or remote write, a later failure does not turn the answer into one that forgets the record.',
  check: (facts) => answerForEach(ID, facts.tools, judge),
};

function judge({ reach, paths, framework }: ToolFacts): ReachAnswer {
  if (reach === null || paths === null) {
    return answer(
      'inconclusive',
      'The code of the tool was not found. Write the function where the tool is defined.',
    );
  }
  const late = [...paths.lateFailures].sort((a, b) => weight(a) - weight(b));
  const [first, ...more] = late;
  if (first !== undefined) {
    const others = more.length === 0 ? '' : ` (and ${String(more.length)} more)`;
    const what = first.failing === 'throw' ? 'an exception is thrown' : `\`${first.failing}\` can fail`;
    const outcome =
      first.kind === 'uncaught'
        ? 'nothing catches it, so the call ends as failed'
        : 'the answer that takes its place does not name the record';
    return {
      verdict: 'violated',
      confidence: first.confidence,
      reason:
        `After \`${first.write.callee}\` has written (${first.write.effect}), ${what} and ${outcome}${others}. ` +
        (framework === 'toolwright'
          ? 'Catch it, and answer with the record: ToolResult.wrote(target, …), or ToolResult.error(…, { target }).'
          : 'Catch it, and say in the answer what was written, so that nobody writes it once more.'),
      at: first,
    };
  }
  const writes = certainWrites(reach).filter(({ effect }) => effect !== 'content');
  const open = openQuestion(reach);
  if (writes.length === 0) {
    return open ?? answer('not_applicable', 'The tool reaches no local or remote write.');
  }
  return open ?? answer('proven', '');
}

function weight({ confidence, kind }: LateFailureFact): number {
  return (confidence === 'proven' ? 0 : 2) + (kind === 'uncaught' ? 0 : 1);
}
