import { retryAdviceIn } from '@toolwright/catalogue';
import type { ErrorTextFact } from '../../model/effect-facts.js';
import type { ToolFacts } from '../../model/fact-base.js';
import type { Rule } from '../../model/rule.js';
import { answer, answerForEach, certainWrites, type ReachAnswer } from '../reached-writes.js';

const ID = 'no-retry-advice';

/** A model does as it is told: a text that says "try again" makes it write once more. */
export const noRetryAdvice: Rule = {
  id: ID,
  summary: "A writer's error text doesn't tell the model to try again.",
  check: (facts) => answerForEach(ID, facts.tools, judge),
};

function judge(tool: ToolFacts): ReachAnswer {
  const { reach, paths } = tool;
  if (reach === null || paths === null) {
    return isDeclaredWriter(tool)
      ? answer(
          'inconclusive',
          'The code of the tool was not found. Write the function where the tool is defined.',
        )
      : answer('not_applicable', 'The tool is no writer.');
  }
  if (!isDeclaredWriter(tool) && certainWrites(reach).length === 0) {
    return answer('not_applicable', 'The tool is no writer.');
  }
  const [first] = paths.errorTexts.flatMap((fact) => {
    const advice = fact.text === null ? null : retryAdviceIn(fact.text);
    return advice === null ? [] : [{ fact, advice }];
  });
  if (first !== undefined) {
    return {
      verdict: 'violated',
      confidence: 'by-name',
      reason:
        `This error tells the model to try again ("${first.advice}"), and the tool writes. ` +
        'Say what is known of the write, and what to look at before another one.',
      at: at(first.fact),
    };
  }
  const unknown = paths.errorTexts.find(({ text }) => text === null);
  if (unknown !== undefined) {
    return {
      verdict: 'inconclusive',
      confidence: 'by-name',
      reason:
        'What this error says comes from elsewhere, so whether it tells the model to try again is not known.',
      at: at(unknown),
    };
  }
  return paths.errorTexts.length === 0
    ? answer('not_applicable', 'No error text of the tool was found.')
    : { ...answer('proven', 'No text reads like advice to try again.'), confidence: 'by-name' };
}

function isDeclaredWriter({ effect }: ToolFacts): boolean {
  return effect.kind === 'constant' && effect.value !== 'read_only';
}

function at(fact: ErrorTextFact): ReachAnswer['at'] {
  return { location: fact.location, witness: [{ ...fact.location, message: 'the error text' }] };
}
