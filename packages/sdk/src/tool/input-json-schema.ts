import * as z from 'zod';
import { SdkError } from '../errors.js';

/** A JSON Schema (draft 2020-12) of an object. */
export type InputJsonSchema = Readonly<Record<string, unknown>> & { readonly type: 'object' };

/**
 * The JSON Schema of what a model sends, which is the input side of the zod schema: a field with a
 * default is optional here.
 *
 * @throws SdkError with code `INVALID_TOOL_DEFINITION` when the schema is not a zod 4 object or has
 *   no JSON Schema form (a date, a function, a symbol, a custom class).
 */
export function inputJsonSchema(tool: {
  readonly name: string;
  readonly input: z.ZodObject;
}): InputJsonSchema {
  const { input } = tool;
  if (!(input instanceof z.ZodObject)) {
    throw new SdkError(
      'INVALID_TOOL_DEFINITION',
      `Cannot define tool "${tool.name}": expected input to be a zod 4 object schema. ` +
        'Wrap the arguments in z.object({ … }) from the zod version that this package peers with.',
    );
  }
  let schema: Record<string, unknown>;
  try {
    schema = z.toJSONSchema(input, { io: 'input' });
  } catch (cause) {
    throw new SdkError(
      'INVALID_TOOL_DEFINITION',
      `Cannot define tool "${tool.name}": its input has no JSON Schema form. ` +
        'Use types that JSON has (for a date, a string with z.iso.datetime()).',
      { cause },
    );
  }
  return { ...withoutRootReference(schema), type: 'object' };
}

// A schema with an id of its own becomes a reference at the root, where a model API wants the properties.
function withoutRootReference(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { $ref: reference, ...rest } = schema;
  const name = typeof reference === 'string' ? /^#\/\$defs\/(.+)$/u.exec(reference)?.[1] : undefined;
  const definitions = rest['$defs'] as Readonly<Record<string, object>> | undefined;
  return name === undefined ? schema : { ...rest, ...definitions?.[name] };
}
