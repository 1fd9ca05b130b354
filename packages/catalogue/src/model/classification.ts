import type { AbstractValue } from './abstract-value.js';
import type { Confidence, Convergence, EffectClass, EffectKind, Reach } from './effect.js';

/** One call, as far as the analysis knows it. */
export interface CallFacts {
  readonly arguments: readonly AbstractValue[];
  /** The call constructs: `new Client(…)`. */
  readonly isNew?: boolean;
  /** The values of a tagged template's holes are parameters, not text. */
  readonly isTagged?: boolean;
  /** What the method is called on, where it is known what made it. */
  readonly receiver?: AbstractValue;
  /** Calls chained on the result in the same expression, in order: `.values(…).onConflict(…)`. */
  readonly chain?: readonly ChainedCall[];
}

export interface ChainedCall {
  readonly name: string;
  readonly arguments: readonly AbstractValue[];
}

/**
 * What a call does to the world.
 *
 * `effect` is the worst that it can do; `certainty` says whether it does so: `always`, `conditional`
 * (some of the values that an argument is known to have write, others don't) or `undecided` (the
 * deciding argument is unknown, or comes from the tool's input). An `effect` of `unknown` means that
 * the catalogue can't say, and is always `undecided`.
 */
export interface EffectClassification {
  readonly effect: EffectClass | 'unknown';
  readonly kind: EffectKind;
  readonly certainty: 'always' | 'conditional' | 'undecided';
  readonly touches: Reach;
  /** Whether a repetition with the same arguments changes nothing further. `yes` for what writes nothing. */
  readonly converges: Convergence;
  readonly confidence: Confidence;
  /** When it writes, unless `certainty` is `always`. */
  readonly condition: EffectCondition | null;
  /** A project's own entry says less than the catalogue does: to be printed as assumed. */
  readonly isAssumed: boolean;
  /** Documentation, specification or file that this rests on. */
  readonly source: string;
  /** One clause without a full stop, for messages: `POST writes`, `the SQL text inserts a row`. */
  readonly reason: string;
}

export interface EffectCondition {
  /** The place in the call: `1.method`. */
  readonly argument: string;
  /** The tool's own argument that decides, `operation`, where the value comes from it. */
  readonly input: string | null;
  /** Values that write, and values that don't, as far as they are known. */
  readonly writesWhen: readonly string[];
  readonly readsWhen: readonly string[];
  /** For people: "can write when `method` is POST, PUT, PATCH or DELETE". */
  readonly text: string;
}
