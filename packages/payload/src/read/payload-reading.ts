import { WriteTarget, type ContentQuery, type ContentRecord } from '@toolwright/sdk';
import { Forbidden, type JsonObject, type Payload, type Where } from 'payload';
import type { ActingUser } from '../acting-user.js';
import { collectionOf, entityOf, recordIdOf } from '../entity.js';
import { localeCodesOf } from '../locales.js';
import { readOptionsOf } from '../write/write-options.js';

/**
 * The record as the acting user may see it, without what it points to: access control, hidden fields and
 * the installation's read hooks apply, so that a tool is told nothing that Payload would not tell this user.
 */
export async function readRecord(
  payload: Payload,
  target: WriteTarget,
  options: ContentQuery['options'],
  user: ActingUser,
): Promise<ContentRecord | null> {
  const entity = entityOf(payload, target);
  const common = { ...readOptionsOf(options ?? {}, localeCodesOf(payload)), ...asUser(user) };
  if (entity.kind === 'global') {
    try {
      return { target, data: await payload.findGlobal({ slug: entity.slug, ...common }) };
    } catch (error) {
      if (error instanceof Forbidden) {
        return null;
      }
      throw error;
    }
  }
  const id = recordIdOf(payload, entity.slug, target.uid);
  if (id === null) {
    return null;
  }
  const data = (await payload.findByID({
    collection: entity.slug,
    id,
    disableErrors: true,
    ...common,
  })) as JsonObject | null;
  return data === null ? null : { target, data };
}

/** Records whose fields equal the query's, as the acting user may see them. */
export async function findRecords(
  payload: Payload,
  table: string,
  { where, limit, options }: ContentQuery & { readonly limit: number },
  user: ActingUser,
): Promise<readonly ContentRecord[]> {
  const { slug } = collectionOf(payload, table);
  const conditions = Object.entries(where ?? {}).map(([field, value]): Where => ({
    [field]: { equals: value },
  }));
  const { docs } = await payload.find({
    collection: slug,
    limit,
    pagination: false,
    sort: 'id',
    where: { and: conditions },
    ...readOptionsOf(options ?? {}, localeCodesOf(payload)),
    ...asUser(user),
  } as never);
  return (docs as readonly (JsonObject & { readonly id: string | number })[]).map((data) => ({
    target: WriteTarget.of(slug, data.id),
    data,
  }));
}

function asUser(user: ActingUser): Readonly<Record<string, unknown>> {
  return { depth: 0, overrideAccess: false, ...(user === null ? {} : { user }) };
}
