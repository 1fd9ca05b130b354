import type { EffectClassification } from '@toolwright/catalogue';
import type { ts } from '../../../engine/typescript.mjs';
import { numberOf } from '../values/keys.js';
import type { Value } from '../values/value.js';

/** Something on a path that a later step is judged by: a write, or what can fail. */
export interface PathEvent {
  readonly node: ts.Node;
  readonly kind: 'write' | 'call' | 'throw';
  readonly callee: string;
  /** Null of an explicit throw. */
  readonly judgement: EffectClassification | null;
  /** The calls whose answer it is about: reading a write's own answer belongs to the write. */
  readonly about: readonly ts.Node[];
}

/** Numbers the events of a run, so that a path can carry them as a text. */
export class PathEvents {
  readonly #events: PathEvent[] = [];
  readonly #numbers = new Map<string, number>();

  add(event: PathEvent): number {
    const { node, kind, judgement } = event;
    const key = `${String(numberOf(node))}:${kind}:${judgement?.effect ?? ''}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#events.length + 1;
      this.#events.push(event);
      this.#numbers.set(key, number);
    } else {
      const known = this.#events[number - 1];
      const about = [...new Set([...(known?.about ?? []), ...event.about])];
      this.#events[number - 1] = { ...event, about };
    }
    return number;
  }

  get(number: number): PathEvent | null {
    return this.#events[number - 1] ?? null;
  }
}

const DEEPEST = 6;

/** The calls that a value is an answer of, or a part of an answer of. */
export function answersOf(value: Value): readonly ts.Node[] {
  const places: ts.Node[] = [];
  collect(value, places, 0);
  return places;
}

function collect(value: Value, places: ts.Node[], depth: number): void {
  for (const one of value.alternatives) {
    if (one.kind === 'promise') {
      collect(one.value, places, depth);
    } else if (one.kind === 'opaque') {
      if (one.place !== null) {
        places.push(one.place);
      }
      if (one.receiver !== null && depth < DEEPEST) {
        collect(one.receiver, places, depth + 1);
      }
    }
  }
}
