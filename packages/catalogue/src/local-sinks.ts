import { loadCatalogue, readLibraryFiles } from './load/load-catalogue.js';
import { parseNames } from './lookup/name-pattern.js';
import type { EffectClass } from './model/effect.js';
import { EFFECT_RANK } from './model/effect.js';

/** An export of a module whose call writes outside of the process, always or by an argument. */
export interface EffectSink {
  readonly module: string;
  /** From the module on; `default` and `node:` variants are listed one by one. */
  readonly path: readonly string[];
  readonly effect: Exclude<EffectClass, 'none' | 'session'>;
  /** `argument`: classify the call to know. */
  readonly when: 'always' | 'argument';
}

/**
 * Direct exports (and one level below, `fs.promises.writeFile`) that write outside of the process, for checks that see one file at a
 * time. `effects` narrows what is listed; methods of instances are not in it, classify those by look-up.
 */
export function listSinks(
  effects: readonly EffectSink['effect'][] = ['local', 'remote'],
): readonly EffectSink[] {
  const catalogue = loadCatalogue();
  const sinks: EffectSink[] = [];
  for (const file of readLibraryFiles()) {
    for (const module of [...file.modules, ...Object.keys(file.submodules ?? {})]) {
      if (module.includes('*')) continue;
      for (const path of exportPaths(file.types['module']?.rules ?? [], file.types)) {
        const sink = sinkAt(module, path);
        if (sink !== null && effects.includes(sink.effect)) sinks.push(sink);
      }
    }
  }
  return sinks;

  function sinkAt(module: string, path: readonly string[]): EffectSink | null {
    const found = catalogue.classifyAt({ module, path }, { arguments: [] });
    const unknown = catalogue.classifyAt({ module, path }, { arguments: UNKNOWN_ARGUMENTS, chain: [] });
    const worst = [found, unknown].reduce((left, right) => (rankOf(right) > rankOf(left) ? right : left));
    if (worst === null || worst.effect === 'none' || worst.effect === 'session' || worst.effect === 'unknown')
      return null;
    const isAlways =
      found?.effect === worst.effect && unknown?.effect === worst.effect && unknown.certainty === 'always';
    return { module, path, effect: worst.effect, when: isAlways ? 'always' : 'argument' };
  }
}

const UNKNOWN_ARGUMENTS = Array.from({ length: 4 }, () => ({ kind: 'unknown' }) as const);

function rankOf(classification: { readonly effect: EffectClass | 'unknown' } | null): number {
  if (classification === null) return -1;
  return classification.effect === 'unknown' ? 0 : EFFECT_RANK[classification.effect];
}

interface NamedRule {
  readonly members: string;
  readonly is?: string;
}

function exportPaths(
  rules: readonly NamedRule[],
  types: Readonly<Record<string, { readonly rules?: readonly NamedRule[] }>>,
  depth = 0,
): readonly (readonly string[])[] {
  return rules.flatMap((rule) => {
    const names = [...parseNames(rule.members).exact].filter((name) => name !== '()');
    const inner = rule.is === undefined || depth > 0 || rule.is.includes('#') ? undefined : types[rule.is];
    const below = exportPaths(inner?.rules ?? [], types, depth + 1);
    return names.flatMap((name) => [[name], ...below.map((path) => [name, ...path])]);
  });
}
