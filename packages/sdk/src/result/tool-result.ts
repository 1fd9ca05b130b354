import { SdkError } from '../errors.js';
import { WriteTarget } from '../target/write-target.js';

/** Run-scoped data beside a result: for the trace, an inspector or the audit. Never sent to the model. */
export interface ToolArtifact {
  readonly type: string;
  readonly data: unknown;
}

export type ToolResultKind = 'text' | 'wrote' | 'unchanged' | 'refused' | 'error';

interface ResultFields {
  readonly kind: ToolResultKind;
  readonly content: string;
  readonly artifacts: readonly ToolArtifact[];
  readonly target: WriteTarget | null;
}

/** What each kind carries; exhaustive, so that a new kind cannot forget one. */
const KINDS: Readonly<
  Record<
    ToolResultKind,
    {
      readonly isError: boolean;
      readonly target: 'always' | 'never' | 'either';
      readonly hasArtifacts: boolean;
    }
  >
> = {
  text: { isError: false, target: 'never', hasArtifacts: true },
  wrote: { isError: false, target: 'always', hasArtifacts: true },
  unchanged: { isError: false, target: 'never', hasArtifacts: false },
  refused: { isError: true, target: 'never', hasArtifacts: false },
  error: { isError: true, target: 'either', hasArtifacts: false },
};

const NO_ARTIFACTS: readonly ToolArtifact[] = Object.freeze([]);

/**
 * What every result has. Exported as a type only: results are made by the factories of
 * {@link ToolResult}, and an object literal or a spread of one is none.
 */
export class ToolResultBase {
  // A private member brands the type: a spread or a literal of the same shape does not compile.
  readonly #brand = true;
  readonly kind: ToolResultKind;
  /** The only field that reaches the model. */
  readonly content: string;
  /** True for `refused` and `error`. */
  readonly isError: boolean;
  /** Run-scoped: trace, inspector, audit. None on `unchanged`, `refused` and `error`. */
  readonly artifacts: readonly ToolArtifact[];
  readonly target: WriteTarget | null;

  /** @internal */
  constructor(fields: ResultFields) {
    const { kind, content, artifacts, target } = fields;
    assertContent(content);
    assertTargetOf(kind, target);
    this.kind = kind;
    this.content = content;
    this.isError = KINDS[kind].isError;
    this.artifacts = frozenArtifacts(kind, artifacts);
    this.target = target;
    Object.freeze(this);
  }

  /** The way to rebuild a result: keeps every other field. */
  withContent(content: string): this {
    return rebuild(this, { content });
  }

  /** @internal */
  static isResult(value: unknown): boolean {
    return typeof value === 'object' && value !== null && #brand in value;
  }
}

/** A result that can carry artifacts. */
export class ArtifactResult extends ToolResultBase {
  /** Replaces the artifacts and keeps every other field. */
  withArtifacts(artifacts: readonly ToolArtifact[]): this {
    return rebuild(this, { artifacts });
  }
}

// Every field is named here once, so that a field added later cannot be forgotten in one rebuild.
function rebuild<R extends ToolResultBase>(result: R, change: Partial<ResultFields>): R {
  const { kind, content, artifacts, target } = result;
  return construct({ kind, content, artifacts, target, ...change }) as R;
}

function construct(fields: ResultFields): ToolResultBase {
  return KINDS[fields.kind].hasArtifacts ? new ArtifactResult(fields) : new ToolResultBase(fields);
}

/** An answer of a read-only tool. */
export interface TextResult extends ArtifactResult {
  readonly kind: 'text';
  readonly isError: false;
  readonly target: null;
}

/** A write that landed, and the record it wrote. */
export interface WroteResult extends ArtifactResult {
  readonly kind: 'wrote';
  readonly isError: false;
  readonly target: WriteTarget;
}

/** A writer that found nothing to change. */
export interface UnchangedResult extends ToolResultBase {
  readonly kind: 'unchanged';
  readonly isError: false;
  readonly target: null;
}

/** Nothing was done, and the content says why. */
export interface RefusedResult extends ToolResultBase {
  readonly kind: 'refused';
  readonly isError: true;
  readonly target: null;
}

/** Something failed. With a target: it wrote, then failed. Without: whether it wrote is not known. */
export interface ErrorResult<T extends WriteTarget | null = WriteTarget | null> extends ToolResultBase {
  readonly kind: 'error';
  readonly isError: true;
  readonly target: T;
}

/** What a tool answers. Narrows on `kind`. */
export type ToolResult = TextResult | WroteResult | UnchangedResult | RefusedResult | ErrorResult;

/** What a read-only tool may answer. */
export type ReaderResult = TextResult | RefusedResult | ErrorResult<null>;

/** What a writing tool may answer. */
export type WriterResult = WroteResult | UnchangedResult | RefusedResult | ErrorResult;

export interface ArtifactOptions {
  readonly artifacts?: readonly ToolArtifact[];
}

// The one place where the classes meet the narrower public types.
function make<R extends ToolResult>(
  kind: R['kind'],
  content: string,
  target: WriteTarget | null = null,
  options: ArtifactOptions = {},
): R {
  return construct({ kind, content, artifacts: options.artifacts ?? NO_ARTIFACTS, target }) as unknown as R;
}

function error(content: string): ErrorResult<null>;
function error(content: string, options: { readonly target: WriteTarget }): ErrorResult<WriteTarget>;
function error(content: string, options?: { readonly target: WriteTarget }): ErrorResult {
  return make<ErrorResult>('error', content, options === undefined ? null : assertTarget(options.target));
}

/** The factories of results; the type of the same name is their union. */
export const ToolResult = Object.freeze({
  /** An answer of a read-only tool. */
  text(content: string, options: ArtifactOptions = {}): TextResult {
    return make<TextResult>('text', content, null, options);
  },
  /** The write landed in `target`. */
  wrote(target: WriteTarget, content: string, options: ArtifactOptions = {}): WroteResult {
    return make<WroteResult>('wrote', content, assertTarget(target), options);
  },
  /** A writer found nothing to change. */
  unchanged(content: string): UnchangedResult {
    return make<UnchangedResult>('unchanged', content);
  },
  /** Nothing was done; `content` says why. */
  refused(content: string): RefusedResult {
    return make<RefusedResult>('refused', content);
  },
  /** Something failed. Pass the target when the write had landed before the failure. */
  error,
  /** Whether a value was made by these factories, in this copy of the SDK. */
  is(value: unknown): value is ToolResult {
    return ToolResultBase.isResult(value);
  },
});

function assertContent(content: unknown): asserts content is string {
  if (typeof content !== 'string') {
    throw invalid('content', 'a string', typeof content, 'Turn the value into text that a model can read.');
  }
}

function assertTarget(target: unknown): WriteTarget {
  if (!WriteTarget.is(target)) {
    throw invalid(
      'target',
      'a WriteTarget',
      target === null ? 'null' : typeof target,
      'Make it with WriteTarget.of(table, uid), and install one copy of @toolwright/sdk only.',
    );
  }
  return target;
}

// The constructor can be reached through a result, so the class holds its own invariants.
function assertTargetOf(kind: ToolResultKind, target: WriteTarget | null): void {
  const { target: rule } = KINDS[kind];
  if (target !== null) {
    assertTarget(target);
  }
  if ((rule === 'always' && target === null) || (rule === 'never' && target !== null)) {
    const expected = rule === 'always' ? 'a WriteTarget' : `null on a result of kind ${kind}`;
    throw invalid('target', expected, target === null ? 'null' : 'a WriteTarget', 'Use the factories.');
  }
}

function frozenArtifacts(kind: ToolResultKind, artifacts: readonly ToolArtifact[]): readonly ToolArtifact[] {
  const given: unknown = artifacts;
  if (!Array.isArray(given) || !given.every(isArtifact)) {
    throw invalid('artifacts', 'an array of { type: string, data }', typeof given, 'Give each one a type.');
  }
  if (given.length === 0) {
    return NO_ARTIFACTS;
  }
  if (!KINDS[kind].hasArtifacts) {
    throw invalid('artifacts', `none on a result of kind ${kind}`, String(given.length), 'Leave them out.');
  }
  return Object.freeze(given.map(({ type, data }) => Object.freeze({ type, data })));
}

function isArtifact(value: unknown): value is ToolArtifact {
  const type: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'type') : undefined;
  return typeof type === 'string' && type !== '';
}

function invalid(field: string, expected: string, found: string, remedy: string): SdkError {
  return new SdkError(
    'INVALID_TOOL_RESULT',
    `Cannot make a tool result: expected ${field} to be ${expected}, found ${found}. ${remedy}`,
  );
}
