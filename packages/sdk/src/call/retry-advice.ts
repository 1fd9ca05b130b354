// What tells a model to do the same again, in English. A negation right before it turns it round.
const ADVICE =
  /\b(?:re-?try(?:ing)?|re-?run|re-?send|re-?submit|repeat|(?:try|call|run|send|create|attempt|do (?:it|so|that|this))(?: [\w-]+){0,3} (?:again|once more|later|anew)|another attempt)\b/giu;
const NEGATION = /\b(?:not|never|don['’]?t|no|without|avoid|instead of|rather than)\b[^.;!?]{0,40}$/iu;

/** Whether a text advises another attempt. It reads prose, so it errs on the side of yes. */
export function advisesRetry(text: string): boolean {
  for (const match of text.matchAll(ADVICE)) {
    if (!NEGATION.test(text.slice(Math.max(0, match.index - 60), match.index))) {
      return true;
    }
  }
  return false;
}
