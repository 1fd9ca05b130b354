import type { EffectClassification } from '@toolwright/catalogue';
import type { ts } from '../../../engine/typescript.mjs';
import { numberOf } from '../values/keys.js';

/** Something on a path that a later step is judged by: a write, or what can fail. */
export interface PathEvent {
  readonly node: ts.Node;
  readonly kind: 'write' | 'call' | 'throw';
  readonly callee: string;
  /** Null of an explicit throw. */
  readonly judgement: EffectClassification | null;
  /** The calls whose answer it is about: reading a write's own answer belongs to the write. */
  readonly about: readonly ts.Node[];
  /** The calls whose answers the text of a thrown error carries. */
  readonly named: readonly ts.Node[];
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
      const named = [...new Set([...(known?.named ?? []), ...event.named])];
      this.#events[number - 1] = { ...event, about, named };
    }
    return number;
  }

  get(number: number): PathEvent | null {
    return this.#events[number - 1] ?? null;
  }
}
