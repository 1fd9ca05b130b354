import { alternativeKey } from './keys.js';
import type { ExternalValue, FunctionValue, NativeFunction } from './value.js';

/** A function that something keeps. */
export interface HeldFunction {
  /** The project's own, or a library's that was handed on as it is. */
  readonly code: FunctionValue | ExternalValue | NativeFunction;
  /** The event that it waits for; null where any use of its holder may run it. */
  readonly event: string | null;
}

/**
 * The functions that a value of a library was given, and may run when it is used. What one place of the code
 * makes shares one: it says what may be held, not what is.
 */
export class HeldCode {
  /** A proxy, or something with getters: whoever touches it runs what it holds. */
  isTouchy = false;
  readonly #functions = new Map<string, HeldFunction>();
  readonly #parts = new Set<HeldCode>();

  /** Whether it was not held before. */
  add(held: HeldFunction): boolean {
    const key = `${held.event ?? ''} ${alternativeKey(held.code)}`;
    const isNew = !this.#functions.has(key) && this.#functions.size < MOST_FUNCTIONS;
    if (isNew) {
      this.#functions.set(key, held);
    }
    return isNew;
  }

  /** What is part of it is used with it. */
  include(part: HeldCode): boolean {
    const isNew = part !== this && !this.#parts.has(part);
    if (isNew) {
      this.#parts.add(part);
    }
    return isNew;
  }

  /** Everything that it holds, its parts included. */
  all(): readonly HeldFunction[] {
    const seen = new Set<HeldCode>([this]);
    const found: HeldFunction[] = [];
    for (const holder of seen) {
      found.push(...holder.#functions.values());
      holder.#parts.forEach((part) => seen.add(part));
    }
    return found;
  }
}

/** More are not kept: each is run wherever its holder is used. */
const MOST_FUNCTIONS = 64;
