import type { ts } from '../../engine/typescript.mjs';
import type { LoadedProject } from '../load/loaded-project.js';
import type { EffectFact, Framework, NameFact } from '../model/fact-base.js';
import type { SourceLocation } from '../model/location.js';

/**
 * What a tool's code is called with. `input`: what the model gives. `context`: what the framework hands in.
 * `constant`: known from the definition. An object has these members, and others that are not known.
 */
export type EntryArgument =
  | { readonly kind: 'input' }
  | { readonly kind: 'context' }
  | { readonly kind: 'constant'; readonly value: string | number | boolean | null }
  | { readonly kind: 'object'; readonly members: Readonly<Record<string, EntryArgument>> };

/** A tool definition as an adapter found it: facts about its declaration, and the nodes of its code. */
export interface ToolDefinition {
  readonly framework: Framework;
  /** The definition: the call, object literal or class. A factory's tools share one. */
  readonly node: ts.Node;
  readonly name: NameFact;
  readonly effect: EffectFact;
  /**
   * The code that answers a call: a function-like node, or an expression that evaluates to a function
   * (an imported handler, a bound method). Null when the adapter could not find it.
   */
  readonly execute: ts.SignatureDeclaration | ts.Expression | null;
  /**
   * What `execute` is called with, where it is not the model's input and then the framework's context: a
   * dispatcher that serves many tools is called with the name of this one.
   */
  readonly arguments?: readonly EntryArgument[];
  /** The code of the preview, in the same form; null where the tool has none. */
  readonly preview: ts.SignatureDeclaration | ts.Expression | null;
  /** Who may see the preview: asked anew for everybody who looks. */
  readonly previewGuard?: ts.SignatureDeclaration | ts.Expression | null;
  /** The code that wrappers of the tool put in the place of its own: it answers calls of it too. */
  readonly wrappedBy?: Readonly<
    Record<'execute' | 'preview', readonly (ts.SignatureDeclaration | ts.Expression)[]>
  >;
  /** It wraps a tool that is not known here, whose name and effect it has. */
  readonly isWrapper?: boolean;
}

export interface DiscoveredTool extends ToolDefinition {
  /** Unique in a run, and stable when other tools come and go. */
  readonly id: string;
  readonly location: SourceLocation;
  /** The folder of the nearest package.json, relative to the working directory. */
  readonly plugin: string;
}

/** What the configuration says of how a project makes its tools. */
export interface DiscoveryOptions {
  /** Names of functions and methods that register a tool, besides those of the frameworks. */
  readonly registrars: readonly string[];
}

/** Finds the tools of one framework. One folder each under `adapters/`. */
export interface ToolAdapter {
  readonly framework: Framework;
  /** What a project must contain for this adapter to find a tool; printed when no tool was found. */
  readonly looksFor: string;
  /** The tools that the checked files of a project define, in the order of files and positions. */
  discover(project: LoadedProject, options?: DiscoveryOptions): readonly ToolDefinition[];
}
