/** English that asks for the same call once more. */
const ADVICE: readonly RegExp[] = [
  /\b(?:try|attempt)(?: (?:it|this|that|the \w+|your \w+))? (?:again|once more|one more time|later)\b/giu,
  /\bre-?try(?:ing)?\b(?! (?:count|limit|policy|after header))/giu,
  /\b(?:re-?send|re-?submit|re-?run|re-?issue|redo) (?:it|this|that|the|your)\b/giu,
  /\b(?:repeat|call|run|invoke|send|submit|execute) (?:it|this|that|the (?:call|tool|request|operation|command)|your request)(?: \w+)? (?:again|once more)\b/giu,
  /\brepeat (?:the|this|your) (?:call|request|operation)\b/giu,
  /\bagain (?:later|in a (?:moment|minute|few|while))\b/giu,
];

/** What turns advice into its opposite, shortly before it. */
const NEGATION =
  /\b(?:do not|don['’]t|never|not|cannot|can['’]t|no need to|without|instead of|rather than|must not|mustn['’]t|should not|shouldn['’]t|avoid|no|stop|before|unsafe to|pointless to|useless to)\b[^.!?;,:]{0,24}$/iu;

/** What only tells of tries that were made: "retried 3 times", "retry failed". */
const REPORT = /^(?:retry|retrying)\b[^.!?]{0,12}\b(?:failed|attempts?|exhausted|limit)\b/iu;

/** The words that advise to try again, or null. Negated advice ("do not try again") is none. */
export function retryAdviceIn(text: string): string | null {
  for (const pattern of ADVICE) {
    for (const match of text.matchAll(pattern)) {
      const before = text.slice(0, match.index);
      const sentence = before.slice(
        Math.max(before.lastIndexOf('.'), before.lastIndexOf('!'), before.lastIndexOf('\n')) + 1,
      );
      if (!NEGATION.test(sentence) && !REPORT.test(text.slice(match.index))) {
        return match[0];
      }
    }
  }
  return null;
}
