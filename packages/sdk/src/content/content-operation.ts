import { SdkError } from '../errors.js';
import { errorClass } from '../failure/thrown-value.js';
import { WriteTarget } from '../target/write-target.js';
import type { ContentData, ContentOptions, ContentQuery } from './content-access.js';

const MAX_LIMIT = 1000;
const DEFAULT_LIMIT = 100;
const NO_OPTIONS: ContentOptions = Object.freeze({});

// What a tool hands over is checked before anything starts, so that a refusal here has written nothing.

/** @throws SdkError with code `INVALID_CONTENT_OPERATION` */
export function assertTable(table: unknown): asserts table is string {
  try {
    WriteTarget.of(table as string, 1);
  } catch (cause) {
    throw invalid('table', 'a name of 1 to 255 characters without control characters', table, cause);
  }
}

/** @throws SdkError with code `INVALID_CONTENT_OPERATION` */
export function assertTarget(target: unknown): asserts target is WriteTarget {
  if (!WriteTarget.is(target)) {
    throw invalid('target', 'a WriteTarget, made with WriteTarget.of(table, uid)', target);
  }
}

/** @throws SdkError with code `INVALID_CONTENT_OPERATION` */
export function assertData(data: unknown): asserts data is ContentData {
  if (!isFields(data)) {
    throw invalid('data', 'an object of fields', data);
  }
}

/** @throws SdkError with code `INVALID_CONTENT_OPERATION` */
export function optionsOf(options: unknown): ContentOptions {
  if (options === undefined) {
    return NO_OPTIONS;
  }
  if (!isFields(options)) {
    throw invalid('options', 'an object', options);
  }
  return options;
}

/** @throws SdkError with code `INVALID_CONTENT_OPERATION` */
export function boundedQuery(query: ContentQuery | undefined): ContentQuery & { readonly limit: number } {
  if (query !== undefined && !isFields(query)) {
    throw invalid('query', 'an object', query);
  }
  const { where, limit = DEFAULT_LIMIT, options }: ContentQuery = query ?? {};
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw invalid('limit', `a whole number from 1 to ${String(MAX_LIMIT)}`, limit);
  }
  if (where !== undefined) {
    assertData(where);
  }
  return { ...(where === undefined ? {} : { where }), options: optionsOf(options), limit };
}

function isFields(value: unknown): value is ContentData {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(field: string, expected: string, found: unknown, cause?: unknown): SdkError {
  const shown = typeof found === 'number' ? String(found) : errorClass(found);
  return new SdkError(
    'INVALID_CONTENT_OPERATION',
    `Cannot use the content handler: expected ${field} to be ${expected}, found ${shown}. Nothing was written.`,
    cause === undefined ? {} : { cause },
  );
}
