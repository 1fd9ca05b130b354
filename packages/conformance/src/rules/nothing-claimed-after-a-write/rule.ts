import type { ToolFacts } from '../../model/fact-base.js';
import type { Rule } from '../../model/rule.js';
import { answer, answerForEach, countText, openQuestion, type ReachAnswer } from '../reached-writes.js';

const ID = 'nothing-claimed-after-a-write';

/** Who hears that nothing was written tries again, and nobody looks for what was written. */
export const nothingClaimedAfterAWrite: Rule = {
  id: ID,
  summary: 'No `refused` and no `unchanged` on a path that has passed a write.',
  check: (facts) => answerForEach(ID, facts.tools, judge),
};

function judge({ framework, reach, paths, returns }: ToolFacts): ReachAnswer {
  if (framework !== 'toolwright') {
    return answer(
      'not_applicable',
      'Only results of the Toolwright SDK say for certain that nothing was written.',
    );
  }
  if (reach === null || paths === null) {
    return answer(
      'inconclusive',
      'The code of the tool was not found. Write the function where the tool is defined.',
    );
  }
  const [first, ...more] = paths.falseClaims;
  if (first !== undefined) {
    const others = more.length === 0 ? '' : ` (and at ${countText(more.length, 'more place')})`;
    return {
      verdict: 'violated',
      confidence: 'proven',
      reason:
        `\`${first.shape}\` says that nothing was written, and this path has passed \`${first.write.callee}\` ` +
        `(${first.write.effect})${others}. Answer with ToolResult.wrote(target, …), or with an error that carries the target.`,
      at: first,
    };
  }
  const unknown = (returns ?? []).find(({ shape }) => shape === 'unknown');
  const writes = reach.writes.some(({ effect }) => effect !== 'session' && effect !== 'none');
  if (unknown !== undefined && writes) {
    return {
      ...answer('inconclusive', `What comes back here cannot be decided: ${unknown.why}.`),
      at: unknown,
    };
  }
  if (paths.claims === 0) {
    return answer('not_applicable', 'No path says that nothing was written.');
  }
  return openQuestion(reach) ?? answer('proven', '');
}
