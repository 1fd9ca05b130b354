import type { Payload } from 'payload';
import { recordIdOf } from '../entity.js';
import type { RunRecord, StoredPart } from '../observe/run-record.js';

type Row = Readonly<Record<string, unknown>>;

/**
 * Whether what is stored shows the write of a run. It asks the adapter, outside of every transaction and
 * without a hook: a COMMIT may have been refused, or a nested failure may have rolled it back, without a
 * word from Payload.
 */
export async function isStored(payload: Payload, record: RunRecord, uid: string | number): Promise<boolean> {
  const { entity, operation } = record;
  const version = record.parts.find((part) => part.versionId !== undefined);
  const row = record.parts.find(({ kind }) => kind !== 'version');
  if (entity.kind === 'global') {
    return version === undefined
      ? isRowStored(await globalRow(payload, entity.slug), row)
      : hasGlobalVersion(payload, entity.slug, version);
  }
  switch (operation.kind) {
    case 'create': {
      const found = await rowOf(payload, entity.slug, uid);
      return row !== undefined && found !== null && isSameRecord(found, row);
    }
    case 'delete': {
      const found = await rowOf(payload, entity.slug, uid);
      // SQLite gives the id of a deleted record to the next one.
      return record.parts.length > 0 && (found === null || !isSameRecord(found, row));
    }
    case 'update': {
      const fields = Object.keys(operation.data);
      return version === undefined
        ? isRowStored(await rowOf(payload, entity.slug, uid, fields), row, fields)
        : hasVersion(payload, entity.slug, version);
    }
  }
}

/** The stamps of a record, and fields of it where it has none: the read-back is part of each write's cost. */
async function rowOf(
  payload: Payload,
  slug: string,
  uid: string | number,
  fields: readonly string[] = [],
): Promise<Row | null> {
  const id = recordIdOf(payload, slug, uid);
  if (id === null) {
    return null;
  }
  const hasStamps = payload.collections[slug]?.config.timestamps !== false;
  const wanted = hasStamps ? ['createdAt', 'updatedAt'] : ['id', ...fields];
  const select = Object.fromEntries(wanted.map((field) => [field, true as const]));
  return await payload.db.findOne({
    collection: slug,
    where: { id: { equals: id } },
    select,
  });
}

async function globalRow(payload: Payload, slug: string): Promise<Row | null> {
  return await payload.db.findGlobal({ slug });
}

function isSameRecord(found: Row, part: StoredPart | undefined): boolean {
  const [is, was] = [timeOf(found['createdAt']), timeOf(part?.stored?.['createdAt'])];
  return is === null || was === null || is === was;
}

/** A record that was updated later shows the update too. */
function isRowStored(
  found: Row | null,
  part: StoredPart | undefined,
  fields: readonly string[] = [],
): boolean {
  if (found === null || part === undefined) {
    return false;
  }
  const [is, was] = [timeOf(found['updatedAt']), timeOf(part.updatedAt)];
  if (is !== null && was !== null) {
    return is >= was;
  }
  // Without time stamps only the written fields can tell.
  return fields.every((field) => JSON.stringify(found[field]) === JSON.stringify(part.stored?.[field]));
}

async function hasVersion(payload: Payload, slug: string, { versionId }: StoredPart): Promise<boolean> {
  const { docs } = await payload.db.findVersions({
    collection: slug,
    limit: 1,
    pagination: false,
    where: { id: { equals: versionId } },
  });
  return docs.length > 0;
}

async function hasGlobalVersion(payload: Payload, slug: string, { versionId }: StoredPart): Promise<boolean> {
  const { docs } = await payload.db.findGlobalVersions({
    global: slug,
    limit: 1,
    pagination: false,
    where: { id: { equals: versionId } },
  });
  return docs.length > 0;
}

function timeOf(value: unknown): number | null {
  const time = typeof value === 'string' || value instanceof Date ? new Date(value).getTime() : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
