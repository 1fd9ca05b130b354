import { ToolEffect } from '../effect/tool-effect.js';
import { SdkError } from '../errors.js';
import { inputJsonSchema } from './input-json-schema.js';
import type * as z from 'zod';

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/u;
// A timer takes 32 bits; a longer delay fires at once, which would end every call.
const MAX_DELAY_MS = 2_147_483_647;
const EFFECTS: readonly unknown[] = Object.values(ToolEffect);

/**
 * The checks of `defineTool`, for tools that are classes: a host runs them once when it takes a tool in.
 *
 * @throws SdkError with code `INVALID_TOOL_DEFINITION`
 */
export function assertDefinition(definition: Readonly<Record<string, unknown>>): void {
  const { name } = definition;
  if (typeof name !== 'string' || !TOOL_NAME.test(name)) {
    throw invalid(`expected name to be 1 to 64 of a-z A-Z 0-9 _ -, found ${kindOf(name)}`);
  }
  const expect = (member: string, expected: string, isRight: (value: unknown) => boolean): void => {
    const value = definition[member];
    if (!isRight(value)) {
      throw invalid(`tool "${name}": expected ${member} to be ${expected}, found ${kindOf(value)}`);
    }
  };
  expect('description', 'a string', (value) => typeof value === 'string');
  expect('execute', 'a function', isFunction);
  expect('preview', 'a function', (value) => value === undefined || isFunction(value));
  expect('mayViewPreview', 'a function', (value) => value === undefined || isFunction(value));
  expect('effect', `one of ${EFFECTS.join(', ')}`, (value) => value === undefined || EFFECTS.includes(value));
  const isReader = (definition['effect'] ?? ToolEffect.READ_ONLY) === ToolEffect.READ_ONLY;
  expect(
    'destructive',
    isReader ? 'left out of a read-only tool' : 'a boolean',
    (value) => value === undefined || (!isReader && typeof value === 'boolean'),
  );
  expect('timeoutMs', `a whole number from 1 to ${String(MAX_DELAY_MS)}`, isTimeout);
  inputJsonSchema({ name, input: definition['input'] as z.ZodObject });
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function isTimeout(value: unknown): boolean {
  return (
    value === undefined ||
    (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= MAX_DELAY_MS)
  );
}

/** What was found; a definition is code, so a short value of it may be quoted. */
function kindOf(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  if (typeof value === 'string') {
    return JSON.stringify(value.slice(0, 40));
  }
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeof value;
}

function invalid(problem: string): SdkError {
  return new SdkError('INVALID_TOOL_DEFINITION', `Cannot define the tool: ${problem}.`);
}
