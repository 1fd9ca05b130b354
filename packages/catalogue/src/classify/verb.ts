import type { EffectKind, WriteKind } from '../model/effect.js';
import { WRITE_KINDS } from '../model/effect.js';
import { cannotSay, reads, writes, type Judgement } from './judgement.js';

/** The file `verbs.json`: words apart by blanks. */
export interface VerbData {
  readonly $schema?: string;
  readonly source: string;
  readonly note: string;
  /** Words before the verb that say nothing. */
  readonly prefixes: string;
  readonly reads: { readonly read: string; readonly pure: string };
  readonly writes: Readonly<Partial<Record<WriteKind, string>>>;
  /** Verbs of a client or a connection when they stand alone. */
  readonly connection: string;
  readonly log: string;
  /** Whole names, in small letters, by which a program reports on itself: errors, usage, measurements. */
  readonly report: string;
  /** Words in the name of an object that only tells what the program does: whatever it is asked, it reports. */
  readonly reporters: string;
  /** Words in the name of an object that measures, when it is asked one of `measurements`. */
  readonly measurers: string;
  readonly measurements: string;
  /** Words in the name of a cache: what it holds can be made again. */
  readonly caches: string;
  /** Words in the name of an object that makes objects: what it creates is no record. */
  readonly factories: string;
  /** Verbs that are a noun at the end of a name, and alone where they are given nothing: `keyValueStore(id)`, `store()`. */
  readonly nouns: string;
  readonly listen: string;
  /** Verbs that say that something is done, not what. */
  readonly unknown: string;
  /** What `writeToString` and its like end with: the answer holds what was written. */
  readonly inMemory: string;
  /** `createClient` makes an object, not a record. */
  readonly notACreate: string;
  /** `setHeader` sets up the client. */
  readonly notASet: string;
  /** Actions, as the last part of a path, whose repetition changes nothing. */
  readonly converging: string;
}

/** What a name says, and the word that says it. */
export interface VerbReading {
  readonly kind: EffectKind;
  readonly verb: string;
}

/** These bring something somewhere, and what follows is what: `copyObject`, `uploadStream`. */
const CARRYING = /^(?:copy|upload|import|post|submit)$/;

/** Reads effects off names. By name is never more than likely. */
export class VerbReader {
  readonly source: string;
  readonly #kinds = new Map<string, EffectKind>();
  readonly #prefixes: ReadonlySet<string>;
  readonly #connection: ReadonlySet<string>;
  readonly #listen: ReadonlySet<string>;
  readonly #log: ReadonlySet<string>;
  readonly #report: ReadonlySet<string>;
  readonly #reporters: ReadonlySet<string>;
  readonly #measurers: ReadonlySet<string>;
  readonly #measurements: ReadonlySet<string>;
  readonly #caches: ReadonlySet<string>;
  readonly #factories: ReadonlySet<string>;
  readonly #nouns: ReadonlySet<string>;
  readonly #inMemory: ReadonlySet<string>;
  readonly #unknown: ReadonlySet<string>;
  readonly #notACreate: ReadonlySet<string>;
  readonly #notASet: ReadonlySet<string>;
  readonly #converging: ReadonlySet<string>;

  constructor(data: VerbData) {
    this.source = data.source;
    this.#prefixes = wordSet(data.prefixes);
    this.#connection = wordSet(data.connection);
    this.#listen = wordSet(data.listen);
    this.#log = wordSet(data.log);
    this.#report = wordSet(data.report);
    this.#reporters = wordSet(data.reporters);
    this.#measurers = wordSet(data.measurers);
    this.#measurements = wordSet(data.measurements);
    this.#caches = wordSet(data.caches);
    this.#factories = wordSet(data.factories);
    this.#nouns = wordSet(data.nouns);
    this.#inMemory = wordSet(data.inMemory);
    this.#unknown = wordSet(data.unknown);
    this.#notACreate = wordSet(data.notACreate);
    this.#notASet = wordSet(data.notASet);
    this.#converging = wordSet(data.converging);
    // A word that stands in several lists has the harmless meaning last, so writes are entered first.
    for (const kind of WRITE_KINDS) {
      for (const word of wordSet(data.writes[kind] ?? ''))
        if (!this.#kinds.has(word)) this.#kinds.set(word, kind);
    }
    for (const kind of ['read', 'pure'] as const) {
      for (const word of wordSet(data.reads[kind])) if (!this.#kinds.has(word)) this.#kinds.set(word, kind);
    }
  }

  /** What a function's name says; null when it says nothing. Dotted names count by their last part. */
  read(name: string): VerbReading | null {
    const words = wordsOf(name).filter(
      (word, index, all) => index === all.length - 1 || !this.#prefixes.has(word),
    );
    const [first] = words;
    if (first === undefined) return null;
    const alone = words.length === 1;
    if (this.#listen.has(words.join(''))) return { kind: 'listen', verb: first };
    if (this.#report.has(words.join(''))) return { kind: 'telemetry', verb: first };
    if (words.at(-2) === 'to' && this.#inMemory.has(words.at(-1) ?? '')) return { kind: 'pure', verb: first };
    const joined = this.#readJoined(words);
    if (joined !== null) return joined;
    if (alone && this.#connection.has(first)) return { kind: 'connection', verb: first };
    if (alone && this.#log.has(first)) return { kind: 'log', verb: first };
    if (this.#unknown.has(first)) return null;
    const kind = this.#kinds.get(first);
    if (kind !== undefined) return { kind: this.#exceptionOf(kind, words) ?? kind, verb: first };
    return this.#readLast(words);
  }

  /** Whether the last part of a path names an action whose repetition changes nothing. */
  isConverging(action: string): boolean {
    const [first = ''] = wordsOf(action);
    return this.#converging.has(first);
  }

  /**
   * What the name of the object says that a method is called on, `telemetry.sendEvent(…)`, `this.cache.remove(…)`;
   * null when it says nothing.
   */
  judgeReceiver(receiver: string, name: string): Judgement | null {
    const words = wordsOf(receiver);
    const [verb = ''] = wordsOf(name);
    const reporter =
      words.find((word) => this.#reporters.has(word)) ??
      (this.#measurements.has(verb) ? words.find((word) => this.#measurers.has(word)) : undefined);
    if (reporter !== undefined) {
      return reads(
        'remote',
        'telemetry',
        `${reporter} in the name ${receiver} tells what the program does`,
        'by-name',
      );
    }
    const kind = this.#kinds.get(verb);
    const factory = kind === 'create' ? words.find((word) => this.#factories.has(word)) : undefined;
    if (factory !== undefined) {
      return reads(
        'nothing',
        'pure',
        `${factory} in the name ${receiver} says that an object is made`,
        'by-name',
      );
    }
    const cache = words.find((word) => this.#caches.has(word));
    return cache !== undefined && kind !== undefined && isWrite(kind)
      ? writes(
          'session',
          'set',
          `${cache} in the name ${receiver} says that what it holds can be made again`,
          {
            confidence: 'by-name',
          },
        )
      : null;
  }

  /** The judgement that a name gives, for a client that acts in `touches`. */
  judge(name: string, touches: 'local' | 'remote', isGivenNothing = false): Judgement {
    if (this.#isNoun(name, isGivenNothing)) {
      return reads('nothing', 'pure', `${name} names what is worked on`, 'by-name');
    }
    const reading = this.read(name);
    if (reading === null) return cannotSay(touches, `the name ${name} says neither read nor write`);
    const { kind, verb } = reading;
    if (isWrite(kind))
      return writes(touches, kind, `${verb} in the name ${name} writes`, { confidence: 'by-name' });
    return reads(kind === 'pure' ? 'nothing' : touches, kind, `${verb} in the name ${name} reads`, 'by-name');
  }

  /** `findOrCreate`, `findOneAndUpdate`: the write of the two counts. */
  #readJoined(words: readonly string[]): VerbReading | null {
    const at = words.findIndex((word, index) => index > 0 && (word === 'or' || word === 'and'));
    const after = words[at + 1];
    if (at === -1 || after === undefined) return null;
    const kind = this.#kinds.get(after);
    const before = this.#kinds.get(words[0] ?? '');
    if (kind === undefined || !isWrite(kind)) return null;
    const isEither = words[at] === 'or' && before !== undefined;
    return { kind: isEither ? 'upsert' : kind, verb: after };
  }

  #isNoun(name: string, isGivenNothing: boolean): boolean {
    const words = wordsOf(name);
    const [first = '', ...more] = words;
    return (
      this.#nouns.has(words.at(-1) ?? '') && (more.length === 0 ? isGivenNothing : !this.#kinds.has(first))
    );
  }

  #exceptionOf(kind: EffectKind, words: readonly string[]): EffectKind | null {
    const last = words[words.length - 1] ?? '';
    if (words.length === 1) return null;
    const isCarrying = CARRYING.test(words[0] ?? '');
    if (
      kind === 'create' &&
      !isCarrying &&
      (this.#notACreate.has(last) || this.#notACreate.has(words[1] ?? ''))
    )
      return 'pure';
    // `ensureArray`, `ensureValid`: what it makes sure of is a value at hand.
    if (
      kind === 'upsert' &&
      words[0] === 'ensure' &&
      (this.#notACreate.has(last) || this.#notASet.has(last))
    ) {
      return 'pure';
    }
    if (kind === 'set' && words[0] === 'set' && this.#notASet.has(last)) return 'control';
    return null;
  }

  /** `issueCreate`, `user_list`: the noun first. */
  #readLast(words: readonly string[]): VerbReading | null {
    const last = words[words.length - 1];
    if (last === undefined || words.length < 2 || this.#unknown.has(last)) return null;
    const kind = this.#kinds.get(last);
    return kind === undefined || kind === 'pure' ? null : { kind, verb: last };
  }
}

/** The words of a name in camel, snake, kebab or dotted form, in small letters; of a dotted one the last part's. */
export function wordsOf(name: string): readonly string[] {
  const last = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/'), name.lastIndexOf('#')) + 1);
  return last
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_\-:]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase().replace(/\d+$/, ''))
    .filter((word) => word !== '');
}

function isWrite(kind: EffectKind): kind is WriteKind {
  return (WRITE_KINDS as readonly string[]).includes(kind);
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').filter((word) => word !== ''));
}
