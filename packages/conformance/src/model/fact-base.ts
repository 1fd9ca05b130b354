import type { PathFacts, ReachFacts } from './effect-facts.js';
import type { SourceLocation, WitnessStep } from './location.js';

/**
 * Everything that rules may know: plain, serialisable data. No compiler node gets past this file.
 */
export interface FactBase {
  readonly tools: readonly ToolFacts[];
  /** Places where a result (or a `@preserved` value) goes in and a new one of that type comes out. */
  readonly rebuilds: readonly RebuildFact[];
  readonly rawHandler: RawHandlerFacts;
  readonly unresolved: readonly UnresolvedCall[];
  /** What the facts take for granted, one sentence each. */
  readonly assumptions: readonly string[];
  /** How many source files were read, and how many paths through tools were followed. */
  readonly files: number;
  readonly paths: number;
  /** One per plugin that has tools. */
  readonly manifests: readonly ManifestFact[];
}

/** What one program says for itself, before the run's programs are joined. */
export type ProjectFacts = Omit<FactBase, 'manifests'>;

export type Framework = 'toolwright' | 'mcp' | 'ai-sdk' | 'openai-agents' | 'langchain' | 'mastra';
export type Effect = 'read_only' | 'idempotent_write' | 'non_idempotent_write';

export interface ToolFacts {
  /** Unique in a run, and stable when other tools come and go. */
  readonly id: string;
  readonly framework: Framework;
  /** Where the tool is defined. */
  readonly location: SourceLocation;
  /** The package that the tool belongs to: the folder of the nearest package.json, relative. */
  readonly plugin: string;
  readonly name: NameFact;
  readonly effect: EffectFact;
  /** It wraps a tool that is not known here: its name and effect are that tool's. */
  readonly isWrapper?: boolean;
  /** What the code of `execute` does to the world; null when it was not found, or not asked for. */
  readonly reach: ReachFacts | null;
  /** The same for the preview; null too where the tool has none. */
  readonly previewReach: ReachFacts | null;
  readonly hasPreview: boolean;
  /** What `execute` says at the ends of its paths; null as `reach` is. */
  readonly paths: PathFacts | null;
  /** One per return of `execute`, joined over the helpers it goes through; null when `execute` was not found. */
  readonly returns: readonly ReturnFact[] | null;
}

export interface NameFact {
  /** Null where the name is not a literal of the code. */
  readonly value: string | null;
  readonly location: SourceLocation;
  /** Why there is no value; empty with one. */
  readonly why: string;
}

/** Where a declared effect comes from. */
export interface EffectFact {
  /**
   * `absent`: none is declared. `constant`: a literal of the code. `not_constant`: read from
   * configuration, environment, arguments or a variable. `undecided`: the source does not say.
   */
  readonly kind: 'absent' | 'constant' | 'not_constant' | 'undecided';
  /** The effect that the framework gives the tool: the constant, or the default of an absent one. */
  readonly value: Effect | null;
  readonly location: SourceLocation;
  readonly why: string;
  readonly witness: readonly WitnessStep[];
  /**
   * The hints that the effect was mapped from, as a reader knows them (`readOnlyHint: true`), where the
   * framework has hints and no effect; null or absent where the effect itself is declared.
   */
  readonly hint?: string | null;
}

export type ResultShape = 'text' | 'wrote' | 'unchanged' | 'refused' | 'error';

/** One way in which `execute` ends with a value. */
export interface ReturnFact {
  /** `unknown`: the source does not say. `none`: what comes back is no tool result at all. */
  readonly shape: ResultShape | 'unknown' | 'none';
  readonly target: 'present' | 'absent' | 'unknown';
  /** Where the uid of a present target comes from. */
  readonly uid: UidOrigin | null;
  readonly location: SourceLocation;
  /** Why the shape, the target or the uid is unknown; empty when all are known. */
  readonly why: string;
  readonly witness: readonly WitnessStep[];
}

/** `arguments`: the tool's input. `call`: a value that a call answered. `other`: neither, `why` says what. */
export interface UidOrigin {
  readonly kind: 'arguments' | 'call' | 'other';
  readonly why: string;
}

/** A place that takes a value of a preserved type and makes another one of the same type. */
export interface RebuildFact {
  readonly location: SourceLocation;
  /** The tool in whose code alone it lies, or null. */
  readonly toolId: string | null;
  /** The type's name, for messages. */
  readonly type: string;
  readonly fields: readonly RebuiltField[];
  readonly witness: readonly WitnessStep[];
}

export interface RebuiltField {
  readonly name: string;
  readonly fate: 'kept' | 'dropped' | 'unknown';
  /** What was seen; empty for a kept field. */
  readonly why: string;
  /** From the place that had the field to the place that forgot it. */
  readonly witness: readonly WitnessStep[];
}

export interface RawHandlerFacts {
  /** Whether the project knows a raw handler at all. */
  readonly isPresent: boolean;
  readonly uses: readonly RawHandlerUse[];
}

/** One place outside the safe wrapper's factory that constructs, obtains or uses a raw handler. */
export interface RawHandlerUse {
  readonly kind: 'constructed' | 'factory' | 'looked_up' | 'subclassed' | 'injected' | 'used';
  /** `undecided` where the source does not say that it is a raw handler (typed `unknown` in a look-up). */
  readonly certainty: 'certain' | 'undecided';
  readonly location: SourceLocation;
  readonly handler: string;
  readonly why: string;
  readonly witness: readonly WitnessStep[];
}

/** A call whose code could not be found. It makes what depends on it inconclusive. */
export interface UnresolvedCall {
  readonly location: SourceLocation;
  /** The callee as written, cut to 120 characters. */
  readonly callee: string;
  readonly why: string;
  readonly toolIds: readonly string[];
}

/** The committed effects of a plugin: `toolwright.effects.json` beside its package.json. */
export interface ManifestFact {
  /** As {@link ToolFacts.plugin}. */
  readonly plugin: string;
  /** Relative to the working directory. */
  readonly file: string;
  /** Null without a manifest. */
  readonly entries: readonly ManifestEntry[] | null;
  /** Why the file cannot be used; empty when it can, or is not there. */
  readonly problem: string;
  /** Whether the configuration asks for one. */
  readonly isRequired: boolean;
}

export interface ManifestEntry {
  readonly name: string;
  /** Null where the tool declared none when it was pinned. */
  readonly effect: Effect | null;
  readonly location: SourceLocation;
}
