import { judgeRule, type RuleContext } from '../classify/judge-rule.js';
import { cannotSay, judgementOf, reads, type Judgement } from '../classify/judgement.js';
import type { VerbReader } from '../classify/verb.js';
import type { AbstractValue } from '../model/abstract-value.js';
import type { CallFacts, EffectClassification } from '../model/classification.js';
import { EFFECT_RANK } from '../model/effect.js';
import type { ExtraEntry, OutcomeRule } from '../model/library-file.js';
import { callbackIndices } from './argument-place.js';
import { pathText, type CatalogueValue, type Entry } from './catalogue-value.js';
import type { ExtraEntries } from './extra-entries.js';
import type { FoundRule, LibraryIndex } from './library-index.js';

/** The module specifier under which globals are looked up. */
export const GLOBALS = 'globalThis';

/** Where a value comes from, for `Catalogue.lookup`. */
export interface Lookup {
  /** As it stands in the import, or `globalThis`. */
  readonly module: string;
  /**
   * Names from there on: an export's name, `default`, a member; `()` for what a call gives, `new()`
   * for an instance. `import { Client } from 'pg'; new Client().query` is `['Client', 'new()', 'query']`.
   */
  readonly path: readonly string[];
  /** Begin with an instance of this export (or a value of this declared type) instead of the module. */
  readonly instanceOf?: string;
}

/** What library functions do to the world. Immutable; look-ups never throw. */
export class Catalogue {
  readonly #index: LibraryIndex;
  readonly #extra: ExtraEntries;
  readonly #verbs: VerbReader;
  readonly #context: RuleContext;

  /** Use `loadCatalogue`. */
  constructor(index: LibraryIndex, extra: ExtraEntries, verbs: VerbReader) {
    this.#index = index;
    this.#extra = extra;
    this.#verbs = verbs;
    this.#context = {
      verbs,
      carried: (made, property) => this.#carried(made, property),
      sent: (made) => this.#sent(made),
    };
  }

  /** Names of the catalogue's files. */
  get libraries(): readonly string[] {
    return this.#index.libraries.map(({ library }) => library);
  }

  /** The function at the end of a path, or null when the catalogue knows none there. */
  lookup(where: Lookup): Entry | null {
    const value = this.valueAt(where);
    return value === null ? null : this.entryOf(value);
  }

  /** The value at the end of a path; null when the catalogue knows nothing of it. */
  valueAt({ module, path, instanceOf }: Lookup): CatalogueValue | null {
    let value = instanceOf === undefined ? this.moduleValue(module) : this.instanceOf(module, instanceOf);
    for (const step of path) {
      if (value === null) return null;
      value = this.stepInto(value, step);
    }
    return value;
  }

  /** What a module specifier gives; null for a module that is not in the catalogue. */
  moduleValue(module: string): CatalogueValue | null {
    const types = this.#index.typesOfModule(module);
    if (types.length === 0 && !this.#extra.has(module)) return null;
    return { module, path: [], types, rules: [] };
  }

  /** A global by its name. */
  globalValue(name: string): CatalogueValue | null {
    const globals = this.moduleValue(GLOBALS);
    return globals === null ? null : this.member(globals, name);
  }

  /** An instance of a class that a module exports, or a value whose declared type has this name. */
  instanceOf(module: string, name: string): CatalogueValue | null {
    const root = this.moduleValue(module);
    if (root === null) return null;
    const exported = this.member(root, name);
    const made = exported === null ? null : this.constructed(exported);
    const isNamed = exported?.rules[0]?.isNamed === true;
    if (isNamed && made !== null && made.types.length > 0) return made;
    // Interfaces are no exports that could be constructed, so they go by the name of a type.
    const types = root.types
      .map((type) => `${type.slice(0, type.lastIndexOf('#'))}#${name}`)
      .filter((type) => this.#index.hasType(type));
    if (types.length === 0) return made;
    return { module, path: [name, 'new()'], types, rules: [] };
  }

  /** One step along a path. */
  stepInto(value: CatalogueValue, step: string): CatalogueValue | null {
    if (step === '()') return this.called(value);
    if (step === 'new()') return this.constructed(value);
    return this.member(value, step);
  }

  /** A member of a value, by its name. */
  member(value: CatalogueValue, name: string): CatalogueValue | null {
    const path = [...value.path, name];
    const rules = this.#rulesFor(value, name);
    if (rules.length > 0) {
      const own = this.#typesOf(rules, 'is');
      // What a module exports is reached through its default export too.
      const types = name === 'default' && value.path.length === 0 ? [...own, ...value.types] : own;
      return { module: value.module, path, rules, types };
    }
    if (name === 'default' && value.path.length === 0) return { ...value, path };
    const isExtra = this.#extra.has(value.module);
    return isExtra ? { module: value.module, path, rules: [], types: [] } : null;
  }

  /** What calling a value gives, promises looked through; null when nothing is known of it. */
  called(value: CatalogueValue, argumentCount?: number): CatalogueValue | null {
    return this.#result(value, 'returns', '()', argumentCount);
  }

  /** What the first parameter of a function is that the call runs: the transaction; null when nothing is known of it. */
  passed(value: CatalogueValue): CatalogueValue | null {
    return this.#result(value, 'passes', '()');
  }

  /** The instance that `new` gives; null when nothing is known of it. */
  constructed(value: CatalogueValue): CatalogueValue | null {
    return this.#result(value, 'constructs', 'new()');
  }

  /** What a value is when it is called, as a function of the catalogue; null when nothing is said of it. */
  entryOf(value: CatalogueValue, argumentCount?: number): Entry | null {
    const found = this.#ruleOf(value, argumentCount);
    const extra = this.#extra.find(value.module, value.path);
    if (extra !== null) return this.#extraEntry(extra, value, found);
    if (found === null) return null;
    const rule = found.rule === 'verbs' ? {} : found.rule;
    return {
      module: value.module,
      path: value.path,
      name: nameOf(value.path),
      library: found.library.library,
      source: found.rule === 'verbs' ? this.#verbs.source : (rule.source ?? found.library.source),
      isNamed: found.isNamed,
      assumption: null,
      calls: rule.calls ?? '',
      listens: rule.listens ?? '',
      returnsArgument: rule.returnsArgument ?? null,
    };
  }

  /** What a call of a value does. Null when the catalogue says nothing of it. */
  classify(value: CatalogueValue, call: CallFacts): EffectClassification | null {
    const entry = this.entryOf(value, call.arguments.length);
    if (entry === null) return null;
    const extra = this.#extra.find(value.module, value.path);
    if (extra !== null) {
      const outcome = {
        effect: extra.effect,
        kind: extra.kind ?? (extra.effect === 'none' ? 'read' : 'write'),
      } as const;
      const touched = extra.touches === undefined ? outcome : { ...outcome, touches: extra.touches };
      const judgement = judgementOf(touched, extra.reason);
      return { ...judgement, isAssumed: entry.assumption !== null, source: entry.source };
    }
    const found = this.#ruleOf(value, call.arguments.length);
    const judgement =
      found === null ? cannotSay('remote', 'nothing is said of it') : this.#judge(found, entry, call);
    return { ...judgement, isAssumed: false, source: entry.source };
  }

  /** Looks up and classifies in one go; null when the catalogue knows nothing there. */
  classifyAt(where: Lookup, call: CallFacts): EffectClassification | null {
    const value = this.valueAt(where);
    return value === null ? null : this.classify(value, call);
  }

  /** Which arguments, by index, are functions that the call runs (`during`) or that run `later`. */
  callbacksOf(
    entry: Entry,
    argumentCount: number,
  ): { readonly during: readonly number[]; readonly later: readonly number[] } {
    return {
      during: entry.calls === '' ? [] : callbackIndices(entry.calls, argumentCount),
      later: entry.listens === '' ? [] : callbackIndices(entry.listens, argumentCount),
    };
  }

  /**
   * What a method does by its name alone, for a receiver of which nothing is known. A method that
   * every builtin type has alike is taken for it; any other name is read for its verb.
   */
  classifyByName(name: string, touches: 'local' | 'remote' = 'remote'): EffectClassification {
    const builtin = this.#builtinMethod(name);
    const judgement = builtin ?? this.#verbs.judge(name, touches);
    return { ...judgement, confidence: 'by-name', isAssumed: false, source: this.#verbs.source };
  }

  #judge(found: FoundRule, entry: Entry, call: CallFacts): Judgement {
    if (found.rule === 'verbs') {
      return call.isNew === true
        ? reads('nothing', 'pure', `${entry.name} is made, not used`, 'by-name')
        : this.#verbs.judge(entry.name, 'remote');
    }
    return judgeRule(found.rule, `${found.library.library} ${pathText(entry.path)}`, call, this.#context);
  }

  #rulesFor(value: CatalogueValue, name: string): readonly FoundRule[] {
    const own = value.types
      .map((type) => this.#index.rulesFor(type, name))
      .filter((rules) => rules.length > 0);
    const named = own.find((rules) => rules[0]?.isNamed === true) ?? own[0];
    if (named?.[0]?.isNamed === true) return named;
    // CommonJS and default exports stand for each other.
    if (value.path.length === 0 && name !== 'default') {
      const fallback = this.member(value, 'default');
      const types =
        fallback?.path.length === 1 ? fallback.types.filter((type) => !value.types.includes(type)) : [];
      for (const type of types) {
        const rules = this.#index.rulesFor(type, name);
        if (rules[0]?.isNamed === true || (rules.length > 0 && named === undefined)) return rules;
      }
    }
    if (value.types.length > 0 && value.path.length > 0) {
      const shared = this.#index.rulesFor('ecmascript#Any', name);
      if (shared.length > 0) return shared;
    }
    return named ?? [];
  }

  #typesOf(
    rules: readonly FoundRule[],
    field: 'is' | 'returns' | 'constructs' | 'passes',
  ): readonly string[] {
    for (const { rule, library, receiver } of rules) {
      // A name that is only read may be a group of methods as well as a method.
      if (rule === 'verbs') {
        if (field === 'is' || field === 'constructs') return [receiver];
        continue;
      }
      const reference = rule[field];
      if (reference !== undefined) return [this.#index.qualify(reference, library, receiver)];
    }
    return [];
  }

  #result(
    value: CatalogueValue,
    field: 'returns' | 'constructs' | 'passes',
    step: string,
    argumentCount?: number,
  ): CatalogueValue | null {
    const path = [...value.path, step];
    const rule = this.#ruleOf(value, argumentCount);
    const types = rule === null ? [] : this.#typesOf([rule], field);
    if (types.length === 0 && !this.#extra.has(value.module)) return null;
    return { module: value.module, path, types, rules: [] };
  }

  /** The overload that takes so many arguments. */
  #ruleOf(value: CatalogueValue, argumentCount?: number): FoundRule | null {
    const rules = value.rules.some(({ rule }) => isCallable(rule)) ? value.rules : this.#callRules(value);
    if (argumentCount === undefined)
      return rules.find(({ maxArguments }) => maxArguments === Infinity) ?? rules[0] ?? null;
    const fitting = rules.find(
      ({ minArguments, maxArguments }) => argumentCount >= minArguments && argumentCount <= maxArguments,
    );
    return fitting ?? rules[0] ?? null;
  }

  /** A value that is callable by its type: an axios instance, chalk, a CommonJS export. */
  #callRules(value: CatalogueValue): readonly FoundRule[] {
    for (const type of value.types) {
      const rules = this.#index.rulesFor(type, '()');
      if (rules.length > 0) return rules;
    }
    if (value.path.length === 0) {
      const fallback = this.member(value, 'default');
      if (fallback !== null && fallback.rules.length > 0) return fallback.rules;
    }
    return [];
  }

  #extraEntry(extra: ExtraEntry, value: CatalogueValue, found: FoundRule | null): Entry {
    return {
      module: value.module,
      path: value.path,
      name: nameOf(value.path),
      library: 'config',
      source: `the project's configuration: ${extra.reason}`,
      isNamed: true,
      assumption: this.#isWeakening(extra, value, found) ? extra.reason : null,
      calls: extra.calls ?? (found === null || found.rule === 'verbs' ? '' : (found.rule.calls ?? '')),
      listens: '',
      returnsArgument: null,
    };
  }

  /** Whether an own entry says less than the catalogue would, or speaks where the catalogue is silent. */
  #isWeakening(extra: ExtraEntry, value: CatalogueValue, found: FoundRule | null): boolean {
    if (found === null) return extra.effect === 'none' || extra.effect === 'session';
    const name = nameOf(value.path);
    const judgement =
      found.rule === 'verbs'
        ? this.#verbs.judge(name, 'remote')
        : judgeRule(found.rule, name, { arguments: UNKNOWN_ARGUMENTS, chain: [] }, this.#context);
    const rank = judgement.effect === 'unknown' ? EFFECT_RANK.remote : EFFECT_RANK[judgement.effect];
    return EFFECT_RANK[extra.effect] < rank;
  }

  #carried(made: Extract<AbstractValue, { kind: 'made' }>, property: string): string | null {
    const types = this.#madeTypes(made);
    for (const type of types) {
      const place = this.#index.carriedBy(type, property);
      if (place !== null) return place;
    }
    return null;
  }

  /** What sending a made value does: an AWS command, a prepared statement. */
  #sent(made: Extract<AbstractValue, { kind: 'made' }>): Judgement | null {
    const value = this.valueAt({ module: made.module, path: made.path });
    const found = value === null ? null : this.#ruleOf(value, made.arguments.length);
    if (found === null || found.rule === 'verbs' || found.rule.sends === undefined) return null;
    const name = nameOf(made.path);
    return judgeRule(
      found.rule.sends,
      `${found.library.library} ${name}`,
      { arguments: made.arguments },
      this.#context,
      name,
    );
  }

  #madeTypes(made: Extract<AbstractValue, { kind: 'made' }>): readonly string[] {
    const value = this.valueAt({ module: made.module, path: made.path });
    if (value === null) return [];
    const instance = this.constructed(value) ?? this.called(value, made.arguments.length);
    return instance?.types ?? [];
  }

  /** What a method does that all builtin types which have it agree on. */
  #builtinMethod(name: string): Judgement | null {
    const [first] = this.#index.rulesFor('ecmascript#AnyMethod', name);
    if (first === undefined || first.rule === 'verbs' || !first.isNamed) return null;
    return judgeRule(first.rule, name, { arguments: [] }, this.#context);
  }
}

/** Enough places to make every deciding argument unknown. */
const UNKNOWN_ARGUMENTS: readonly AbstractValue[] = Array.from(
  { length: 6 },
  () => ({ kind: 'unknown' }) as const,
);

function isCallable(rule: OutcomeRule | 'verbs'): boolean {
  if (rule === 'verbs') return true;
  return (
    rule.effect !== undefined ||
    rule.decide !== undefined ||
    rule.returns !== undefined ||
    rule.constructs !== undefined
  );
}

function nameOf(path: readonly string[]): string {
  return (
    path.findLast((step) => step !== '()' && step !== 'new()' && step !== 'default') ??
    path[path.length - 1] ??
    ''
  );
}
