import { EMPTY, both, type Guard } from '../values/guard.js';
import { referencesIn } from '../values/join.js';
import { parseReference, reference, WHOLE } from '../values/references.js';
import { ALL_FORMS, FAILED, WITH_ARTIFACTS, WITH_TARGET, shapeOf } from '../values/result-kinds.js';
import type { Alternative, ResultValue, Value } from '../values/value.js';
import type { LiveValue } from '../interpret/machine.js';

export interface Fate {
  readonly fate: 'kept' | 'dropped' | 'unknown';
  readonly why: string;
}

export const KEPT: Fate = { fate: 'kept', why: '' };

export function dropped(why: string): Fate {
  return { fate: 'dropped', why };
}

export function unknownFate(why: string): Fate {
  return { fate: 'unknown', why };
}

export function worst(fates: readonly Fate[]): Fate {
  return fates.find(({ fate }) => fate === 'dropped') ?? fates.find(({ fate }) => fate === 'unknown') ?? KEPT;
}

/** The value that a rebuild starts from. */
export interface Source {
  readonly id: number;
  readonly live: LiveValue;
  /** What is known about it where the new value is made. */
  readonly guard: Guard;
  /** What holds wherever it is there at all. */
  readonly when: Guard;
  /** Subjects of guards on whether a field of it is empty. */
  readonly subjectOf: (field: string) => number;
}

/** The forms that a result can still have where a guard holds. */
export function formsUnder(source: Source, when: Guard): number {
  const all = source.live.forms === 0 ? ALL_FORMS : source.live.forms;
  return all & (source.guard.get(source.id) ?? ALL_FORMS) & (when.get(source.id) ?? ALL_FORMS);
}

export function derivesFrom(value: Value, id: number, field: string): boolean {
  const references = referencesIn(value);
  return references.has(reference(id, field)) || references.has(reference(id, WHOLE));
}

function alternativeDerives(alternative: Alternative, id: number, field: string): boolean {
  return derivesFrom({ alternatives: [alternative] }, id, field);
}

/** What a new result makes of each field of the one it is made from. */
export function fatesOfResult(made: ResultValue, source: Source): ReadonlyMap<string, Fate> {
  const forms = formsUnder(source, made.when);
  const shape = shapeOf(made.form);
  return new Map([
    ['content', fateOfContent(made.content)],
    [
      'isError',
      (forms & FAILED) !== 0 && (made.form & FAILED) === 0
        ? dropped(`an error comes out as \`${shape}\``)
        : KEPT,
    ],
    ['artifacts', fateOfArtifacts(made, source)],
    ['target', fateOfTarget(made, source)],
  ]);
}

/** Content is what a rebuild is there to change: another text takes its place, nothing at all drops it. */
export function fateOfContent(value: Value | undefined): Fate {
  const isMissing = value === undefined || value.alternatives.every(isEmpty);
  return isMissing ? dropped('no content is given') : KEPT;
}

function fateOfArtifacts(made: ResultValue, source: Source): Fate {
  if ((made.form & WITH_ARTIFACTS) === 0 || hasNoArtifacts(source)) {
    return KEPT;
  }
  return worst(
    made.artifacts.alternatives.map((alternative): Fate => {
      const forms = formsUnder(source, made.when) & formsUnder(source, alternative.when);
      const subject = source.subjectOf('artifacts');
      return (forms & WITH_ARTIFACTS) === 0 ||
        saysEmpty(alternative.when, subject) ||
        saysEmpty(made.when, subject)
        ? KEPT
        : fateOfPart(alternative, source, 'artifacts', 'no artifacts are given');
    }),
  );
}

function hasNoArtifacts({ live }: Source): boolean {
  return (
    live.value?.kind === 'result' &&
    live.value.typed === '' &&
    live.value.artifacts.alternatives.every(isEmpty)
  );
}

function fateOfTarget(made: ResultValue, source: Source): Fate {
  if ((formsUnder(source, made.when) & WITH_TARGET) === 0) {
    return KEPT;
  }
  const shape = shapeOf(made.form);
  if ((made.form & WITH_TARGET) === 0) {
    return dropped(`the new \`${shape}\` has no target`);
  }
  return worst(
    made.target.alternatives.map((alternative): Fate => {
      const forms = formsUnder(source, made.when) & formsUnder(source, alternative.when);
      return (forms & WITH_TARGET) === 0
        ? KEPT
        : fateOfPart(alternative, source, 'target', 'another target takes its place');
    }),
  );
}

/** One possible value of a new field, against the field of the source. */
export function fateOfPart(alternative: Alternative, source: Source, field: string, whenOther: string): Fate {
  if (alternativeDerives(alternative, source.id, field) && !isEmpty(alternative)) {
    return KEPT;
  }
  if (alternative.kind === 'literal' && alternativeDerives(alternative, source.id, field)) {
    // The field itself, where it is empty.
    return KEPT;
  }
  if (alternative.kind === 'opaque' && alternative.unknown !== '') {
    return unknownFate(`whether it goes along is not known: ${alternative.unknown}`);
  }
  return dropped(isEmpty(alternative) ? `it is left out` : whenOther);
}

/** Undefined, null, an empty text, list or object. */
export function isEmpty(alternative: Alternative): boolean {
  if (alternative.kind === 'literal') {
    return alternative.value === undefined || alternative.value === null || alternative.value === '';
  }
  return (
    alternative.kind === 'object' &&
    alternative.of === null &&
    alternative.properties.size === 0 &&
    alternative.others === null
  );
}

/** One field of a new object of a preserved type, where that field of the source may be empty itself. */
export function fateOfField(
  value: Value | undefined,
  source: Source,
  field: string,
  isEmptyUnder: (when: Guard) => boolean,
): Fate {
  if (value === undefined || value.alternatives.length === 0) {
    return isEmptyUnder(source.guard) ? KEPT : dropped('it is left out');
  }
  return worst(
    value.alternatives.map((alternative): Fate => {
      if (alternativeDerives(alternative, source.id, field) || both(alternative.when, source.when) === null) {
        return KEPT;
      }
      // The same field of another value, where the new one is that one's copy.
      if ([...alternative.references].some((text) => parseReference(text).field === field)) {
        return KEPT;
      }
      if (isEmpty(alternative) || (alternative.kind === 'literal' && alternative.value === false)) {
        // A list that is filled from the field starts out empty, and is empty where the field is.
        if (
          isList(alternative) &&
          value.alternatives.some((one) => alternativeDerives(one, source.id, field))
        ) {
          return KEPT;
        }
        return isEmptyUnder(alternative.when) || isEmptyUnder(source.guard)
          ? KEPT
          : dropped('it is left out');
      }
      if (alternative.kind === 'opaque' && alternative.unknown !== '') {
        return unknownFate(`whether it goes along is not known: ${alternative.unknown}`);
      }
      // Given on purpose: a value of one's own takes its place.
      return KEPT;
    }),
  );
}

function isList(alternative: Alternative): boolean {
  return alternative.kind === 'object' && alternative.collection === 'array';
}

export function saysEmpty(guard: Guard, subject: number): boolean {
  return guard.get(subject) === EMPTY;
}
