import type * as z from 'zod';
import type { Viewer, WriteFreeContext, WriterContext } from '../context/tool-context.js';
import type { WriteEffect } from '../effect/tool-effect.js';
import type { ReaderResult, WriterResult } from '../result/tool-result.js';

export type MaybePromise<T> = T | Promise<T>;

/** What every tool has, whatever its effect. */
export interface ToolBase<Input extends z.ZodObject> {
  /** 1 to 64 of `a-z A-Z 0-9 _ -`, unique within a plugin. */
  readonly name: string;
  /** For the model: what the tool does and when to use it. */
  readonly description: string;
  /** The arguments. They are chosen by a model, so they are untrusted until this schema parsed them. */
  readonly input: Input;
  /** Most milliseconds that one call may take, from 1 to 2,147,483,647. Without it the host's default. */
  readonly timeoutMs?: number;
  /**
   * What a call WOULD do, in short lines, for the person who decides. Never writes. At most 20 lines
   * of 500 characters are shown.
   */
  preview?(input: z.output<Input>, context: WriteFreeContext): MaybePromise<readonly string[]>;
  /** Whether this person may see the preview. Asked again for each viewer; fails closed. */
  mayViewPreview?(input: z.output<Input>, viewer: Viewer): MaybePromise<boolean>;
}

/** A tool that changes nothing. The class form: `class X implements ReaderTool<typeof input>`. */
export interface ReaderTool<Input extends z.ZodObject = z.ZodObject> extends ToolBase<Input> {
  readonly effect?: 'read_only';
  /** Only a tool that writes can be destructive. */
  readonly destructive?: never;
  execute(input: z.output<Input>, context: WriteFreeContext): MaybePromise<ReaderResult>;
}

/** A tool that writes one record. The class form: `class X implements WriterTool<typeof input>`. */
export interface WriterTool<
  Input extends z.ZodObject = z.ZodObject,
  Effect extends WriteEffect = WriteEffect,
> extends ToolBase<Input> {
  readonly effect: Effect;
  /** Whether the write can destroy what was there before; unset means it can. */
  readonly destructive?: boolean;
  execute(input: z.output<Input>, context: WriterContext): MaybePromise<WriterResult>;
}

export type Tool = ReaderTool | WriterTool;
