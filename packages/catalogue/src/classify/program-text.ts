import { isSaidByModel, textPartsOf, type AbstractValue } from '../model/abstract-value.js';
import { cannotSay, dependsOn, type Judgement } from './judgement.js';

/** Languages of tools that filter text, and what in a program of theirs does more than that. */
export type ProgramLanguage = 'awk' | 'sed';

const ACTING: Readonly<Record<ProgramLanguage, RegExp>> = {
  // `print > "file"`, `print | "command"`, `"command" | getline`, `system(…)`; `||` and a comparison in brackets are none.
  awk: /\bsystem\s*\(|\bprintf?\b[^;}\n]*(?:>|(?<!\|)\|(?!\|))|(?<!\|)\|(?!\|)\s*&?\s*getline|@(?:include|load)\b/,
  // The commands `w`, `W`, `e`, and the flags of `s` by the same names.
  sed: /(?:^|[;{}\n]|[0-9$/!])\s*(?:[wW]\s*\S|e(?:\s|$))|s([^\w\s]).*\1.*\1[gpiImM0-9]*[we]/,
};

/** What a program of a text filter does beyond filtering; null where it only prints. */
export function judgeProgramText(
  program: AbstractValue | undefined,
  language: ProgramLanguage,
): Judgement | null {
  const text = program === undefined ? null : textAround(program);
  if (text === null) {
    const unknown = cannotSay('local', `the ${language} program is not known`);
    return program === undefined ? unknown : dependsOn(program, '1', unknown, 'is a program that writes');
  }
  return ACTING[language].test(text)
    ? cannotSay('local', `the ${language} program may write files or run commands`)
    : null;
}

/** Its literal text, numbers in its holes; null where a model can say what stands there, or nothing is known of it. */
function textAround(program: AbstractValue): string | null {
  const parts = textPartsOf(program) ?? [];
  const isKnown = parts.some((part) => part !== '') && !isSaidByModel(program);
  return isKnown ? parts.join('0') : null;
}
