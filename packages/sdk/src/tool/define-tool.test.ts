import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import { SdkError } from '../errors.js';
import { ToolResult } from '../result/tool-result.js';
import { WriteTarget } from '../target/write-target.js';
import { assertDefinition } from './assert-definition.js';
import { defineTool } from './define-tool.js';

const right = {
  name: 'read_page',
  description: 'Reads a page.',
  input: z.object({ id: z.number() }),
  execute: () => ToolResult.text('x'),
};

function define(change: object): unknown {
  return defineTool({ ...right, ...change });
}

function errorOf(change: object): SdkError {
  try {
    define(change);
  } catch (error) {
    if (error instanceof SdkError) {
      return error;
    }
    throw error;
  }
  throw new TypeError('nothing was thrown');
}

describe('defineTool', () => {
  it('keeps what was defined, frozen, and adds nothing', () => {
    const tool = defineTool(right);
    expect(Object.isFrozen(tool)).toBe(true);
    expect(Object.keys(tool)).toEqual(['name', 'description', 'input', 'execute']);
    expect(tool.input).toBe(right.input);
  });

  it('keeps every member of a writer', () => {
    const tool = defineTool({
      ...right,
      effect: 'idempotent_write',
      destructive: false,
      timeoutMs: 5,
      execute: () => ToolResult.wrote(WriteTarget.of('pages', 1), 'x'),
      preview: () => ['line'],
      mayViewPreview: () => true,
    });
    expect(tool).toMatchObject({ effect: 'idempotent_write', destructive: false, timeoutMs: 5 });
    expect(tool.preview?.({ id: 1 }, {} as never)).toEqual(['line']);
    expect(tool.mayViewPreview?.({ id: 1 }, { id: 'v' })).toBe(true);
  });

  it('keeps what a definition inherits, and its this', () => {
    class Definition {
      readonly name = 'tool';
      readonly description = '';
      readonly input = z.object({});
      readonly #words = 'private';
      execute() {
        return ToolResult.text(this.#words);
      }
      preview() {
        return [this.#words];
      }
    }
    const { execute, preview } = defineTool(new Definition());
    expect(execute({}, {} as never)).toMatchObject({ content: 'private' });
    expect(preview?.({}, {} as never)).toEqual(['private']);
  });

  it('reads the effect once, so that it cannot change later', () => {
    let asked = 0;
    const tool = define({
      get effect() {
        asked += 1;
        return asked > 2 ? 'read_only' : 'non_idempotent_write';
      },
    }) as { readonly effect: string };
    expect([tool.effect, tool.effect]).toEqual(['non_idempotent_write', 'non_idempotent_write']);
  });

  it.each<[string, object, string]>([
    ['an empty name', { name: '' }, 'expected name to be 1 to 64 of a-z A-Z 0-9 _ -, found ""'],
    ['a long name', { name: 'x'.repeat(65) }, 'expected name to be 1 to 64'],
    ['a name with a space', { name: 'read page' }, 'found "read page"'],
    ['a name with a control character', { name: 'a\u001b' }, 'found "a\\u001b"'],
    ['a name with a line break at its end', { name: 'a\n' }, 'expected name to be'],
    ['no name', { name: undefined }, 'found undefined'],
    ['no description', { description: undefined }, 'tool "read_page": expected description to be a string'],
    ['no execute', { execute: null }, 'expected execute to be a function, found null'],
    [
      'an effect of another kind',
      { effect: 'write' },
      'expected effect to be one of read_only, idempotent_write',
    ],
    ['an effect that is null', { effect: null }, 'found null'],
    ['an effect that is a boolean', { effect: true }, 'found true'],
    ['a preview that is text', { preview: 'x' }, 'expected preview to be a function'],
    [
      'a viewer question that is a value',
      { mayViewPreview: true },
      'expected mayViewPreview to be a function',
    ],
    [
      'a destructive reader',
      { destructive: true },
      'expected destructive to be left out of a read-only tool',
    ],
    [
      'a declared reader that is not destructive',
      { effect: 'read_only', destructive: false },
      'expected destructive to be left out of a read-only tool, found false',
    ],
    ['a writer with a strange destructive', { effect: 'idempotent_write', destructive: 'no' }, 'a boolean'],
    ['a timeout of nothing', { timeoutMs: 0 }, 'expected timeoutMs to be a whole number from 1'],
    ['a timeout that no timer takes', { timeoutMs: 2_147_483_648 }, 'found 2147483648'],
    ['a fraction as timeout', { timeoutMs: 1.5 }, 'found 1.5'],
    ['no input', { input: undefined }, 'expected input to be a zod 4 object schema'],
    ['a shape as input', { input: { id: z.number() } }, 'expected input to be a zod 4 object schema'],
    ['a zod 3 object as input', { input: z3.z.object({}) }, 'expected input to be a zod 4 object schema'],
    ['a string as input', { input: z.string() }, 'expected input to be a zod 4 object schema'],
    ['a piped object as input', { input: z.object({}).transform((x) => x) }, 'a zod 4 object schema'],
    ['a date in the input', { input: z.object({ at: z.date() }) }, 'has no JSON Schema form'],
    [
      'a deep bigint',
      { input: z.object({ a: z.array(z.object({ b: z.bigint() })) }) },
      'no JSON Schema form',
    ],
    ['a map in the input', { input: z.object({ m: z.map(z.string(), z.string()) }) }, 'no JSON Schema form'],
    ['a class in the input', { input: z.object({ u: z.instanceof(URL) }) }, 'no JSON Schema form'],
    ['a custom type in the input', { input: z.object({ c: z.custom<string>() }) }, 'no JSON Schema form'],
  ])('refuses %s', (_what, change, words) => {
    const error = errorOf(change);
    expect(error.code).toBe('INVALID_TOOL_DEFINITION');
    expect(error.message).toContain(words);
  });

  it('keeps the reason that a schema has no JSON form', () => {
    expect(errorOf({ input: z.object({ at: z.date() }) }).cause).toBeInstanceOf(Error);
  });
});

describe('assertDefinition', () => {
  it('accepts a class whose members are methods', () => {
    class Reader {
      readonly name = 'tool';
      readonly description = '';
      readonly input = z.object({});
      execute() {
        return ToolResult.text('x');
      }
    }
    expect(() => assertDefinition(new Reader() as never)).not.toThrow();
  });
});
