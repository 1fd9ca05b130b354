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
  readonly isError: boolean;
  readonly artifacts: readonly ToolArtifact[];
  readonly target: WriteTarget | null;
}

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
    if (typeof fields.content !== 'string') {
      throw new SdkError(
        'INVALID_TOOL_RESULT',
        `Cannot make a tool result: expected content to be a string, found ${typeof fields.content}. ` +
          'Turn the value into text that a model can read.',
      );
    }
    this.kind = fields.kind;
    this.content = fields.content;
    this.isError = fields.isError;
    this.artifacts = fields.artifacts.length === 0 ? NO_ARTIFACTS : Object.freeze([...fields.artifacts]);
    this.target = fields.target;
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
  const { kind, content, isError, artifacts, target } = result;
  const Result = result.constructor as new (fields: ResultFields) => R;
  return new Result({ kind, content, isError, artifacts, target, ...change });
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

function make<R extends ToolResult>(fields: ResultFields & Pick<R, 'kind'>): R {
  const Result = fields.kind === 'text' || fields.kind === 'wrote' ? ArtifactResult : ToolResultBase;
  // The one place where the classes meet the narrower public types.
  return new Result(fields) as unknown as R;
}

function withoutArtifacts(kind: ToolResultKind, content: string, isError: boolean): ResultFields {
  return { kind, content, isError, artifacts: NO_ARTIFACTS, target: null };
}

function error(content: string): ErrorResult<null>;
function error(content: string, options: { readonly target: WriteTarget }): ErrorResult<WriteTarget>;
function error(content: string, options?: { readonly target: WriteTarget }): ErrorResult {
  const target = options === undefined ? null : assertTarget(options.target);
  return make<ErrorResult>({ ...withoutArtifacts('error', content, true), kind: 'error', target });
}

/** The factories of results; the type of the same name is their union. */
export const ToolResult = {
  /** An answer of a read-only tool. */
  text(content: string, options: ArtifactOptions = {}): TextResult {
    const artifacts = options.artifacts ?? NO_ARTIFACTS;
    return make<TextResult>({ kind: 'text', content, isError: false, artifacts, target: null });
  },
  /** The write landed in `target`. */
  wrote(target: WriteTarget, content: string, options: ArtifactOptions = {}): WroteResult {
    const artifacts = options.artifacts ?? NO_ARTIFACTS;
    return make<WroteResult>({
      kind: 'wrote',
      content,
      isError: false,
      artifacts,
      target: assertTarget(target),
    });
  },
  /** A writer found nothing to change. */
  unchanged(content: string): UnchangedResult {
    return make<UnchangedResult>({ ...withoutArtifacts('unchanged', content, false), kind: 'unchanged' });
  },
  /** Nothing was done; `content` says why. */
  refused(content: string): RefusedResult {
    return make<RefusedResult>({ ...withoutArtifacts('refused', content, true), kind: 'refused' });
  },
  /** Something failed. Pass the target when the write had landed before the failure. */
  error,
  /** Whether a value was made by these factories, in this copy of the SDK. */
  is(value: unknown): value is ToolResult {
    return ToolResultBase.isResult(value);
  },
} as const;

function assertTarget(target: WriteTarget): WriteTarget {
  if (!WriteTarget.is(target)) {
    throw new SdkError(
      'INVALID_TOOL_RESULT',
      'Cannot make a tool result: expected target to be a WriteTarget, found something else. ' +
        'Make it with WriteTarget.of(table, uid), and install one copy of @toolwright/sdk only.',
    );
  }
  return target;
}
