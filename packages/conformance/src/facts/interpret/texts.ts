import type { TextParts } from '../values/library.js';
import { opaque } from '../values/make.js';
import type { Value } from '../values/value.js';

/** More parts than this are not told apart: a text that a loop puts together. */
const MOST_PARTS = 24;

/** A text of several parts; what is itself a text of parts is taken apart. */
export function textOf(parts: readonly Value[]): TextParts<Value> {
  const flat = parts.flatMap((part) => {
    const [only, ...more] = part.alternatives;
    return more.length === 0 && only?.kind === 'opaque' && only.text?.kind === 'template'
      ? only.text.parts
      : [part];
  });
  return {
    kind: 'template',
    parts: flat.length <= MOST_PARTS ? flat : [...flat.slice(0, MOST_PARTS), REST],
  };
}

const REST = opaque({ description: 'the rest of the text' });

export function isText(value: Value): boolean {
  return value.alternatives.some(
    (one) =>
      (one.kind === 'literal' && typeof one.value === 'string') ||
      (one.kind === 'opaque' && one.text?.kind === 'template'),
  );
}
