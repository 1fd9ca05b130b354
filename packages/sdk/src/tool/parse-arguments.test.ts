import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { SdkError } from '../errors.js';
import { ToolResult } from '../result/tool-result.js';
import { defineTool } from './define-tool.js';
import { parseArguments } from './parse-arguments.js';

const SECRET = 'hunter2';

async function refusalOf(input: z.ZodObject, raw: unknown): Promise<string> {
  const tool = defineTool({ name: 'tool', description: '', input, execute: () => ToolResult.text('x') });
  const parsed = await parseArguments(tool, raw);
  return parsed.ok ? 'accepted' : parsed.refusal;
}

describe('parseArguments', () => {
  it('answers what the schema made of the arguments, defaults included', async () => {
    const input = z.object({ title: z.string().trim(), size: z.number().default(3) });
    const tool = defineTool({ name: 'tool', description: '', input, execute: () => ToolResult.text('x') });
    expect(await parseArguments(tool, { title: ' x ', other: 1 })).toEqual({
      ok: true,
      input: { title: 'x', size: 3 },
    });
  });

  it.each<[string, z.ZodObject, unknown, string]>([
    ['a missing field', z.object({ a: z.string() }), {}, 'field "a": expected string'],
    ['a wrong type', z.object({ a: z.number() }), { a: SECRET }, 'field "a": expected number'],
    [
      'a short text',
      z.object({ a: z.string().min(9) }),
      { a: SECRET },
      'field "a": expected at least 9 characters',
    ],
    [
      'a long text',
      z.object({ a: z.string().max(2) }),
      { a: SECRET },
      'field "a": expected at most 2 characters',
    ],
    [
      'an exact length',
      z.object({ a: z.string().length(2) }),
      { a: SECRET },
      'expected exactly 2 characters',
    ],
    ['a small number', z.object({ a: z.number().min(3) }), { a: 1 }, 'field "a": expected at least 3.'],
    ['an excluded bound', z.object({ a: z.number().gt(3) }), { a: 3 }, 'field "a": expected more than 3.'],
    ['an excluded upper bound', z.object({ a: z.number().lt(3) }), { a: 3 }, 'expected less than 3.'],
    ['a long list', z.object({ a: z.array(z.string()).max(1) }), { a: [SECRET, 'y'] }, 'at most 1 items'],
    [
      'another value',
      z.object({ a: z.enum(['x', 'y']) }),
      { a: SECRET },
      'field "a": expected one of "x", "y"',
    ],
    ['a wrong literal', z.object({ a: z.literal(['x', 7]) }), { a: SECRET }, 'expected one of "x", "7"'],
    ['a wrong format', z.object({ a: z.email() }), { a: SECRET }, 'field "a": expected the format email'],
    [
      'a wrong pattern',
      z.object({ a: z.string().regex(/^\d+$/u) }),
      { a: SECRET },
      'text that matches /^\\d+$/u',
    ],
    ['a wrong multiple', z.object({ a: z.number().multipleOf(2) }), { a: 3 }, 'expected a multiple of 2'],
    [
      'no variant',
      z.object({ a: z.union([z.number(), z.boolean()]) }),
      { a: SECRET },
      'a variant of the schema',
    ],
    [
      'another discriminator',
      z.object({
        a: z.discriminatedUnion('t', [z.object({ t: z.literal('x') }), z.object({ t: z.literal('y') })]),
      }),
      { a: { t: SECRET } },
      'field "a.t": expected one of "x", "y"',
    ],
    ['a custom check', z.object({ a: z.string().refine(() => false, SECRET) }), { a: 'x' }, 'not accepted'],
    [
      'a check across fields',
      z.object({ a: z.string() }).refine(() => false, SECRET),
      { a: 'x' },
      'the arguments: not',
    ],
    ['an unknown field', z.strictObject({}), { color: SECRET }, 'the arguments: the schema knows no "color"'],
    [
      'a deep field',
      z.object({ a: z.array(z.object({ b: z.number() })) }),
      { a: [{ b: SECRET }] },
      'field "a.0.b"',
    ],
    [
      'a key',
      z.object({ a: z.record(z.string().max(2), z.number()) }),
      { a: { abc: 1 } },
      'field "a.abc": not a key',
    ],
    ['no object', z.object({}), SECRET, 'the arguments: expected object'],
    ['nothing', z.object({}), undefined, 'the arguments: expected object'],
    ['a list', z.object({}), [SECRET], 'the arguments: expected object'],
  ])('names the field and what is expected, and no value, for %s', async (_what, input, raw, words) => {
    const refusal = await refusalOf(input, raw);
    expect(refusal).toMatch(/^The arguments were refused and nothing was done: /u);
    expect(refusal).toContain(words);
    expect(refusal).not.toContain(SECRET);
  });

  it('names at most ten fields, and counts the others', async () => {
    const shape = Object.fromEntries(
      Array.from({ length: 14 }, (_item, index) => [`f${String(index)}`, z.number()]),
    );
    const refusal = await refusalOf(z.object(shape), {});
    expect(refusal.match(/field "/gu)).toHaveLength(10);
    expect(refusal).toMatch(/; and 4 more\.$/u);
  });

  it('bounds and cleans the names that a model chose', async () => {
    const key = `evil "key"\n\u202e${'x'.repeat(500)}`;
    const refusal = await refusalOf(z.object({ a: z.record(z.string(), z.number()) }), {
      a: { [key]: SECRET },
    });
    expect(refusal).toContain('field "a.evil__key___x');
    expect(refusal.length).toBeLessThan(250);
    expect(await refusalOf(z.strictObject({}), { [key]: 1 })).not.toMatch(/[\n\u202e]/u);
  });

  it('keeps names in other scripts', async () => {
    expect(await refusalOf(z.object({ größe: z.number() }), {})).toContain('field "größe"');
  });

  it('bounds the values that a schema lists', async () => {
    const values = Array.from({ length: 100 }, (_item, index) => `${'v'.repeat(80)}${String(index)}`);
    const refusal = await refusalOf(z.object({ a: z.enum(values as [string]) }), { a: SECRET });
    expect(refusal).toMatch(/and 80 more\.$/u);
    expect(refusal.length).toBeLessThan(1600);
  });

  it('throws an error without its words when the schema itself throws', async () => {
    const boom = new Error(SECRET);
    const input = z.object({
      a: z.string().transform(() => {
        throw boom;
      }),
    });
    const tool = defineTool({ name: 'tool', description: '', input, execute: () => ToolResult.text('x') });
    const error: unknown = await parseArguments(tool, { a: 'x' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SdkError);
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENTS', cause: boom });
    expect((error as Error).message).not.toContain(SECRET);
  });

  it('waits for a check that needs time', async () => {
    const input = z.object({ a: z.string().refine(async () => Promise.resolve(false)) });
    expect(await refusalOf(input, { a: 'x' })).toContain('not accepted');
  });

  it('passes no prototype on', async () => {
    const input = z.looseObject({});
    const tool = defineTool({ name: 'tool', description: '', input, execute: () => ToolResult.text('x') });
    const parsed = await parseArguments(tool, JSON.parse('{"__proto__":{"isAdmin":true}}'));
    expect(parsed.ok && (parsed.input as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});
