import type { Payload } from 'payload';
import type { Entity } from '../entity.js';
import { readOrigin, type Origin } from './origin.js';
import { timeOf, type VersionState } from './version-state.js';

/** The collection in which {@link toolwrightHistory} records what is deleted with a record. */
export const DELETIONS = 'toolwright-deletions';

/** A record that was deleted, and what its versions said without their content. */
export interface RecordedDeletion {
  readonly at: Date;
  readonly origin: Origin | null;
  /** Oldest first; the newest ones, where there were many. */
  readonly versions: readonly VersionState[];
}

/** How a deletion names its record. */
export function recordKey(slug: string, uid: string | number): string {
  return `${slug}:${String(uid)}`;
}

/** The last deletion of a record that was born at a time; null where none was recorded. */
export async function findDeletion(
  payload: Payload,
  entity: Entity,
  uid: string | number,
  bornAt: number | null,
): Promise<RecordedDeletion | null> {
  if (entity.kind === 'global' || !Object.hasOwn(payload.collections, DELETIONS)) {
    return null;
  }
  const { docs } = await payload.db.find({
    collection: DELETIONS,
    limit: 1,
    pagination: false,
    sort: ['-createdAt', '-id'],
    where: { and: [{ record: { equals: recordKey(entity.slug, uid) } }, { bornAt: { equals: bornAt } }] },
  });
  const [found] = docs as readonly Readonly<Record<string, unknown>>[];
  const at = timeOf(found?.['createdAt']);
  return found === undefined || at === null
    ? null
    : {
        at: new Date(at),
        origin: readOrigin(found),
        versions: Array.isArray(found['versions']) ? (found['versions'] as VersionState[]) : [],
      };
}
