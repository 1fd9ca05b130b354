import { createHash } from 'node:crypto';
import type { FlattenedBlock, FlattenedField, Payload } from 'payload';
import { fieldShouldBeLocalized } from 'payload/shared';
import { ORIGIN_FIELD } from './origin.js';

type Fields = readonly FlattenedField[];
type Value = Readonly<Record<string, unknown>>;

/** The content that is compared: these fields, in this locale. */
export interface ContentScope {
  /** Names of fields, nested ones with dots; null for every field. */
  readonly paths: readonly string[] | null;
  /** Null for every locale, and where content has none. */
  readonly locale: string | null;
}

// What the system sets by itself, and what says nothing about content.
const SYSTEM_FIELDS: readonly string[] = [
  'id',
  'createdAt',
  'updatedAt',
  'deletedAt',
  '_status',
  ORIGIN_FIELD,
];

interface Walk {
  readonly payload: Payload;
  readonly locale: string | null;
}

/**
 * A digest of a version's content within a scope, 22 characters. Versions whose fields hold the same have the same, whatever
 * else differs. Null where the configuration no longer has one of the fields.
 */
export function contentDigest(
  payload: Payload,
  fields: Fields,
  version: Value,
  { paths, locale }: ContentScope,
): string | null {
  const walk = { payload, locale };
  if (paths === null) {
    return digestOf(fieldsContent(walk, fields, version, false));
  }
  const content: (readonly [string, unknown])[] = [];
  for (const path of [...paths].sort()) {
    const found = fieldAt(fields, path);
    if (found === null) {
      return null;
    }
    content.push([path, fieldContent(walk, found, valueAt(version, path), false)]);
  }
  return digestOf(content);
}

/** 132 bits of a SHA-256 over the JSON of a value. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);
}

/** The paths that data for one locale sets: whole fields, but single ones of a group or a named tab. */
export function writtenPaths(fields: Fields, data: Value, prefix = ''): readonly string[] {
  return Object.entries(data).flatMap(([name, value]) => {
    const field = comparedField(fields, name);
    if (field === null || (prefix === '' && SYSTEM_FIELDS.includes(name))) {
      return [];
    }
    const path = `${prefix}${name}`;
    const isEntered = hasFieldsOnly(field) && !isLocalized(field) && isObject(value);
    return isEntered ? writtenPaths(field.flattenedFields, value, `${path}.`) : [path];
  });
}

/** Every path that {@link writtenPaths} could give. */
export function possiblePaths(fields: Fields, prefix = ''): readonly string[] {
  return fields.flatMap((field) => {
    const path = `${prefix}${field.name}`;
    return hasFieldsOnly(field) ? [path, ...possiblePaths(field.flattenedFields, `${path}.`)] : [path];
  });
}

/** Whether what stands at a path is kept by locale, in whole or in part. */
export function isLocalizedAt(fields: Fields, path: string): boolean {
  const field = fieldAt(fields, path);
  return field !== null && holdsLocalized(field);
}

function holdsLocalized(field: FlattenedField): boolean {
  if (isLocalized(field)) {
    return true;
  }
  if (field.type === 'blocks') {
    // Blocks may name one another; asking each of them is not worth a cycle.
    return true;
  }
  return 'flattenedFields' in field && field.flattenedFields.some(holdsLocalized);
}

function fieldAt(fields: Fields, path: string): FlattenedField | null {
  const [name = '', ...rest] = path.split('.');
  const field = comparedField(fields, name);
  if (field === null || rest.length === 0) {
    return field;
  }
  return hasFieldsOnly(field) ? fieldAt(field.flattenedFields, rest.join('.')) : null;
}

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), value);
}

function comparedField(fields: Fields, name: string): FlattenedField | null {
  const field = fields.find((each) => each.name === name);
  return field === undefined || field.type === 'join' || ('virtual' in field && Boolean(field.virtual))
    ? null
    : field;
}

function fieldsContent(walk: Walk, fields: Fields, value: unknown, parentIsLocalized: boolean): unknown {
  const holder = isObject(value) ? value : {};
  return fields
    .filter(({ name }) => !SYSTEM_FIELDS.includes(name) && comparedField(fields, name) !== null)
    .map((field) => [field.name, fieldContent(walk, field, holder[field.name], parentIsLocalized)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function fieldContent(
  walk: Walk,
  field: FlattenedField,
  value: unknown,
  parentIsLocalized: boolean,
): unknown {
  if (!fieldShouldBeLocalized({ field, parentIsLocalized })) {
    return plainContent(walk, field, value, parentIsLocalized);
  }
  const byLocale = isObject(value) ? value : {};
  if (walk.locale !== null) {
    return plainContent(walk, field, byLocale[walk.locale], true);
  }
  return Object.keys(byLocale)
    .sort()
    .map((locale) => [locale, plainContent(walk, field, byLocale[locale], true)]);
}

function plainContent(walk: Walk, field: FlattenedField, value: unknown, isInLocale: boolean): unknown {
  switch (field.type) {
    case 'group':
    case 'tab':
      return fieldsContent(walk, field.flattenedFields, value, isInLocale);
    case 'array':
      return rowsContent(value, (row) => fieldsContent(walk, field.flattenedFields, row, isInLocale));
    case 'blocks':
      return rowsContent(value, (row) => {
        const block = blockOf(walk.payload, field, row['blockType']);
        return [
          row['blockType'],
          block === null ? inOrder(row) : fieldsContent(walk, block.flattenedFields, row, isInLocale),
        ];
      });
    default:
      return inOrder(value);
  }
}

// Without the ids of rows, which the system gives anew.
function rowsContent(value: unknown, rowContent: (row: Value) => unknown): unknown {
  return Array.isArray(value) && value.length > 0
    ? value.map((row: unknown) => rowContent(isObject(row) ? row : {}))
    : null;
}

function blockOf(
  payload: Payload,
  field: Extract<FlattenedField, { type: 'blocks' }>,
  slug: unknown,
): FlattenedBlock | null {
  for (const block of [...(field.blockReferences ?? []), ...field.blocks]) {
    if (typeof block === 'object' ? block.slug === slug : block === slug) {
      return typeof block === 'object' ? block : (payload.blocks[block as never] ?? null);
    }
  }
  return null;
}

/** A value with the keys of its objects in order, and nothing where there is nothing to speak of. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.length === 0 ? null : value.map(inOrder);
  }
  if (value instanceof Date) {
    return value.toISOString();
  }
  if (isObject(value)) {
    return Object.keys(value)
      .sort()
      .map((key) => [key, inOrder(value[key])]);
  }
  return value ?? null;
}

function isLocalized(field: FlattenedField): boolean {
  return fieldShouldBeLocalized({ field, parentIsLocalized: false });
}

type Holder = Extract<FlattenedField, { type: 'group' | 'tab' }>;

function hasFieldsOnly(field: FlattenedField): field is Holder {
  return field.type === 'group' || field.type === 'tab';
}

function isObject(value: unknown): value is Value {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
