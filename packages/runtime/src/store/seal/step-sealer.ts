/** Where a sealed text belongs: it can be opened nowhere else. */
export interface SealPlace {
  readonly runId: string;
  readonly seq: number;
  /** The calls that the step speaks of, in its order. */
  readonly callIds: readonly string[];
}

/** Encrypts steps at rest. A port: keys can also live in a service. */
export interface StepSealer {
  seal(place: SealPlace, text: string): Promise<string>;
  /** @throws RuntimeError with code `WRONG_KEY` when no key of the host opens it, or it belongs elsewhere. */
  open(place: SealPlace, sealed: string): Promise<string>;
  /** Whether a new seal would use the same key. What is not current is sealed anew by a rotation. */
  isCurrent(sealed: string): boolean;
}
