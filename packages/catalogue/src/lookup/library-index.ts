import type { LibraryFile, Otherwise, OutcomeRule, RuleData, TypeData } from '../model/library-file.js';
import { globExpression, matchWeight, parseNames, type NamePattern } from './name-pattern.js';

/** A rule as it was found for a member. */
export interface FoundRule {
  readonly library: LibraryFile;
  /** The type of the value that the member was looked up on, as `library#Type`. */
  readonly receiver: string;
  readonly rule: OutcomeRule | 'verbs';
  /** Whether the rule names the member, rather than being what holds for all others. */
  readonly isNamed: boolean;
  readonly minArguments: number;
  readonly maxArguments: number;
}

interface IndexedRule {
  readonly pattern: NamePattern;
  readonly rule: RuleData;
}

interface IndexedType {
  readonly library: LibraryFile;
  readonly data: TypeData;
  readonly exact: ReadonlyMap<string, readonly RuleData[]>;
  readonly globs: readonly IndexedRule[];
}

/** All libraries by module specifier and type; types are indexed when they are first asked for. */
export class LibraryIndex {
  readonly #libraries = new Map<string, LibraryFile>();
  readonly #modules = new Map<string, string[]>();
  readonly #modulePatterns: {
    readonly expression: RegExp;
    readonly weight: number;
    readonly type: string;
  }[] = [];
  readonly #types = new Map<string, IndexedType | null>();
  readonly #found = new Map<string, readonly FoundRule[]>();

  constructor(files: readonly LibraryFile[]) {
    for (const file of files) {
      this.#libraries.set(file.library, file);
      for (const specifier of file.modules) this.#addModule(specifier, `${file.library}#module`);
      for (const [specifier, type] of Object.entries(file.submodules ?? {})) {
        this.#addModule(specifier, `${file.library}#${type}`);
      }
    }
  }

  get libraries(): readonly LibraryFile[] {
    return [...this.#libraries.values()];
  }

  /** Types that a module specifier gives; several for the globals, which lie in several files. */
  typesOfModule(specifier: string): readonly string[] {
    const bare = specifier.startsWith('node:') ? specifier.slice('node:'.length) : specifier;
    const exact =
      this.#modules.get(specifier) ?? this.#modules.get(bare) ?? this.#modules.get(`node:${bare}`);
    if (exact !== undefined) return exact;
    const matched = this.#modulePatterns.filter(({ expression }) => expression.test(specifier));
    // The pattern with the most literal characters is the closest.
    const [closest] = matched.sort((left, right) => right.weight - left.weight);
    if (closest !== undefined) return [closest.type];
    // A path into a package that is known gives what the package gives, unless a file says otherwise.
    const parent = parentSpecifier(specifier);
    return parent === null ? [] : this.typesOfModule(parent);
  }

  /** Whether any rule of the libraries behind a specifier decides in this way. */
  decidesBy(specifier: string, by: string): boolean {
    return this.typesOfModule(specifier).some((type) => {
      const library = this.#libraries.get(type.slice(0, type.lastIndexOf('#')));
      const rules = Object.values(library?.types ?? {}).flatMap((data) => data.rules ?? []);
      return rules.some(({ decide, sends }) => decide?.by === by || sends?.decide?.by === by);
    });
  }

  hasType(type: string): boolean {
    return this.#typeOf(type) !== null;
  }

  /** `Name` of a library's file, or `library#Name`, as `library#Name`. */
  qualify(reference: string, library: LibraryFile, receiver: string): string {
    if (reference === 'self') return receiver;
    return reference.includes('#') ? reference : `${library.library}#${reference}`;
  }

  /** Which argument a property of a made value repeats, for values of this type. */
  carriedBy(type: string, property: string): string | null {
    const found = this.#typeOf(type)?.data.carries;
    return found !== undefined && Object.hasOwn(found, property) ? (found[property] ?? null) : null;
  }

  /**
   * The rules for a member of a type, overloads in the order of the file: those that name it, else the
   * closest glob, else what holds for all others; own ones before inherited ones. Empty when nothing is said.
   */
  rulesFor(type: string, member: string): readonly FoundRule[] {
    const key = `${type} ${member}`;
    let rules = this.#found.get(key);
    if (rules === undefined) {
      rules = this.#findRules(type, member);
      this.#found.set(key, rules);
    }
    return rules;
  }

  #findRules(type: string, member: string): readonly FoundRule[] {
    const chain = this.#withSupertypes(type);
    for (const one of chain) {
      const exact = one.exact.get(member);
      if (exact !== undefined) return exact.map((rule) => found(one, type, rule, true));
    }
    for (const one of chain) {
      const closest = closestGlobs(one.globs, member);
      if (closest.length > 0) return closest.map((rule) => found(one, type, rule, true));
    }
    for (const one of chain) {
      // Calling the value itself is no "other member".
      if (one.data.otherwise !== undefined && member !== '()')
        return [found(one, type, one.data.otherwise, false)];
    }
    return [];
  }

  #addModule(specifier: string, type: string): void {
    if (specifier.includes('*')) {
      const weight = specifier.replaceAll('*', '').length;
      this.#modulePatterns.push({ expression: globExpression(specifier), weight, type });
      return;
    }
    const types = this.#modules.get(specifier);
    if (types === undefined) this.#modules.set(specifier, [type]);
    else types.push(type);
  }

  #withSupertypes(type: string): readonly IndexedType[] {
    const seen = new Set<string>();
    const chain: IndexedType[] = [];
    const pending = [type];
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      if (seen.has(next)) continue;
      seen.add(next);
      const indexed = this.#typeOf(next);
      if (indexed === null) continue;
      chain.push(indexed);
      const { library } = indexed;
      pending.push(
        ...(indexed.data.extends ?? []).map((reference) => this.qualify(reference, library, type)),
      );
    }
    return chain;
  }

  #typeOf(type: string): IndexedType | null {
    const known = this.#types.get(type);
    if (known !== undefined) return known;
    const at = type.lastIndexOf('#');
    const library = this.#libraries.get(type.slice(0, at));
    const name = type.slice(at + 1);
    const data =
      library !== undefined && Object.hasOwn(library.types, name) ? library.types[name] : undefined;
    const indexed = library === undefined || data === undefined ? null : indexType(library, data);
    this.#types.set(type, indexed);
    return indexed;
  }
}

/** `openai/resources/chat` as `openai/resources`; null for a package's own name, and for what is no package. */
function parentSpecifier(specifier: string): string | null {
  if (/^(\.|\/|node:|[a-z]+:)/.test(specifier)) return null;
  const parts = specifier.split('/');
  const isPackage = parts.length <= (specifier.startsWith('@') ? 2 : 1);
  return isPackage ? null : parts.slice(0, -1).join('/');
}

function indexType(library: LibraryFile, data: TypeData): IndexedType {
  const exact = new Map<string, RuleData[]>();
  const globs: IndexedRule[] = [];
  for (const rule of data.rules ?? []) {
    const pattern = parseNames(rule.members);
    for (const name of pattern.exact) {
      const overloads = exact.get(name);
      if (overloads === undefined) exact.set(name, [rule]);
      else overloads.push(rule);
    }
    if (pattern.globs.length > 0) globs.push({ pattern, rule });
  }
  return { library, data, exact, globs };
}

function closestGlobs(globs: readonly IndexedRule[], member: string): readonly RuleData[] {
  let best = -1;
  let closest: RuleData[] = [];
  for (const { pattern, rule } of globs) {
    const weight = matchWeight(pattern, member);
    if (weight > best) {
      best = weight;
      closest = [rule];
    } else if (weight === best && weight !== -1) closest.push(rule);
  }
  return closest;
}

function found(type: IndexedType, receiver: string, rule: RuleData | Otherwise, isNamed: boolean): FoundRule {
  const hasBounds = typeof rule === 'object';
  const bounds = hasBounds ? (rule as Partial<RuleData>) : {};
  return {
    library: type.library,
    receiver,
    rule,
    isNamed,
    minArguments: bounds.minArguments ?? 0,
    maxArguments: bounds.maxArguments ?? Number.POSITIVE_INFINITY,
  };
}
