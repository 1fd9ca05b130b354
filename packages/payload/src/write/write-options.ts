import type { ContentData, ContentOptions, ContentWrite } from '@toolwright/sdk';
import type { File } from 'payload';
import { PayloadBindingError } from '../errors.js';

/** What a tool may say beside the data when it creates a record. */
export interface PayloadCreateOptions {
  /** The locale that localized fields are written in. Default: the default locale. */
  readonly locale?: string;
  /** Whether to store a draft, in a collection that has drafts. */
  readonly draft?: boolean;
  /** The file of a collection with uploads. */
  readonly file?: File;
  /** The id of the record to duplicate; the data is put over the copy. */
  readonly duplicateOf?: string | number;
  /** With `duplicateOf`: copy these locales only. */
  readonly selectedLocales?: readonly string[];
  /** Publish every locale, where locales are published apart. */
  readonly publishAllLocales?: boolean;
}

/** What a tool may say beside the data when it updates a record or a global. */
export interface PayloadUpdateOptions {
  readonly locale?: string;
  /** Whether to store the change as a draft; a published record stays as it is. */
  readonly draft?: boolean;
  readonly file?: File;
  /**
   * The id of the version to restore instead of writing data, which must be `{}` then. Beside it only `locale`:
   * Payload's local API restores a version as it was, and not as a draft.
   */
  readonly restoreVersion?: string | number;
  readonly publishAllLocales?: boolean;
  readonly publishSpecificLocale?: string;
  readonly unpublishAllLocales?: boolean;
  /** Whether the record may be one in the trash. Its restore sets `deletedAt` to null. */
  readonly trash?: boolean;
}

/** What a tool may say when it deletes a record. */
export interface PayloadDeleteOptions {
  /** Whether the record may be one in the trash. To put one there, update `deletedAt`. */
  readonly trash?: boolean;
}

/** What a tool may say when it reads. */
export interface PayloadReadOptions {
  readonly locale?: string;
  /** The locale whose value stands in for one that is not translated; false for none. */
  readonly fallbackLocale?: string | false;
  /** Whether to read the latest draft where there is one. */
  readonly draft?: boolean;
  readonly trash?: boolean;
}

type Check = (value: unknown) => boolean;

const isBoolean: Check = (value) => typeof value === 'boolean';
const isName: Check = (value) => typeof value === 'string' && value !== '';
const isId: Check = (value) => isName(value) || typeof value === 'number';
const isNames: Check = (value) => Array.isArray(value) && value.every(isName);
const isFile: Check = (value) =>
  typeof value === 'object' && value !== null && 'data' in value && 'name' in value;

type ChecksOf<Options> = { readonly [Name in keyof Required<Options>]: Check };

const CREATE: ChecksOf<PayloadCreateOptions> = {
  locale: isName,
  draft: isBoolean,
  file: isFile,
  duplicateOf: isId,
  selectedLocales: isNames,
  publishAllLocales: isBoolean,
};
const UPDATE: ChecksOf<PayloadUpdateOptions> = {
  locale: isName,
  draft: isBoolean,
  file: isFile,
  restoreVersion: isId,
  publishAllLocales: isBoolean,
  publishSpecificLocale: isName,
  unpublishAllLocales: isBoolean,
  trash: isBoolean,
};
const RESTORE = { restoreVersion: UPDATE.restoreVersion, locale: UPDATE.locale };
const DELETE: ChecksOf<PayloadDeleteOptions> = { trash: isBoolean };
const READ: ChecksOf<PayloadReadOptions> = {
  locale: isName,
  fallbackLocale: (value) => value === false || isName(value),
  draft: isBoolean,
  trash: isBoolean,
};

/** @throws PayloadBindingError with code `UNKNOWN_OPTION` */
export function readOptionsOf(
  options: ContentOptions,
  locales: readonly string[] | null,
): PayloadReadOptions {
  assertOptions(options, READ, 'a read');
  assertLocales(options, locales);
  return options;
}

/**
 * Checks the options of a write, so that one that is not known is refused and not silently dropped.
 *
 * @throws PayloadBindingError with code `UNKNOWN_OPTION`
 */
export function assertWriteOptions(operation: ContentWrite, locales: readonly string[] | null): void {
  const { kind, options } = operation;
  if (kind === 'update' && options['restoreVersion'] !== undefined) {
    assertOptions(options, RESTORE, 'a restored version');
    assertLocales(options, locales);
    assertNoData(operation.data);
    return;
  }
  assertOptions(
    options,
    { create: CREATE, update: UPDATE, delete: DELETE }[kind],
    `a write of the kind ${kind}`,
  );
  assertLocales(options, locales);
}

function assertNoData(data: ContentData): void {
  const [field] = Object.keys(data);
  if (field !== undefined) {
    throw new PayloadBindingError(
      'UNSUPPORTED_OPERATION',
      `Cannot write the field "${field}" along with a restored version: write it with an update of its own.`,
    );
  }
}

function assertOptions(
  options: ContentOptions,
  checks: Readonly<Record<string, Check>>,
  of: string,
): asserts options is Readonly<Record<string, never>> {
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check?.(value) !== true) {
      throw new PayloadBindingError(
        'UNKNOWN_OPTION',
        check === undefined
          ? `Cannot use the option "${name}" for ${of}: there are ${Object.keys(checks).join(', ')}.`
          : `Cannot use the option "${name}" for ${of}: its value is of the wrong kind.`,
      );
    }
  }
}

// Payload writes an unknown locale into the default one without a word.
function assertLocales(options: ContentOptions, locales: readonly string[] | null): void {
  const named = [
    options['locale'],
    options['fallbackLocale'],
    options['publishSpecificLocale'],
    options['selectedLocales'],
  ]
    .flat()
    .filter((locale): locale is string => typeof locale === 'string');
  const unknown = named.find((locale) => locales?.includes(locale) !== true);
  if (unknown !== undefined) {
    const known = locales === null ? 'no locales' : `the locales ${locales.join(', ')}`;
    throw new PayloadBindingError(
      'UNKNOWN_OPTION',
      `Cannot use the locale "${unknown}": the configuration has ${known}.`,
    );
  }
}
