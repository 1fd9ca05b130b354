import { shippedIndex } from './load/library-files.js';
import { statedEffect } from './lookup/stated-effect.js';
import type { CatalogueValue } from './lookup/catalogue-value.js';
import { ValueGraph, type Lookup } from './lookup/value-graph.js';
import type { EffectClass } from './model/effect.js';

export { GLOBALS, ValueGraph, type Lookup } from './lookup/value-graph.js';
export type { CatalogueValue } from './lookup/catalogue-value.js';

/** A function that writes outside of the process, always or by what it is passed. */
export interface EffectSink {
  readonly module: string;
  readonly path: readonly string[];
  readonly effect: Exclude<EffectClass, 'none' | 'session'>;
  /** `argument`: what is passed decides; judge the call with `Catalogue.classify` to know. */
  readonly when: 'always' | 'argument';
  readonly source: string;
}

const NO_OWN_MODULES = { has: () => false };

class SinkGraph extends ValueGraph {
  sinkOf(value: CatalogueValue): EffectSink | null {
    const found = this.ruleOf(value);
    // A name that is only read for its verb is no certain sink.
    if (found === null || found.rule === 'verbs') return null;
    const { effect, when } = statedEffect(found.rule);
    if (effect === 'none' || effect === 'session' || effect === 'unknown') return null;
    return {
      module: value.module,
      path: value.path,
      effect,
      when,
      source: found.rule.source ?? found.library.source,
    };
  }
}

let graph: SinkGraph | null = null;

/**
 * Whether a library function writes outside of the process, for checks that see one file at a time.
 * It needs none of the parsers, so that it is cheap to load; null for what writes nothing, or is not known.
 */
export function findSink(where: Lookup): EffectSink | null {
  graph ??= new SinkGraph(shippedIndex(), NO_OWN_MODULES);
  const value = graph.valueAt(where);
  return value === null ? null : graph.sinkOf(value);
}
