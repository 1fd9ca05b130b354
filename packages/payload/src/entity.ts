import type { WriteTarget } from '@toolwright/sdk';
import type { Payload, SanitizedCollectionConfig, SanitizedGlobalConfig } from 'payload';
import { PayloadBindingError } from './errors.js';

/** The table of write targets that name a global; their uid is the global's slug. */
export const GLOBALS_TABLE = 'globals';

/** What a record is one of: a collection, or a global, which is its own only record. */
export type Entity =
  | { readonly kind: 'collection'; readonly slug: string; readonly config: SanitizedCollectionConfig }
  | { readonly kind: 'global'; readonly slug: string; readonly config: SanitizedGlobalConfig };

/**
 * The collection of a table, which is called as its slug is.
 *
 * @throws PayloadBindingError with code `UNKNOWN_TABLE`
 */
export function collectionOf(payload: Payload, table: string): Extract<Entity, { kind: 'collection' }> {
  const collection = Object.hasOwn(payload.collections, table) ? payload.collections[table] : undefined;
  if (collection === undefined) {
    throw new PayloadBindingError(
      'UNKNOWN_TABLE',
      `Cannot use the table "${table}": expected the slug of a collection${table === GLOBALS_TABLE ? ', since a global is neither created, deleted nor searched for' : ''}.`,
    );
  }
  return { kind: 'collection', slug: table, config: collection.config };
}

/**
 * What a target is one of.
 *
 * @throws PayloadBindingError with code `UNKNOWN_TABLE`
 */
export function entityOf(payload: Payload, target: WriteTarget): Entity {
  if (target.table !== GLOBALS_TABLE || Object.hasOwn(payload.collections, GLOBALS_TABLE)) {
    return collectionOf(payload, target.table);
  }
  const slug = String(target.uid);
  const config = payload.globals.config.find((global) => global.slug === slug);
  if (config === undefined) {
    throw new PayloadBindingError(
      'UNKNOWN_TABLE',
      `Cannot use the global "${slug}": the configuration has no such global.`,
    );
  }
  return { kind: 'global', slug, config };
}

/** Payload's own id of a record, or null where the uid cannot be one: models write numbers as text. */
export function recordIdOf(payload: Payload, slug: string, uid: string | number): string | number | null {
  const type = payload.collections[slug]?.customIDType ?? payload.db.defaultIDType;
  if (type !== 'number') {
    return String(uid);
  }
  const id = typeof uid === 'number' ? uid : /^\d{1,15}$/u.test(uid) ? Number(uid) : Number.NaN;
  return Number.isSafeInteger(id) ? id : null;
}
