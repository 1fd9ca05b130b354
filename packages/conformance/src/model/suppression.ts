import type { SourceLocation } from './location.js';

/** A comment in the source that asks to have findings of its line left out. */
export interface SuppressionComment {
  /** Rule ids as they were written. */
  readonly rules: readonly string[];
  /** Empty when none was given, and then nothing is suppressed. */
  readonly reason: string;
  readonly location: SourceLocation;
  /** The line that it speaks of: its own when it follows code, else the next one with code. */
  readonly line: number;
}

/** The same from the configuration. Every part that is given must match. */
export interface ConfiguredSuppression {
  readonly rule: string;
  /** A glob of files, relative to the working directory. */
  readonly file?: string;
  readonly tool?: string;
  readonly fingerprint?: string;
  readonly reason: string;
}
