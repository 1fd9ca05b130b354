import type * as z from 'zod';
import type { ReaderContext, WriterContext } from '../context/tool-context.js';
import { ToolEffect, type WriteEffect } from '../effect/tool-effect.js';
import { SdkError } from '../errors.js';
import type { ReaderResult, WriterResult } from '../result/tool-result.js';
import { inputJsonSchema } from './input-json-schema.js';
import type { MaybePromise, ReaderTool, ToolBase, WriterTool } from './tool.js';

type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never;

// A union here means that the effect is not known from the code; the property name is the message.
type OneEffect<E> =
  IsUnion<E> extends true ? { readonly 'effect must be one literal of ToolEffect': never } : unknown;

/** What `defineTool` takes. One generic rather than overloads, so that an error lands on `execute`. */
export type ToolDefinition<Input extends z.ZodObject, E extends ToolEffect> = ToolBase<Input> & {
  readonly effect?: E & OneEffect<E>;
  /** Writers only: whether the write can destroy what was there before. */
  readonly destructive?: E extends WriteEffect ? boolean : never;
  execute(
    input: z.output<Input>,
    context: E extends WriteEffect ? WriterContext : ReaderContext,
  ): MaybePromise<E extends WriteEffect ? WriterResult : ReaderResult>;
};

/** The tool that a definition with this effect makes. */
export type DefinedTool<Input extends z.ZodObject, E extends ToolEffect> = [E] extends [WriteEffect]
  ? WriterTool<Input, E>
  : ReaderTool<Input>;

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/u;
// A timer takes 32 bits; a longer delay fires at once, which would end every call.
const MAX_DELAY_MS = 2_147_483_647;
const EFFECTS: readonly unknown[] = Object.values(ToolEffect);

/**
 * Defines a tool. Without `effect` it is read-only.
 *
 * @throws SdkError with code `INVALID_TOOL_DEFINITION` when the name is not 1 to 64 of
 *   `a-z A-Z 0-9 _ -`, the input is not a zod object with a JSON Schema form, or the effect is none
 *   of ToolEffect, or the timeout is out of its range.
 */
export function defineTool<Input extends z.ZodObject, const E extends ToolEffect = 'read_only'>(
  definition: ToolDefinition<Input, E>,
): DefinedTool<Input, E> {
  assertDefinition(definition as unknown as Readonly<Record<string, unknown>>);
  return Object.freeze({ ...definition }) as unknown as DefinedTool<Input, E>;
}

/** The checks of {@link defineTool}, for tools that are classes. Throws as it does. @internal */
export function assertDefinition(definition: Readonly<Record<string, unknown>>): void {
  const { name } = definition;
  if (typeof name !== 'string' || !TOOL_NAME.test(name)) {
    const found = typeof name === 'string' ? JSON.stringify(name.slice(0, 80)) : typeof name;
    throw invalid(`expected name to be 1 to 64 of a-z A-Z 0-9 _ -, found ${found}`);
  }
  const where = `tool "${name}"`;
  if (typeof definition['description'] !== 'string') {
    throw invalid(`${where}: expected description to be a string, found ${typeof definition['description']}`);
  }
  if (typeof definition['execute'] !== 'function') {
    throw invalid(`${where}: expected execute to be a function, found ${typeof definition['execute']}`);
  }
  const effect = definition['effect'];
  if (effect !== undefined && !EFFECTS.includes(effect)) {
    throw invalid(`${where}: expected effect to be one of ${EFFECTS.join(', ')}, found ${typeof effect}`);
  }
  const timeoutMs = definition['timeoutMs'];
  if (timeoutMs !== undefined && !isDelayMs(timeoutMs)) {
    throw invalid(
      `${where}: expected timeoutMs to be a whole number from 1 to ${String(MAX_DELAY_MS)}, found ${
        typeof timeoutMs === 'number' ? String(timeoutMs) : typeof timeoutMs
      }`,
    );
  }
  inputJsonSchema({ name, input: definition['input'] as z.ZodObject });
}

function isDelayMs(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= MAX_DELAY_MS;
}

function invalid(problem: string): SdkError {
  return new SdkError('INVALID_TOOL_DEFINITION', `Cannot define the tool: ${problem}.`);
}
