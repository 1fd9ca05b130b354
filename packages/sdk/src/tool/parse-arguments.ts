import type * as z from 'zod';
import { SdkError } from '../errors.js';
import type { Tool } from './tool.js';

/** Arguments as the schema parsed them, or what to tell the model about each field at fault. */
export type ParsedArguments =
  | { readonly ok: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly refusal: string };

const MAX_FIELDS = 10;

/**
 * Parses a model's arguments once. What comes back is what is stored, previewed, approved and
 * executed. A refusal names the fields at fault and what the schema expects, never a value.
 */
export async function parseArguments(tool: Tool, raw: unknown): Promise<ParsedArguments> {
  let parsed: z.ZodSafeParseResult<Record<string, unknown>>;
  try {
    parsed = await tool.input.safeParseAsync(raw);
  } catch (cause) {
    // A refinement or transform of the tool's own threw: foreign code, so its message stays out.
    throw new SdkError('INVALID_ARGUMENTS', `The input schema of tool "${tool.name}" threw while parsing.`, {
      cause,
    });
  }
  if (parsed.success) {
    return { ok: true, input: parsed.data };
  }
  const lines = parsed.error.issues.slice(0, MAX_FIELDS).map(describeIssue);
  const more = parsed.error.issues.length - lines.length;
  return {
    ok: false,
    refusal: `The arguments were refused and nothing was done: ${lines.join('; ')}${more > 0 ? `; and ${String(more)} more` : ''}.`,
  };
}

/** The schema's own words only: a custom message could quote the value, so it is not used. */
function describeIssue(issue: z.core.$ZodIssue): string {
  const field = issue.path.length === 0 ? 'the arguments' : `field "${fieldPath(issue.path)}"`;
  switch (issue.code) {
    case 'invalid_type':
      return `${field}: expected ${issue.expected}`;
    case 'too_small':
      return `${field}: expected at least ${String(issue.minimum)} (${issue.origin})`;
    case 'too_big':
      return `${field}: expected at most ${String(issue.maximum)} (${issue.origin})`;
    case 'invalid_value':
      return `${field}: expected one of ${issue.values.map((value) => JSON.stringify(String(value))).join(', ')}`;
    case 'invalid_format':
      return `${field}: expected the format ${issue.format}`;
    case 'not_multiple_of':
      return `${field}: expected a multiple of ${String(issue.divisor)}`;
    case 'unrecognized_keys':
      return `${field}: ${String(issue.keys.length)} field(s) that the schema does not know`;
    case 'invalid_union':
      return `${field}: matches no variant of the schema`;
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return `${field}: not accepted by the schema`;
  }
}

// A path may hold keys that the model chose (a record's keys), so it is bounded and stripped.
function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) =>
      String(part)
        .replace(/[^\w$-]/gu, '_')
        .slice(0, 40),
    )
    .join('.')
    .slice(0, 120);
}
