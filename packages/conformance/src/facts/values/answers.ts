import type { ts } from '../../../engine/typescript.mjs';
import { partsOf } from './join.js';
import type { OpaqueValue, Value } from './value.js';

// Which calls a value comes from: what a write has answered, and what is made of that, belongs to the write.

const DEEPEST = 6;

/** The calls that a value is an answer of, or a part of an answer of. */
export function answersOf(value: Value): readonly ts.Node[] {
  const places: ts.Node[] = [];
  collect(value, places, false, 0);
  return places;
}

/** The same for every part of a text or an object: what is named where it is printed. */
export function answersNamedIn(...values: readonly Value[]): readonly ts.Node[] {
  const places: ts.Node[] = [];
  for (const value of values) {
    collect(value, places, true, 0);
  }
  return places;
}

function collect(value: Value, places: ts.Node[], inParts: boolean, depth: number): void {
  if (depth > DEEPEST) {
    return;
  }
  for (const one of value.alternatives) {
    if (one.kind === 'promise') {
      collect(one.value, places, inParts, depth);
    } else if (one.kind === 'opaque') {
      if (one.place !== null) {
        places.push(one.place);
      }
      const inner = [...(one.receiver === null ? [] : [one.receiver]), ...(inParts ? partsOfText(one) : [])];
      for (const part of inner) {
        collect(part, places, inParts, depth + 1);
      }
    } else if (inParts) {
      for (const part of partsOf(one)) {
        collect(part, places, inParts, depth + 1);
      }
    }
  }
}

function partsOfText({ text }: OpaqueValue): readonly Value[] {
  switch (text?.kind) {
    case 'template':
      return text.parts;
    case 'json':
      return [text.value];
    default:
      return [];
  }
}
