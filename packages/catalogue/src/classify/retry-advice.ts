/**
 * Finds English advice to do the same again. It reads words, not meaning: what it knows is listed here,
 * and where a sentence can be read both ways it finds nothing.
 */

const REPEAT = '(?:re-?try|re-?attempt|re-?submit|re-?send|re-?run|re-?issue)';
const AGAIN = '(?:again|once more|one more time|another time|a second time)';

// What puts a verb into the imperative, or hands it to the reader as a thing to do.
const TOLD =
  '(?:^\\s*|[,:(\\u2013\\u2014-]\\s*|\\b(?:please|then|and|or|to|should|could|can|must|may|might|just|simply|now|so|either|you|kindly)\\s+)';

const NOT_A_NOUN =
  '(?!\\s*(?:\\d|#|limit|count|counter|polic|budget|attempt|queue|interval|delay|logic|loop|number|failed|succeeded|exhausted|was|is|has|had|-?\\s?after\\b))';

const ADVICE: readonly RegExp[] = [
  new RegExp(`${TOLD}(?<what>${REPEAT}\\b${NOT_A_NOUN})`, 'giu'),
  new RegExp(`(?<what>\\b(?:try|attempt)\\b[^.!?;]{0,40}?\\b${AGAIN}\\b)`, 'giu'),
  new RegExp(`${TOLD}(?<what>try\\b[^.!?;]{0,20}?\\blater\\b)`, 'giu'),
  new RegExp(
    `${TOLD}(?<what>(?:run|call|send|submit|invoke|execute|issue|do (?:it|this|that|so))\\b[^.!?;]{0,40}?\\b${AGAIN}\\b)`,
    'giu',
  ),
  new RegExp(
    `${TOLD}(?<what>repeat\\s+(?:the|this|that|your|it|same)\\b(?:\\s+(?:same\\s+)?(?:call|request|operation|command|write|tool|action|step))?)`,
    'giu',
  ),
  /(?<what>\b(?:give|have)\s+(?:it\s+)?another\s+(?:try|go|shot))/giu,
  /(?<what>\banother\s+(?:attempt|try)\s+(?:may|might|could|should|will|can)\s+(?:work|succeed|help))/giu,
  new RegExp(
    '(?<what>\\b(?:re-?trying|trying again|a re-?try)\\s+(?:may|might|could|should|will|can|usually|often)\\s+(?:\\w+\\s+)?(?:work|works|succeed|succeeds|help|helps|fix|fixes))',
    'giu',
  ),
  /(?<what>\b(?:can|could|should|may|might|must)\s+(?:(?!not\b|never\b)\w+\s+)?be\s+(?:re-?tried|re-?attempted|re-?submitted|re-?sent|re-?run|repeated))/giu,
  new RegExp(`(?<what>\\bsafe(?:ly)?\\s+(?:to\\s+)?(?:${REPEAT}|repeat|run again|call again)\\b)`, 'giu'),
];

// With other arguments it is another call.
const OTHER_CALL =
  /^[\s\u2026]*(?:with|using|under)\s+(?:an?\s+)?(?:another|other|different|new|unique|unused|valid|corrected|free)\b/iu;

// The opposite of the advice, or no advice: "do not try again", "without retrying", "failed to resend".
const DENIED =
  /(?:\b(?:not|never|no|cannot|without|avoid|unsafe|instead of|rather than|unable to|before|until|nor|if you|when you|whether to)|n['\u2019]t|\b(?:fail|failed|refuse|refused|refusing|tried)\s+to)(?:[\s,]+(?!(?:so|then|and|please|but)\b)[\w'\u2019]+){0,2}[\s,]*$/iu;

// These two govern more of a sentence.
const FORBIDDEN =
  /\b(?:do not|don['\u2019]t|never|must not|mustn['\u2019]t)(?:[\s,]+[\w'\u2019]+){0,5}[\s,]*$/iu;

/**
 * The words that advise to do the same again, or null where a text has none. What is put into the text when
 * the code runs is an ellipsis.
 */
export function retryAdviceIn(text: string): string | null {
  for (const sentence of text.split(/[.!?;\n]+/u)) {
    for (const pattern of ADVICE) {
      for (const match of sentence.matchAll(pattern)) {
        const words = match.groups?.['what'] ?? '';
        const start = match.index + match[0].length - words.length;
        const before = sentence.slice(0, start);
        const after = sentence.slice(start + words.length);
        if (!DENIED.test(before) && !FORBIDDEN.test(before) && !OTHER_CALL.test(after)) {
          return words;
        }
      }
    }
  }
  return null;
}
