import type { ts } from '../../../engine/typescript.mjs';
import type { EffectLog } from './effect-log.js';
import type { Branch, State } from './state.js';
import type { Value } from '../values/value.js';

/** One activation of a function, or the top level of a file. */
export interface Frame {
  /** Counts up, so a frame made inside a call has a greater id than the frame that called. */
  readonly id: number;
  readonly node: ts.Node;
  /** The activation of the function around it in the source. */
  readonly enclosing: Frame | null;
  caller: Frame | null;
  readonly call: ts.Node | null;
  readonly depth: number;
  /** The root that it belongs to: a value of an ended root is read from what was last seen. */
  readonly root: number;
  readonly self: Value | null;
  readonly args: readonly Value[];
  /** The state in which it was entered. */
  entry: State;
  readonly returns: ReturnRecord[];
  yielded: Value;
  /** Innermost last. */
  readonly tries: TryRecord[];
  readonly targets: JumpTarget[];
  /** The loops that are running, innermost last. */
  readonly loops: ts.Node[];
  /** Variables that hold a preserved value, with the declaration that scopes them. */
  readonly holders: Map<string, ts.Node>;
  /** What was written where a failure left it, in the form of `written.ts`. */
  failures: Value;
  /** The ways in which it answered, by what they had written; told apart only where that differs. */
  outcomes: readonly Outcome[];
  /** What it reaches, itself and through its calls. */
  readonly effects: EffectLog;
  /** Whether it still runs. */
  isActive: boolean;
  /** Whether it read or wrote what lies outside of it, so that its answer holds for this one call. */
  isEntangled: boolean;
}

/** Answers of a function that had written the same. */
export interface Outcome {
  readonly value: Value;
  readonly written: Value;
}

export interface ReturnRecord {
  readonly value: Value;
  /** The return statement, the arrow's expression, or the function whose end is reached. */
  readonly node: ts.Node;
  readonly branch: Branch;
}

/** What can be the case when an exception is caught. */
export interface TryRecord {
  readonly base: State;
  readonly changes: Map<string, Value>;
  /** What was noted last, so that it is not noted again. */
  readonly noted: Map<string, Value>;
  thrown: Value;
  readonly failures: FailedWay[];
}

/** One way in which a try was left by a failure. */
export interface FailedWay {
  /** What was written by then, in the form of `written.ts`. */
  readonly written: Value;
  /** What had been assigned by then since the try began. */
  readonly changes: ReadonlyMap<string, Value>;
}

/** A statement that `break` or `continue` can leave. */
export interface JumpTarget {
  readonly labels: readonly string[];
  readonly isLoop: boolean;
  readonly isSwitch: boolean;
  readonly base: State;
  readonly breaks: Branch[];
  readonly continues: Branch[];
}
