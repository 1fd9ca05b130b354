import type { OutcomeRule } from '../model/library-file.js';
import type { CatalogueValue } from './catalogue-value.js';
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

/** Which modules have entries of a project's own, so that paths into them are followed. */
export interface OwnModules {
  has(module: string): boolean;
}

/** Finds values along paths, without judging what calling them does. Look-ups never throw. */
export class ValueGraph {
  protected readonly index: LibraryIndex;
  readonly #own: OwnModules;

  constructor(index: LibraryIndex, own: OwnModules) {
    this.index = index;
    this.#own = own;
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
    const types = this.index.typesOfModule(module);
    if (types.length === 0 && !this.#own.has(module)) return null;
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
      .filter((type) => this.index.hasType(type));
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
    if (isIndirectCall(name, value)) return { ...value, path };
    const isExtra = this.#own.has(value.module);
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

  /** The overload that takes so many arguments. */
  protected ruleOf(value: CatalogueValue, argumentCount?: number): FoundRule | null {
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
      const rules = this.index.rulesFor(type, '()');
      if (rules.length > 0) return rules;
    }
    if (value.path.length === 0) {
      const fallback = this.member(value, 'default');
      if (fallback !== null && fallback.rules.length > 0) return fallback.rules;
    }
    return [];
  }

  #rulesFor(value: CatalogueValue, name: string): readonly FoundRule[] {
    const own = value.types
      .map((type) => this.index.rulesFor(type, name))
      .filter((rules) => rules.length > 0);
    const named = own.find((rules) => rules[0]?.isNamed === true) ?? own[0];
    if (named?.[0]?.isNamed === true) return named;
    // CommonJS and default exports stand for each other.
    if (value.path.length === 0 && name !== 'default') {
      const fallback = this.member(value, 'default');
      const types =
        fallback?.path.length === 1 ? fallback.types.filter((type) => !value.types.includes(type)) : [];
      for (const type of types) {
        const rules = this.index.rulesFor(type, name);
        if (rules[0]?.isNamed === true || (rules.length > 0 && named === undefined)) return rules;
      }
    }
    if (value.types.length > 0 && value.path.length > 0) {
      const shared = this.index.rulesFor('ecmascript#Any', name);
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
      if (reference !== undefined) return [this.index.qualify(reference, library, receiver)];
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
    const rule = this.ruleOf(value, argumentCount);
    const types = rule === null ? [] : this.#typesOf([rule], field);
    if (types.length === 0 && !this.#own.has(value.module)) return null;
    return { module: value.module, path, types, rules: [] };
  }
}

function isCallable(rule: OutcomeRule | 'verbs'): boolean {
  if (rule === 'verbs') return true;
  return (
    rule.effect !== undefined ||
    rule.decide !== undefined ||
    rule.returns !== undefined ||
    rule.constructs !== undefined
  );
}

/** `fn.call(self, …)` is `fn(…)`, as far as no argument decides what it does. */
function isIndirectCall(name: string, value: CatalogueValue): boolean {
  const isCall = name === 'call' || name === 'apply';
  return (
    isCall &&
    value.rules.length > 0 &&
    value.rules.every(({ rule }) => rule !== 'verbs' && rule.decide === undefined)
  );
}
