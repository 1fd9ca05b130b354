export { SdkError, type SdkErrorCode } from './errors.js';
export { ToolEffect, isSafeToRetry, isWrite, type WriteEffect } from './effect/tool-effect.js';
export { effectOf, isWriterTool } from './tool/effect-of.js';
export { WriteTarget } from './target/write-target.js';
export {
  ToolResult,
  type ArtifactResult,
  type ArtifactOptions,
  type ErrorResult,
  type ReaderResult,
  type RefusedResult,
  type TextResult,
  type ToolArtifact,
  type ToolResultBase,
  type ToolResultKind,
  type UnchangedResult,
  type WriterResult,
  type WroteResult,
} from './result/tool-result.js';
export type {
  Actor,
  Clock,
  Logger,
  ReaderContext,
  Viewer,
  WriteFreeContext,
  WriterContext,
} from './context/tool-context.js';
export type { MaybePromise, ReaderTool, Tool, ToolBase, WriterTool } from './tool/tool.js';
export { defineTool, type DefinedTool, type ToolDefinition } from './tool/define-tool.js';
export { inputJsonSchema, type InputJsonSchema } from './tool/input-json-schema.js';
export { parseArguments, type ParsedArguments } from './tool/parse-arguments.js';
export {
  MAX_PREVIEW_LINES,
  MAX_PREVIEW_LINE_LENGTH,
  boundPreview,
  mayView,
  producePreview,
  type Preview,
} from './preview/preview.js';
export { isDatabaseError } from './failure/database-error.js';
export { errorClass } from './failure/thrown-value.js';
export { printableLine } from './failure/printable-line.js';
export { isStorableName } from './target/storable-name.js';
export type {
  ContentData,
  ContentOptions,
  ContentQuery,
  ContentReader,
  ContentRecord,
  ContentWriter,
} from './content/content-access.js';
export type {
  ContentCall,
  ContentWrite,
  FinishingStep,
  RawContentHandler,
} from './content/raw-content-handler.js';
export { currentContentRun, type ContentRun, type InstalledCode } from './content/content-run.js';
export {
  MAX_NOTES_IN_ANSWER,
  safeContentHandler,
  type ContentSession,
  type LandedWrite,
  type SafeContentHandler,
} from './content/safe-content-handler.js';
export type { RawContentHandlerFactory } from './content/write-run.js';
export type { SafeContentOptions } from './content/safe-content-options.js';
export { MAX_NOTE_LENGTH, type RedactMessage } from './content/failure-note.js';
export { ContentWriteError, ReadBackError, WriteLostError } from './content/content-errors.js';
export { MAX_MARK_BYTES } from './content/history-mark.js';
export type {
  ContentHistory,
  HistoryAuthor,
  HistoryContent,
  HistoryEntry,
  HistoryReading,
} from './content/content-history.js';
