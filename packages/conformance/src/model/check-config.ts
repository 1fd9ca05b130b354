import type { ExtraEntry } from '@toolwright/catalogue';
import type { ConfiguredSuppression } from './suppression.js';

/** The configuration file, as its published schema describes it. */
export interface CheckConfig {
  /** Names of classes or types that are raw content handlers, whatever they implement. */
  readonly rawHandlers?: readonly string[];
  /** Names of functions and methods that register a tool, besides those that the adapters know. */
  readonly registrars?: readonly string[];
  /** Globs of more test files, relative to each project's folder. */
  readonly testFiles?: readonly string[];
  /** What functions do that the catalogue does not know, or judges otherwise. */
  readonly effects?: readonly ExtraEntry[];
  readonly manifest?: { readonly required?: boolean };
  /** A file of known findings, relative to the working directory. */
  readonly baseline?: string;
  readonly suppressions?: readonly ConfiguredSuppression[];
}
