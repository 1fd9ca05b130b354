import type { SourceLocation, WitnessStep } from './location.js';
import type { Confidence } from './verdict.js';

/**
 * Where a write lands. `none`: nothing is written. `session`: state of this process alone. `local`: files
 * and processes of this machine. `remote`: another system. `content`: records behind the safe content handler.
 */
export type EffectClass = 'none' | 'session' | 'local' | 'remote' | 'content';

/** What the code of a tool, or of its preview, does to the world. */
export interface ReachFacts {
  /** The worst that is reached for certain or under a condition. */
  readonly worst: EffectClass;
  readonly writes: readonly WriteFact[];
  /** Calls on the way of which nothing can be said. */
  readonly unresolved: readonly UnresolvedFact[];
  /** Calls that are reads as far as their names say; the first ones, as the source has them. */
  readonly readsByName: readonly string[];
  /** Calls that the project's own configuration says less of than the catalogue, and why. */
  readonly assumed: readonly string[];
}

/** A write that the code reaches, or can reach. */
export interface WriteFact {
  /** `unknown`: what it does depends on a value that is not known. */
  readonly effect: EffectClass | 'unknown';
  /** What it does: create, append, send, set, delete … */
  readonly kind: string;
  /**
   * `always`: the call writes. `conditional`: it writes for some of the values that an argument is known to
   * have. `undecided`: the value that decides is not known, or comes from the tool's input.
   */
  readonly certainty: 'always' | 'conditional' | 'undecided';
  /** Whether a repetition changes nothing further. */
  readonly converges: 'yes' | 'no' | 'unknown';
  readonly confidence: Confidence;
  /** It is reached only where a read found nothing. */
  readonly isGuardedByRead: boolean;
  /** Under which values of the tool's arguments it is reached, "`operation` is `set`"; empty when always. */
  readonly when: string;
  /** The callee as the source has it. */
  readonly callee: string;
  /** Why it writes, one clause. */
  readonly reason: string;
  /** Documentation or file that this rests on. */
  readonly source: string;
  readonly location: SourceLocation;
  readonly witness: readonly WitnessStep[];
}

/** What a tool says of itself at the end of its paths, against what the path has done. */
export interface PathFacts {
  /** Answers that nothing was written, on a path that has written. */
  readonly falseClaims: readonly FalseClaimFact[];
  /** How many answers say that nothing was written. */
  readonly claims: number;
  /** Failures after a write that end in an answer without the record. */
  readonly lateFailures: readonly LateFailureFact[];
  /** The texts of errors, the parts that are in the source. */
  readonly errorTexts: readonly ErrorTextFact[];
}

export interface FalseClaimFact {
  readonly shape: 'refused' | 'unchanged';
  readonly write: WriteMark;
  readonly location: SourceLocation;
  readonly witness: readonly WitnessStep[];
}

export interface LateFailureFact {
  /** `uncaught`: it leaves the tool. `caught`: an answer without the record takes its place. */
  readonly kind: 'uncaught' | 'caught';
  /** What fails: a callee as the source has it, or `throw`. */
  readonly failing: string;
  readonly write: WriteMark;
  readonly confidence: Confidence;
  /** The place that fails. */
  readonly location: SourceLocation;
  readonly witness: readonly WitnessStep[];
}

export interface WriteMark {
  readonly callee: string;
  readonly effect: EffectClass | 'unknown';
}

export interface ErrorTextFact {
  /** Null where nothing of the text is in the source. Parts that are not known are an ellipsis. */
  readonly text: string | null;
  readonly location: SourceLocation;
}

export interface UnresolvedFact {
  readonly callee: string;
  readonly why: string;
  readonly location: SourceLocation;
  readonly witness: readonly WitnessStep[];
}
