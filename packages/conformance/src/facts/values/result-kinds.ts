import { ConformanceError } from '../../model/errors.js';
import type { ResultShape } from '../../model/fact-base.js';

/** The forms of a tool result, one bit each: an error with a target is another form than one without. */
export const TEXT = 1;
export const WROTE = 2;
export const UNCHANGED = 4;
export const REFUSED = 8;
export const ERROR = 16;
export const ERROR_WITH_TARGET = 32;

export const ALL_FORMS = TEXT | WROTE | UNCHANGED | REFUSED | ERROR | ERROR_WITH_TARGET;
export const FAILED = REFUSED | ERROR | ERROR_WITH_TARGET;
export const WITH_TARGET = WROTE | ERROR_WITH_TARGET;
/** The forms that can carry artifacts. */
export const WITH_ARTIFACTS = TEXT | WROTE;

const SHAPES: ReadonlyMap<number, ResultShape> = new Map([
  [TEXT, 'text'],
  [WROTE, 'wrote'],
  [UNCHANGED, 'unchanged'],
  [REFUSED, 'refused'],
  [ERROR, 'error'],
  [ERROR_WITH_TARGET, 'error'],
]);

export function shapeOf(form: number): ResultShape {
  const shape = SHAPES.get(form);
  if (shape === undefined) {
    throw new ConformanceError(
      'INTERNAL',
      `Cannot name a result form: expected one bit of the result kinds, found ${String(form)}.`,
    );
  }
  return shape;
}

/** The single forms in a mask. */
export function formsIn(mask: number): readonly number[] {
  return [...SHAPES.keys()].filter((form) => (mask & form) !== 0);
}

/** The forms that a kind stands for; 0 for a text that is no kind. */
export function formsOfKind(kind: unknown): number {
  let mask = 0;
  for (const [form, shape] of SHAPES) {
    if (shape === kind) {
      mask |= form;
    }
  }
  return mask;
}
