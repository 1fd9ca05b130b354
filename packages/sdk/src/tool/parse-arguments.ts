import type * as z from 'zod';
import { SdkError } from '../errors.js';
import { cutLine, printableLine } from '../failure/printable-line.js';
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
  return `${field}: ${expectationOf(issue)}`;
}

function expectationOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${issue.expected}`;
    case 'too_small': {
      const bound = issue.exact === true ? 'exactly' : issue.inclusive === false ? 'more than' : 'at least';
      return `expected ${bound} ${String(issue.minimum)}${unitOf(issue.origin)}`;
    }
    case 'too_big': {
      const bound = issue.exact === true ? 'exactly' : issue.inclusive === false ? 'less than' : 'at most';
      return `expected ${bound} ${String(issue.maximum)}${unitOf(issue.origin)}`;
    }
    case 'invalid_value':
      return `expected one of ${listOf(issue.values)}`;
    case 'invalid_format':
      return issue.format === 'regex' && issue.pattern !== undefined
        ? `expected text that matches ${shown(issue.pattern, 100)}`
        : `expected the format ${issue.format}`;
    case 'not_multiple_of':
      return `expected a multiple of ${String(issue.divisor)}`;
    case 'unrecognized_keys': {
      const names = issue.keys.slice(0, MAX_FIELDS).map((key) => `"${fieldPath([key])}"`);
      const more = issue.keys.length - names.length;
      return `the schema knows no ${names.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
    }
    case 'invalid_union':
      return issue.inclusive === false
        ? 'expected exactly one variant of the schema to match'
        : `expected ${issue.options === undefined ? 'a variant of the schema' : `one of ${listOf(issue.options)}`}`;
    case 'invalid_key':
      return 'not a key that the schema accepts';
    case 'invalid_element':
    case 'custom':
      return 'not accepted by the schema';
  }
}

function unitOf(origin: string): string {
  switch (origin) {
    case 'string':
      return ' characters';
    case 'array':
    case 'set':
    case 'map':
      return ' items';
    default:
      return '';
  }
}

const MAX_VALUES = 20;

/** Values that the schema itself names. */
function listOf(values: readonly unknown[]): string {
  const named = values.slice(0, MAX_VALUES).map((value) => JSON.stringify(shown(String(value), 60)));
  const more = values.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${String(more)} more` : '');
}

function shown(text: string, maxLength: number): string {
  return cutLine(printableLine(text), maxLength);
}

// A path may hold keys that the model chose (a record's keys), so it is bounded and stripped.
function fieldPath(path: readonly PropertyKey[]): string {
  const parts = path.map((part) => cutLine(String(part).replace(/[^\p{L}\p{N}_$-]/gu, '_'), 40));
  return cutLine(parts.join('.'), 120);
}
