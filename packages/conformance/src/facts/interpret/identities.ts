import type { Frame } from './frame.js';
import type { Identities } from './machine.js';

/** Gives the same number for the same thing of the same activation. */
export class IdentityTable implements Identities {
  readonly #byTag = new Map<string, number>();
  readonly #shared = new Map<string, number>();
  readonly #births: number[] = [0];
  readonly #choices = new Set<number>();

  of(tag: string, frame: Frame): number {
    const key = `${String(frame.id)} ${tag}`;
    let id = this.#byTag.get(key);
    if (id === undefined) {
      id = this.#fresh(frame);
      this.#byTag.set(key, id);
    }
    return id;
  }

  shared(tag: string): number {
    let id = this.#shared.get(tag);
    if (id === undefined) {
      this.#births.push(0);
      id = this.#births.length - 1;
      this.#shared.set(tag, id);
    }
    return id;
  }

  choice(frame: Frame): number {
    const id = this.#fresh(frame);
    this.#choices.add(id);
    return id;
  }

  isChoice(id: number): boolean {
    return this.#choices.has(id);
  }

  #fresh(frame: Frame): number {
    this.#births.push(frame.id);
    return this.#births.length - 1;
  }

  ofField(id: number, name: string): number {
    const key = `field ${String(id)}.${name}`;
    let subject = this.#byTag.get(key);
    if (subject === undefined) {
      this.#births.push(this.birthOf(id));
      subject = this.#births.length - 1;
      this.#byTag.set(key, subject);
    }
    return subject;
  }

  birthOf(id: number): number {
    return this.#births[id] ?? 0;
  }
}
