import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { inputJsonSchema, type InputJsonSchema } from './input-json-schema.js';

function schemaOf(input: z.ZodObject): InputJsonSchema {
  return inputJsonSchema({ name: 'tool', input });
}

describe('inputJsonSchema', () => {
  it('is what a model sends: a field with a default is optional', () => {
    const schema = schemaOf(
      z.object({ id: z.number(), size: z.number().default(3), note: z.string().optional() }),
    );
    expect(schema).toMatchObject({ type: 'object', required: ['id'] });
    expect(schema['properties']).toMatchObject({ size: { type: 'number', default: 3 } });
  });

  it('is the input side of a field that is transformed', () => {
    const input = z.object({ at: z.string().transform((text) => new Date(text)) });
    expect(schemaOf(input)['properties']).toEqual({ at: { type: 'string' } });
  });

  it('has its properties at the root when the schema has an id of its own', () => {
    const input = z.object({ title: z.string() }).meta({ id: 'InputJsonSchemaTestPage' });
    const schema = schemaOf(input);
    expect(schema).not.toHaveProperty('$ref');
    expect(schema).toMatchObject({
      type: 'object',
      properties: { title: { type: 'string' } },
      required: ['title'],
    });
  });

  it('keeps the references of a schema that contains itself', () => {
    const node = z.object({
      name: z.string(),
      get child() {
        return node.optional();
      },
    });
    expect(schemaOf(node)).toMatchObject({ type: 'object', properties: { child: { $ref: '#' } } });
    const named = z
      .object({
        name: z.string(),
        get child() {
          return named.optional();
        },
      })
      .meta({ id: 'InputJsonSchemaTestNode' }) as z.ZodObject;
    const schema = schemaOf(named);
    expect(schema['properties']).toHaveProperty('child', { $ref: '#/$defs/InputJsonSchemaTestNode' });
    expect(schema['$defs']).toHaveProperty('InputJsonSchemaTestNode');
  });

  it('keeps descriptions and strictness', () => {
    const schema = schemaOf(z.strictObject({ id: z.number().describe('Uid of the page.') }));
    expect(schema).toMatchObject({
      additionalProperties: false,
      properties: { id: { description: 'Uid of the page.' } },
    });
  });
});
