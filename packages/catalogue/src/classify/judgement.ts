import { inputOf, textOf, type AbstractValue } from '../model/abstract-value.js';
import type { EffectClassification } from '../model/classification.js';
import {
  convergenceOf,
  EFFECT_RANK,
  isWriteKind,
  type Confidence,
  type Convergence,
  type EffectClass,
  type EffectKind,
  type Reach,
} from '../model/effect.js';
import type { Outcome } from '../model/library-file.js';

/** What was decided about a call, before it is known which entry it rests on. */
export type Judgement = Omit<EffectClassification, 'isAssumed' | 'source'>;

/** A call that writes nothing. */
export function reads(
  touches: Reach,
  kind: EffectKind,
  reason: string,
  confidence: Confidence = 'proven',
): Judgement {
  return {
    effect: 'none',
    kind,
    certainty: 'always',
    touches,
    converges: 'yes',
    confidence,
    condition: null,
    reason,
  };
}

/** A call that always writes. */
export function writes(
  effect: Exclude<EffectClass, 'none'>,
  kind: EffectKind,
  reason: string,
  options: { readonly converges?: Convergence; readonly confidence?: Confidence } = {},
): Judgement {
  return {
    effect,
    kind,
    certainty: 'always',
    touches: effect,
    converges: options.converges ?? convergenceOf(kind),
    confidence: options.confidence ?? 'proven',
    condition: null,
    reason,
  };
}

/** A call of which nothing can be said. */
export function cannotSay(touches: Reach, reason: string): Judgement {
  return {
    effect: 'unknown',
    kind: 'write',
    certainty: 'undecided',
    touches,
    converges: 'unknown',
    confidence: 'proven',
    condition: null,
    reason,
  };
}

/** A call that writes or not by an argument which is not known. */
export function dependsOn(
  value: AbstractValue,
  place: string,
  worst: Judgement,
  when: string,
  values: { readonly writesWhen?: readonly string[]; readonly readsWhen?: readonly string[] } = {},
): Judgement {
  const input = inputOf(value);
  const what = input === null ? `argument ${place}` : `\`${input}\``;
  const text = `can write when ${what} ${when}`;
  return {
    ...worst,
    certainty: 'undecided',
    condition: {
      argument: place,
      input,
      writesWhen: values.writesWhen ?? [],
      readsWhen: values.readsWhen ?? [],
      text,
    },
    reason: text,
  };
}

/** A judgement from what a data file states outright. */
export function judgementOf(outcome: Outcome, reason: string): Judgement {
  const confidence = outcome.confidence ?? 'proven';
  if (outcome.effect === 'unknown') return cannotSay(outcome.touches ?? 'remote', reason);
  if (outcome.effect === 'none') {
    return reads(outcome.touches ?? 'nothing', outcome.kind ?? 'pure', reason, confidence);
  }
  return writes(outcome.effect, outcome.kind ?? 'write', reason, { confidence });
}

/** One of several values that an argument may have, and what the call does with it. */
export interface Alternative {
  readonly label: string;
  readonly judgement: Judgement;
}

/** What a call does that has one of several values in the deciding place. At least one alternative. */
export function joinAlternatives(
  alternatives: readonly Alternative[],
  place: string,
  input: string | null,
): Judgement {
  const first = alternatives[0];
  if (first === undefined) return cannotSay('remote', 'no value of the deciding argument is known');
  if (alternatives.length === 1) return first.judgement;
  const judgements = alternatives.map((alternative) => alternative.judgement);
  const worst = judgements.reduce(worseOf);
  const confidence: Confidence = judgements.some(({ confidence }) => confidence === 'by-name')
    ? 'by-name'
    : 'proven';
  const writing = alternatives.filter(({ judgement }) => judgement.effect !== 'none');
  const reading = alternatives.filter(({ judgement }) => judgement.effect === 'none');
  const converges = joinConvergence(writing.map(({ judgement }) => judgement.converges));
  const joined = { ...worst, confidence, converges };
  if (reading.length === 0 || writing.length === 0) return joined;

  const writesWhen = labelsOf(writing);
  const what = input === null ? `argument ${place}` : `\`${input}\``;
  const text = `can write when ${what} is ${listOf(writesWhen)}`;
  return {
    ...joined,
    certainty: worst.certainty === 'undecided' ? 'undecided' : 'conditional',
    condition: { argument: place, input, writesWhen, readsWhen: labelsOf(reading), text },
    reason: text,
  };
}

/** What several things do that all happen: the worst of them; it converges if each does. */
export function joinSequence(judgements: readonly Judgement[], nothing: Judgement): Judgement {
  const [first, ...others] = judgements;
  if (first === undefined) return nothing;
  return others.reduce((left, right) => {
    const worst = worseOf(left, right);
    return {
      ...worst,
      converges: joinConvergence([left.converges, right.converges]),
      confidence: left.confidence === 'by-name' || right.confidence === 'by-name' ? 'by-name' : 'proven',
    };
  }, first);
}

/** A certain write outranks an uncertain one, which outranks a read; then the wider class, then what doesn't converge. */
export function worseOf(left: Judgement, right: Judgement): Judgement {
  return weightOf(right) > weightOf(left) ? right : left;
}

function weightOf(judgement: Judgement): number {
  const { effect, certainty, converges, kind } = judgement;
  if (effect === 'none') return 0;
  const certain = certainty === 'always' ? 4 : certainty === 'conditional' ? 3 : 2;
  const outside = effect !== 'session';
  const rank = effect === 'unknown' ? 2 : EFFECT_RANK[effect];
  const repeats = converges === 'no' ? 2 : converges === 'unknown' ? 1 : 0;
  return (outside ? 100 : 0) + certain * 10 + rank + repeats * 0.2 + (isWriteKind(kind) ? 0.1 : 0);
}

export function joinConvergence(convergences: readonly Convergence[]): Convergence {
  if (convergences.includes('no')) return 'no';
  return convergences.includes('unknown') ? 'unknown' : 'yes';
}

/** What to call a value in a condition. */
export function labelOf(value: AbstractValue): string {
  const text = textOf(value);
  if (text !== null) return text.length > 60 ? `${text.slice(0, 57)}...` : text;
  return value.kind === 'constant' ? String(value.value) : 'something else';
}

/** `A`, `A or B`, `A, B or C`. */
export function listOf(labels: readonly string[]): string {
  const last = labels[labels.length - 1] ?? '';
  return labels.length < 2 ? last : `${labels.slice(0, -1).join(', ')} or ${last}`;
}

function labelsOf(alternatives: readonly Alternative[]): readonly string[] {
  return [...new Set(alternatives.map(({ label }) => label))];
}
