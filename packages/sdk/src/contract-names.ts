/**
 * The names of the contract, as data: what a static check looks for in source that it never runs.
 * The conformance command and the ESLint plugin both read them here, so that they cannot disagree.
 */

/** The package whose symbols these are. */
export const SDK_MODULE = '@toolwright/sdk';
/** This module: names as data, none of the types. */
export const CONTRACT_NAMES_MODULE = '@toolwright/sdk/contract-names';

/** The function that defines an object tool, and the interfaces that a class tool implements. */
export const TOOL_DEFINITIONS = {
  factory: 'defineTool',
  readerInterface: 'ReaderTool',
  writerInterface: 'WriterTool',
  union: 'Tool',
} as const;

/** The members of a tool that the contract names. */
export const TOOL_MEMBERS = {
  name: 'name',
  effect: 'effect',
  execute: 'execute',
  preview: 'preview',
  mayViewPreview: 'mayViewPreview',
} as const;

/** The effect constant's members and the literals they stand for. */
export const EFFECT_CONSTANT = 'ToolEffect';
export const EFFECT_MEMBERS = {
  READ_ONLY: 'read_only',
  IDEMPOTENT_WRITE: 'idempotent_write',
  NON_IDEMPOTENT_WRITE: 'non_idempotent_write',
} as const;

/** Result factories by name, with the kind of result that each makes. */
export const RESULT_TYPE = 'ToolResult';
export const RESULT_FACTORIES = {
  text: 'text',
  wrote: 'wrote',
  unchanged: 'unchanged',
  refused: 'refused',
  error: 'error',
} as const;

/** Result types by the kind that they stand for. */
export const RESULT_TYPES = {
  TextResult: 'text',
  WroteResult: 'wrote',
  UnchangedResult: 'unchanged',
  RefusedResult: 'refused',
  ErrorResult: 'error',
} as const;

/** Fields that a rebuild of a result must carry, and the methods that rebuild without losing one. */
export const RESULT_FIELDS = ['content', 'isError', 'artifacts', 'target', 'kind'] as const;
export const RESULT_REBUILD_METHODS = ['withContent', 'withArtifacts'] as const;

/** The write target's class, factory and fields. */
export const TARGET_TYPE = 'WriteTarget';
export const TARGET_FACTORY = 'of';
export const TARGET_FIELDS = ['table', 'uid'] as const;

/** The raw content handler's type, and the only function whose factory argument may build one. */
export const RAW_HANDLER_TYPE = 'RawContentHandler';
export const SAFE_HANDLER_FACTORY = 'safeContentHandler';

/** The content handler's methods that write, as a writer's context offers them. */
export const CONTENT_WRITER_TYPE = 'ContentWriter';
export const CONTENT_WRITE_METHODS = ['create', 'update', 'delete'] as const;

/** The doc tag that marks a type of one's own whose fields a rebuild must keep. */
export const PRESERVED_TAG = 'preserved';
