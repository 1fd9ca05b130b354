import type { FoundRule } from './library-index.js';

/** One function that the catalogue knows, or one name that it can only read. */
export interface Entry {
  /** The module specifier that the look-up began with, and the path from there. */
  readonly module: string;
  readonly path: readonly string[];
  /** The last name on the path. */
  readonly name: string;
  /** The file of the catalogue; `config` for a project's own entry. */
  readonly library: string;
  /** Documentation, specification or file that this rests on. */
  readonly source: string;
  /** Whether an own rule names it. False for what holds for all other members, and for names that are only read. */
  readonly isNamed: boolean;
  /** A project's own entry that says less than the catalogue: to be printed as assumed, with its reason. */
  readonly assumption: string | null;
  /** Where the arguments stand that the call runs before its result is there: `0`, `last`, `rest:1`, `functions`. */
  readonly calls: string;
  /** Where the arguments stand that run later, on an event. */
  readonly listens: string;
  /** Calling what it gives calls this argument, `promisify(fn)`; null otherwise. */
  readonly returnsArgument: number | null;
}

/** A value as the catalogue knows it: an export, an instance, a member, what a call gives. */
export interface CatalogueValue {
  readonly module: string;
  /** Names, `()` for what a call gives, `new()` for an instance. */
  readonly path: readonly string[];
  /** `library#Type`: what its members are looked up in; empty when nothing is known of them. */
  readonly types: readonly string[];
  /** The rules that hold when it is called, overloads in order. */
  readonly rules: readonly FoundRule[];
}

/** The path as one text, as a project's configuration writes it: `Client.new().query`. */
export function pathText(path: readonly string[]): string {
  let text = '';
  for (const step of path) {
    if (step === '()') text += '()';
    else if (step === 'default' && path.length > 1) continue;
    else if (text === '') text = step;
    else text += `.${step}`;
  }
  return text;
}
