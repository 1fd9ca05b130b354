import type { DatabaseAdapter, PayloadRequest, TextField, Where } from 'payload';
import { currentOrigin, ORIGIN_FIELD, type Origin } from './origin.js';
import { DELETIONS, recordKey } from './recorded-deletion.js';
import {
  stateOf,
  timeOf,
  type OverwrittenState,
  type VersionRow,
  type VersionState,
} from './version-state.js';

type Data = Readonly<Record<string, unknown>>;
type Request = Partial<PayloadRequest> | undefined;
type Config = Parameters<typeof stateOf>[1];

/** The fields of an origin. */
export function originFields(): TextField[] {
  return [
    { name: 'by', type: 'text' },
    { name: 'run', type: 'text' },
    { name: 'user', type: 'text' },
  ];
}

/** Lets an adapter note who stores each version, what a rewritten one held, and what goes with a deleted record. */
export function recordsOrigins<Adapter extends DatabaseAdapter>(db: Adapter): Adapter {
  const { createVersion, updateVersion, createGlobalVersion, updateGlobalVersion, deleteVersions } = db;
  const changed: Partial<DatabaseAdapter> = {
    createVersion: (args) =>
      createVersion.call(db, creating(recordedCollection(db, args.collectionSlug), args)) as never,
    createGlobalVersion: (args) =>
      createGlobalVersion.call(db, creating(recordedGlobal(db, args.globalSlug), args)) as never,
    updateVersion: async (args) => {
      const config = recordedCollection(db, args.collection);
      const found =
        config === null ? null : await db.findVersions({ ...onlyRow(args), collection: args.collection });
      return updateVersion.call(db, rewriting(db, config, args, found?.docs[0])) as never;
    },
    updateGlobalVersion: async (args) => {
      const config = recordedGlobal(db, args.global);
      const found =
        config === null ? null : await db.findGlobalVersions({ ...onlyRow(args), global: args.global });
      return updateGlobalVersion.call(db, rewriting(db, config, args, found?.docs[0])) as never;
    },
    deleteVersions: async (args) => {
      const id = deletedRecord(args.where);
      if (args.collection !== undefined && id !== null) {
        await recordDeletion(db, args.collection, id, args.req);
      }
      await deleteVersions.call(db, args);
    },
  };
  return Object.assign(db, changed);
}

function recordedCollection(db: DatabaseAdapter, slug: string): Config | null {
  const config = Object.hasOwn(db.payload.collections, slug)
    ? db.payload.collections[slug]?.config
    : undefined;
  return recorded(config);
}

function recordedGlobal(db: DatabaseAdapter, slug: string): Config | null {
  return recorded(db.payload.globals.config.find((global) => global.slug === slug));
}

function recorded(config: Config | undefined): Config | null {
  return config?.flattenedFields.some(({ name }) => name === ORIGIN_FIELD) === true ? config : null;
}

function withOrigin(
  version: Data,
  req: Request,
  overwritten: readonly OverwrittenState[] | null = null,
): Data {
  // Whatever a client or a copied version brought along gives way.
  return { ...version, [ORIGIN_FIELD]: { ...currentOrigin(req), overwritten } };
}

function creating<Args extends { readonly versionData: unknown; readonly req?: Request }>(
  config: Config | null,
  args: Args,
): Args {
  return config === null ? args : { ...args, versionData: withOrigin(args.versionData as Data, args.req) };
}

interface Rewriting {
  readonly id?: string | number;
  readonly where?: Where;
  readonly versionData: unknown;
  readonly req?: Request;
}

// Within the transaction of whoever asks, where there is one.
function within(req: Request): { readonly req?: PayloadRequest } {
  return req === undefined ? {} : { req: req as PayloadRequest };
}

function onlyRow({ id, where, req }: Rewriting) {
  return {
    where: where ?? { id: { equals: id } },
    limit: 1,
    pagination: false,
    locale: 'all',
    ...within(req),
  };
}

function rewriting<Args extends Rewriting>(
  db: DatabaseAdapter,
  config: Config | null,
  args: Args,
  row: unknown,
): Args {
  const versionData = args.versionData as { readonly version?: Data };
  if (config === null || versionData.version === undefined) {
    return args;
  }
  const state = row === undefined ? null : stateOf(db.payload, config, row as VersionRow);
  const overwritten =
    state === null ? [] : overwrittenBy(state, versionData.version, currentOrigin(args.req));
  const version = withOrigin(versionData.version, args.req, overwritten);
  return { ...args, versionData: { ...versionData, version } };
}

/** What a row held so far, and would be lost with it: a release, or the work of somebody else. */
function overwrittenBy(state: VersionState, version: Data, origin: Origin): readonly OverwrittenState[] {
  const { at, status, deletedAt, whole, overwritten } = state;
  const isOtherAuthor = state.origin?.by !== origin.by || state.origin.run !== origin.run;
  const isOtherStatus = JSON.stringify(status) !== JSON.stringify(version['_status'] ?? null);
  return isOtherAuthor || isOtherStatus
    ? [...overwritten, { at, status, deletedAt, origin: state.origin, whole }]
    : overwritten;
}

/** The record whose versions are all deleted, as Payload does it right before it deletes the record. */
function deletedRecord(where: Where): string | number | null {
  const [condition, ...others] = Object.entries(where);
  const id: unknown = (where['parent'] as { readonly equals?: unknown } | undefined)?.equals;
  const isAll = condition?.[0] === 'parent' && others.length === 0;
  return isAll && (typeof id === 'string' || typeof id === 'number') ? id : null;
}

/** Most versions of which a deletion keeps something. */
const MAX_KEPT_VERSIONS = 200;

async function recordDeletion(
  db: DatabaseAdapter,
  slug: string,
  id: string | number,
  req: Request,
): Promise<void> {
  const config = recordedCollection(db, slug);
  const record: Data | null =
    config === null
      ? null
      : await db.findOne({
          collection: slug,
          where: { id: { equals: id } },
          select: { createdAt: true },
          ...within(req),
        });
  if (config === null || record === null) {
    return;
  }
  const { docs } = await db.findVersions({
    collection: slug,
    where: { parent: { equals: id } },
    sort: ['-updatedAt', '-id'],
    limit: MAX_KEPT_VERSIONS,
    pagination: false,
    locale: 'all',
    ...within(req),
  });
  const versions = docs.map((row) => stateOf(db.payload, config, row as unknown as VersionRow)).reverse();
  const now = new Date().toISOString();
  await db.create({
    collection: DELETIONS,
    data: {
      record: recordKey(slug, id),
      bornAt: timeOf(record['createdAt']),
      ...currentOrigin(req),
      versions,
      createdAt: now,
      updatedAt: now,
    },
    ...within(req),
  });
}
