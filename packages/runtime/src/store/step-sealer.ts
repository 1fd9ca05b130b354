/** Where a sealed text belongs: it can be opened nowhere else. */
export interface SealPlace {
  readonly runId: string;
  readonly seq: number;
}

/**
 * Encrypts what a resume needs and a trace does not show: exact arguments, the request, previews. A
 * host passes keys, or says `encryption: 'none'` in so many words.
 */
export interface StepSealer {
  seal(place: SealPlace, text: string): Promise<string>;
  /** @throws RuntimeError with code `WRONG_KEY` when no key of the host opens it, or it belongs elsewhere. */
  open(place: SealPlace, sealed: string): Promise<string>;
}
