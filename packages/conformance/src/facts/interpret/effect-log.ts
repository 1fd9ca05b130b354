import type { EffectClassification } from '@toolwright/catalogue';
import type { ts } from '../../../engine/typescript.mjs';
import { numberOf } from '../values/keys.js';
import { answersNamedIn } from '../values/answers.js';
import type { Trail, Value } from '../values/value.js';
import { conditionsKey, type PathCondition } from './path-conditions.js';

/** More of one kind in one function are not told apart. */
const MOST_ENTRIES = 300;

/** A write that was reached, and how. */
export interface ReachedEffect {
  readonly node: ts.Node;
  /** What is called, as the source has it. */
  readonly callee: string;
  readonly judgement: EffectClassification;
  /** What holds of the tool's arguments where it is reached. */
  readonly conditions: readonly PathCondition[];
  /** The calls that lead to it, outermost first. */
  readonly trail: Trail | null;
}

/** A call of which nothing can be said. */
export interface ReachedUnknown {
  readonly node: ts.Node;
  readonly callee: string;
  readonly why: string;
  readonly conditions: readonly PathCondition[];
  readonly trail: Trail | null;
}

/** The call through which an inner function was reached. */
export interface Via {
  readonly call: ts.Node;
  readonly callee: string;
  readonly conditions: readonly PathCondition[];
}

/** What one activation of a function reaches, itself and through the functions that it calls. */
export class EffectLog {
  readonly reached = new Map<string, ReachedEffect>();
  readonly unknowns = new Map<number, ReachedUnknown>();
  /** Calls that read as far as their names say, and what the project's own entries say. */
  readonly byName = new Map<number, string>();
  readonly assumed = new Map<string, string>();
  /** The calls of code that is not here. */
  readonly calls = new Set<ts.Node>();
  /** What calls that change nothing work on: `JSON.parse(text)`, `response.json()`, `schema.parse(data)`. */
  readonly derived = new Map<ts.Node, readonly Value[]>();
  /** What the tests around an answer ask whether it was done. */
  readonly tested = new Map<ts.Node, readonly ts.Node[]>();
  /** The texts of errors that are thrown; null where nothing of one is in the source. */
  readonly texts = new Map<ts.Node, string | null>();

  add(effect: ReachedEffect): void {
    const { node, judgement, conditions } = effect;
    const key = [
      numberOf(node),
      judgement.effect,
      judgement.certainty,
      judgement.kind,
      judgement.condition?.text ?? '',
      conditionsKey(conditions),
    ].join('|');
    if (!this.reached.has(key) && this.reached.size < MOST_ENTRIES) {
      this.reached.set(key, effect);
    }
  }

  addUnknown(unknown: ReachedUnknown): void {
    const key = numberOf(unknown.node);
    if (!this.unknowns.has(key) && this.unknowns.size < MOST_ENTRIES) {
      this.unknowns.set(key, unknown);
    }
  }

  /** The calls, and those whose answers they worked on. */
  sourcesOf(calls: readonly ts.Node[]): readonly ts.Node[] {
    const all = new Set(calls);
    for (const call of all) {
      for (const value of this.derived.get(call) ?? []) {
        answersNamedIn(value).forEach((one) => all.add(one));
      }
    }
    return [...all];
  }

  /** Takes in what a function that was called reaches. */
  takeIn(inner: EffectLog, via: Via): void {
    if (inner === this) {
      return;
    }
    for (const effect of inner.reached.values()) {
      this.add(outward(effect, via));
    }
    for (const unknown of inner.unknowns.values()) {
      this.addUnknown(outward(unknown, via));
    }
    inner.byName.forEach((name, key) => this.byName.set(key, name));
    inner.assumed.forEach((reason, key) => this.assumed.set(key, reason));
    inner.calls.forEach((node) => this.calls.add(node));
    inner.derived.forEach((values, node) => this.derived.set(node, values));
    inner.tested.forEach((calls, node) => this.tested.set(node, calls));
    inner.texts.forEach((text, node) => this.texts.set(node, text));
  }
}

function outward<T extends ReachedEffect | ReachedUnknown>(inner: T, via: Via): T {
  return {
    ...inner,
    conditions: via.conditions.length === 0 ? inner.conditions : [...via.conditions, ...inner.conditions],
    trail: { call: via.call, callee: via.callee, inner: inner.trail },
  };
}
