import type { Confidence, EffectClass, EffectKind, Reach } from './effect.js';

/**
 * One file of `data/`: what the functions of one library do. The schema is `catalogue.schema.json`,
 * which also says what every field means; these types mirror it.
 */
export interface LibraryFile {
  readonly $schema?: string;
  readonly library: string;
  /** Module specifiers; a trailing or inner `*` stands for any characters. `globalThis` holds the globals. */
  readonly modules: readonly string[];
  /** Where the facts come from, for every rule without a source of its own. */
  readonly source: string;
  readonly note?: string;
  /** By name; `module` is what the specifier gives. */
  readonly types: Readonly<Record<string, TypeData>>;
  /** Further specifiers whose export is another type of this file: `{ "fs/promises": "promises" }`. */
  readonly submodules?: Readonly<Record<string, string>>;
}

/** The members of a value: of a module, of an instance, of what a call returns. */
export interface TypeData {
  /** Types whose members this one has too: `Name` of this file or `library#Name`. */
  readonly extends?: readonly string[];
  /** Properties of a value made with `new` or a factory: which argument they repeat. */
  readonly carries?: Readonly<Record<string, string>>;
  readonly rules?: readonly RuleData[];
  /** What holds for a member that no rule names; `verbs` reads its name. Without it: unknown. */
  readonly otherwise?: Otherwise;
}

export type Otherwise = 'verbs' | OutcomeRule;

/** What a call does. */
export interface Outcome {
  readonly effect: EffectClass | 'unknown';
  readonly kind?: EffectKind;
  /** Where it reads, when it writes nothing. */
  readonly touches?: Reach;
  readonly confidence?: Confidence;
}

export interface OutcomeRule extends Partial<Outcome> {
  /** What the call gives; promises are looked through. `self`: the same type as it was called on. */
  readonly returns?: string;
  /** What `new` gives. */
  readonly constructs?: string;
  /** What the property is, when it is read and not called. */
  readonly is?: string;
  /** Which arguments are functions that the call runs, before its result is there. */
  readonly calls?: string;
  /** Which arguments are functions that run later, on an event. */
  readonly listens?: string;
  /** What the first parameter of the functions that it calls is: `self` in a transaction. */
  readonly passes?: string;
  /** Calling what it gives calls this argument: `debounce(fn)`, `promisify(fn)`. */
  readonly returnsArgument?: number;
  /** Which path it gives: `temporary`, or the index of the argument where it lies: `path.join`, `mkdtemp`. */
  readonly yields?: string;
  /** Where a local write goes; under the temporary folder it is none. */
  readonly paths?: string;
  /** What decides the effect; without it `effect` and `kind` hold for every call. */
  readonly decide?: Decision;
  /** What the made value does once it is sent: `new PutObjectCommand(…)`. */
  readonly sends?: Outcome & { readonly decide?: Decision };
  /** Where a key is given that makes a repetition of a create harmless. */
  readonly idempotencyKey?: string;
  /** Calls chained after this one that change what the whole does: `.onConflict(…)`. */
  readonly refine?: readonly Refinement[];
  readonly source?: string;
  readonly note?: string;
}

export interface RuleData extends OutcomeRule {
  /** Names with `*` for any characters, apart by blanks. `()` is the value itself when called. */
  readonly members: string;
  /** Only calls with at least, at most, so many arguments. */
  readonly minArguments?: number;
  readonly maxArguments?: number;
}

export interface Refinement extends Outcome {
  /** Names of the chained calls, `*` for any characters, apart by blanks. */
  readonly chain: string;
}

export type SqlDialect =
  | 'generic'
  | 'postgresql'
  | 'mysql'
  | 'sqlite'
  | 'mssql'
  | 'oracle'
  | 'duckdb'
  | 'bigquery'
  | 'snowflake'
  | 'clickhouse'
  | 'databricks';

/**
 * What in a call decides its effect. Places are argument paths: `0`, `1.method`, `last`, `rest:1`,
 * `receiver:0` (an argument of the call that made the receiver), `chain:set:0` (an argument of a
 * call chained later); several, apart by blanks, are tried in order.
 */
export type Decision =
  | {
      readonly by: 'http';
      readonly method?: string;
      readonly defaultMethod?: string;
      readonly url?: string;
      readonly body?: string;
      readonly headers?: string;
      /** A place that holds `POST /path`. */
      readonly route?: string;
    }
  | {
      readonly by: 'sql';
      readonly text: string;
      readonly dialect?: SqlDialect;
      readonly where: 'local' | 'remote';
      /** The text was made by a tag, which keeps its holes apart from it. */
      readonly areHolesParameters?: true;
      /** What the library puts before the text. */
      readonly prefix?: string;
      /** Runs when it tags a template; as a plain function it makes a fragment. */
      readonly isTag?: true;
    }
  | {
      readonly by: 'graphql';
      readonly document: string;
      /** What the function sends, whatever the document. */
      readonly operation?: 'query' | 'mutation';
    }
  | {
      readonly by: 'command';
      /** The program that is always run. */
      readonly program?: string;
      readonly file?: string;
      readonly arguments?: string;
      readonly shell?: string;
    }
  | { readonly by: 'shell'; readonly text: string }
  | { readonly by: 'flag'; readonly flag: string; readonly defaultFlag: string }
  | {
      readonly by: 'value';
      readonly value: string;
      /** First that matches; `*` stands for any characters, letter case is ignored. */
      readonly cases: readonly (Outcome & { readonly values: readonly string[] })[];
      readonly absent?: Outcome;
      readonly otherwise?: Outcome;
    }
  | { readonly by: 'presence'; readonly value: string; readonly present: Outcome; readonly absent: Outcome }
  | {
      readonly by: 'keys';
      readonly value: string;
      /** Looks at the keys of nested objects and arrays too. */
      readonly deep?: boolean;
      /** First that holds any such key, or (`calls`) a value made by such a function. */
      readonly cases: readonly (Outcome & {
        readonly keys?: readonly string[];
        readonly calls?: readonly string[];
      })[];
      readonly otherwise: Outcome;
      readonly unknown: Outcome;
    }
  | { readonly by: 'made'; readonly value: string }
  | { readonly by: 'verb'; readonly value: string; readonly where: 'local' | 'remote' };

/** One entry of a project's own configuration: it adds to the catalogue, and outranks it. */
export interface ExtraEntry {
  /** The module specifier as it is imported, or `globalThis`. */
  readonly module: string;
  /** Members from the export on: `Client.new().query`, `default.create().post`. `*` stands for any characters. */
  readonly member: string;
  readonly effect: EffectClass;
  readonly kind?: EffectKind;
  readonly touches?: Reach;
  readonly calls?: string;
  /** Why the project says so; printed beside what rests on it. */
  readonly reason: string;
}
