import type * as z from 'zod';
import type { ReaderContext, Viewer, WriterContext } from '../context/tool-context.js';
import type { ToolEffect, WriteEffect } from '../effect/tool-effect.js';
import type { ReaderResult, WriterResult } from '../result/tool-result.js';
import { assertDefinition } from './assert-definition.js';
import type { MaybePromise, ReaderTool, ToolBase, WriterTool } from './tool.js';

type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never;

// A union here means that the effect is not known from the code; the property name is the message.
type OneEffect<E> =
  IsUnion<E> extends true ? { readonly 'effect must be one literal of ToolEffect': never } : unknown;

/**
 * What `defineTool` takes. One generic rather than overloads, so that an error lands on `execute`;
 * functions rather than methods, so that a reader or a preview cannot ask for a writer's context.
 */
export type ToolDefinition<Input extends z.ZodObject, E extends ToolEffect> = Pick<
  ToolBase<Input>,
  'name' | 'description' | 'input' | 'timeoutMs'
> & {
  /** Without it the tool is read-only. A literal, never a value from outside the code. */
  readonly effect?: E & OneEffect<E>;
  /** Writers only: whether the write can destroy what was there before. Unset means it can. */
  readonly destructive?: E extends WriteEffect
    ? boolean
    : { readonly 'only a tool with a write effect can be destructive': never };
  readonly execute: (
    input: z.output<Input>,
    context: E extends WriteEffect ? WriterContext : ReaderContext,
  ) => MaybePromise<E extends WriteEffect ? WriterResult : ReaderResult>;
  /** What a call WOULD do, in short lines, for the person who decides. Never writes. */
  readonly preview?: (input: z.output<Input>, context: ReaderContext) => MaybePromise<readonly string[]>;
  /** Whether this person may see the preview. Asked again for each viewer; fails closed. */
  readonly mayViewPreview?: (input: z.output<Input>, viewer: Viewer) => MaybePromise<boolean>;
};

/** The tool that a definition with this effect makes. */
export type DefinedTool<Input extends z.ZodObject, E extends ToolEffect> = [E] extends [WriteEffect]
  ? WriterTool<Input, E>
  : ReaderTool<Input>;

/**
 * Defines a tool. Without `effect` it is read-only.
 *
 * @throws SdkError with code `INVALID_TOOL_DEFINITION` when the name is not 1 to 64 of
 *   `a-z A-Z 0-9 _ -`, the input is not a zod object with a JSON Schema form, the effect is none of
 *   ToolEffect, a reader says `destructive`, or the timeout is out of its range.
 */
export function defineTool<Input extends z.ZodObject, const E extends ToolEffect = 'read_only'>(
  definition: ToolDefinition<Input, E>,
): DefinedTool<Input, E> {
  assertDefinition(definition);
  // Each member is read once and named, so that one on a prototype is kept and no getter can answer
  // otherwise later; functions keep the definition as their `this`.
  const { name, description, input, effect, destructive, timeoutMs } = definition;
  const { execute, preview, mayViewPreview } = definition;
  return Object.freeze({
    name,
    description,
    input,
    ...(effect === undefined ? {} : { effect }),
    ...(destructive === undefined ? {} : { destructive }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    execute: execute.bind(definition),
    ...(preview === undefined ? {} : { preview: preview.bind(definition) }),
    ...(mayViewPreview === undefined ? {} : { mayViewPreview: mayViewPreview.bind(definition) }),
  }) as unknown as DefinedTool<Input, E>;
}
