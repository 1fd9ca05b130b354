import { judgeRule, type RuleContext } from '../classify/judge-rule.js';
import { cannotSay, judgementOf, reads, type Judgement } from '../classify/judgement.js';
import { isTemporaryPath } from '../classify/temporary-path.js';
import type { VerbReader } from '../classify/verb.js';
import type { AbstractValue } from '../model/abstract-value.js';
import type { CallFacts, EffectClassification } from '../model/classification.js';
import { EFFECT_RANK } from '../model/effect.js';
import type { ExtraEntry } from '../model/library-file.js';
import { callbackIndices } from './argument-place.js';
import { pathText, type CatalogueValue, type Entry } from './catalogue-value.js';
import type { ExtraEntries } from './extra-entries.js';
import type { FoundRule, LibraryIndex } from './library-index.js';
import { ValueGraph, type Lookup } from './value-graph.js';

/** What library functions do to the world. Immutable; look-ups never throw. */
export class Catalogue extends ValueGraph {
  readonly #extra: ExtraEntries;
  readonly #verbs: VerbReader;
  readonly #context: RuleContext;

  /** Use `loadCatalogue`. */
  constructor(index: LibraryIndex, extra: ExtraEntries, verbs: VerbReader) {
    super(index, extra);
    this.#extra = extra;
    this.#verbs = verbs;
    this.#context = {
      verbs,
      carried: (made, property) => this.#carried(made, property),
      yielded: (made) => this.#yielded(made),
      sent: (made) => this.#sent(made),
    };
  }

  /** Names of the catalogue's files. */
  get libraries(): readonly string[] {
    return this.index.libraries.map(({ library }) => library);
  }

  /** Whether functions of a module run SQL, so that `prepareSqlParser` pays. */
  runsSql(module: string): boolean {
    return this.index.decidesBy(module, 'sql');
  }

  /** The function at the end of a path, or null when the catalogue knows none there. */
  lookup(where: Lookup): Entry | null {
    const value = this.valueAt(where);
    return value === null ? null : this.entryOf(value);
  }

  /** What a value is when it is called, as a function of the catalogue; null when nothing is said of it. */
  entryOf(value: CatalogueValue, argumentCount?: number): Entry | null {
    const found = this.ruleOf(value, argumentCount);
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
    const found = this.ruleOf(value, call.arguments.length);
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
   * every builtin type has alike is taken for it; any other name is read for its verb, after the name of what it
   * is called on.
   */
  classifyByName(
    name: string,
    touches: 'local' | 'remote' = 'remote',
    receiver = '',
    isGivenNothing = false,
  ): EffectClassification {
    const judgement =
      this.#builtinMethod(name) ??
      (receiver === '' ? null : this.#verbs.judgeReceiver(receiver, name)) ??
      this.#verbs.judge(name, touches, isGivenNothing);
    return { ...judgement, confidence: 'by-name', isAssumed: false, source: this.#verbs.source };
  }

  #judge(found: FoundRule, entry: Entry, call: CallFacts): Judgement {
    if (found.rule === 'verbs') {
      return call.isNew === true
        ? reads('nothing', 'pure', `${entry.name} is made, not used`, 'by-name')
        : this.#judgeName(entry.name, 'remote', call.arguments.length === 0);
    }
    return judgeRule(found.rule, `${found.library.library} ${pathText(entry.path)}`, call, this.#context);
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
      const place = this.index.carriedBy(type, property);
      if (place !== null) return place;
    }
    return null;
  }

  /** Whether a path certainly lies under the temporary folder, by what the catalogue knows of the calls that made it. */
  isTemporaryPath(path: AbstractValue): boolean {
    return isTemporaryPath(path, this.#context.yielded);
  }

  #yielded(made: Extract<AbstractValue, { kind: 'made' }>): string | null {
    const value = this.valueAt({ module: made.module, path: made.path });
    const found = value === null ? null : this.ruleOf(value, made.arguments.length);
    return found === null || found.rule === 'verbs' ? null : (found.rule.yields ?? null);
  }

  /** What sending a made value does: an AWS command, a prepared statement. */
  #sent(made: Extract<AbstractValue, { kind: 'made' }>): Judgement | null {
    const value = this.valueAt({ module: made.module, path: made.path });
    const found = value === null ? null : this.ruleOf(value, made.arguments.length);
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

  /** A member of a client that is read for its verb; what is no verb may be a builtin's method on plain data. */
  #judgeName(name: string, touches: 'local' | 'remote', isGivenNothing: boolean): Judgement {
    const judgement = this.#verbs.judge(name, touches, isGivenNothing);
    const builtin = judgement.effect === 'unknown' ? this.#builtinMethod(name) : null;
    return builtin === null ? judgement : { ...builtin, confidence: 'by-name' };
  }

  /** What a method does that all builtin types which have it agree on. */
  #builtinMethod(name: string): Judgement | null {
    const [first] = this.index.rulesFor('ecmascript#AnyMethod', name);
    if (first === undefined || first.rule === 'verbs' || !first.isNamed) return null;
    return judgeRule(first.rule, name, { arguments: [] }, this.#context);
  }
}

/** Enough places to make every deciding argument unknown. */
const UNKNOWN_ARGUMENTS: readonly AbstractValue[] = Array.from(
  { length: 6 },
  () => ({ kind: 'unknown' }) as const,
);

function nameOf(path: readonly string[]): string {
  return (
    path.findLast((step) => step !== '()' && step !== 'new()' && step !== 'default') ??
    path[path.length - 1] ??
    ''
  );
}
