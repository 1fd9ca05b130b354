import type { ContentWrite } from '@toolwright/sdk';
import {
  combineQueries,
  createLocalReq,
  type AccessArgs,
  type AccessResult,
  type Payload,
  type PayloadRequest,
  type Where,
} from 'payload';
import type { ActingUser } from '../acting-user.js';
import { recordIdOf, type Entity } from '../entity.js';
import { localeCodesOf } from '../locales.js';
import { assertWriteOptions } from './write-options.js';

type Access = ((args: AccessArgs) => AccessResult | Promise<AccessResult>) | undefined;
type CollectionEntity = Extract<Entity, { kind: 'collection' }>;

/**
 * Why the acting user's write will not be done, or null. It asks what Payload will ask itself, before
 * anything is started; a record that is missing and one that is not the user's are told alike.
 *
 * @throws PayloadBindingError when the table or an option is not known
 */
export async function refusalOf(
  payload: Payload,
  entity: Entity,
  operation: ContentWrite,
  user: ActingUser,
): Promise<string | null> {
  assertWriteOptions(operation, localeCodesOf(payload));
  const req = await createLocalReq({ ...(user === null ? {} : { user }) }, payload);
  return entity.kind === 'global'
    ? refusalForGlobal(payload, entity, operation, req)
    : refusalForCollection(payload, entity, operation, req);
}

async function refusalForGlobal(
  payload: Payload,
  { slug, config }: Extract<Entity, { kind: 'global' }>,
  operation: ContentWrite,
  req: PayloadRequest,
): Promise<string | null> {
  const data = operation.kind === 'delete' ? {} : operation.data;
  const access = await asked(config.access.update, { req, data });
  const denied = `the acting user may not update the global ${slug}`;
  if (access === false) {
    return denied;
  }
  const versionId = operation.options['restoreVersion'];
  if (versionId !== undefined) {
    if ((await asked(config.access.readVersions, { req })) === false) {
      return denied;
    }
    const { docs } = await payload.db.findGlobalVersions({
      global: slug,
      limit: 1,
      pagination: false,
      where: { id: { equals: versionId } },
    });
    return docs.length === 0 ? `the global ${slug} has no such version` : null;
  }
  return null;
}

async function refusalForCollection(
  payload: Payload,
  entity: CollectionEntity,
  operation: ContentWrite,
  req: PayloadRequest,
): Promise<string | null> {
  const { slug, config } = entity;
  if (operation.kind === 'create') {
    const access = await asked(config.access.create, { req, data: operation.data });
    if (access === false) {
      return `the acting user may not create records in ${slug}`;
    }
    const source = operation.options['duplicateOf'] as string | number | undefined;
    return source === undefined ||
      (await isAllowed(payload, entity, source, { req }, config.access.read, false))
      ? null
      : `there is no record to duplicate in ${slug} that the acting user may read`;
  }
  const { uid } = operation.target;
  const data = operation.kind === 'update' ? { data: operation.data } : {};
  const access = operation.kind === 'update' ? config.access.update : config.access.delete;
  const inTrash = operation.options['trash'] === true;
  if (!(await isAllowed(payload, entity, uid, { req, ...data }, access, inTrash))) {
    return `there is no such record in ${slug} that the acting user may ${operation.kind}`;
  }
  const versionId = operation.options['restoreVersion'];
  return versionId === undefined || (await hasVersion(payload, slug, uid, versionId))
    ? null
    : `the record in ${slug} has no such version`;
}

/** Whether the record exists and the access function admits it, in one question to the database. */
async function isAllowed(
  payload: Payload,
  { slug, config }: CollectionEntity,
  uid: string | number,
  args: Omit<AccessArgs, 'id'>,
  access: Access,
  inTrash: boolean,
): Promise<boolean> {
  const id = recordIdOf(payload, slug, uid);
  if (id === null) {
    return false;
  }
  const result = await asked(access, { ...args, id });
  if (result === false) {
    return false;
  }
  const where: Where = combineQueries({ id: { equals: id } }, result);
  const filtered = config.trash && !inTrash ? { and: [where, { deletedAt: { exists: false } }] } : where;
  const found: unknown = await payload.db.findOne({
    collection: slug,
    where: filtered,
    select: { createdAt: true },
  });
  return found !== null && found !== undefined;
}

async function hasVersion(
  payload: Payload,
  slug: string,
  uid: string | number,
  versionId: unknown,
): Promise<boolean> {
  const parent = recordIdOf(payload, slug, uid);
  const { docs } = await payload.db.findVersions({
    collection: slug,
    limit: 1,
    pagination: false,
    where: { and: [{ id: { equals: versionId } }, { parent: { equals: parent } }] },
  });
  return docs.length > 0;
}

// Without a function of its own, Payload admits whoever is logged in.
async function asked(access: Access, args: AccessArgs): Promise<boolean | Where> {
  const result = await (access === undefined ? args.req.user !== null : access(args));
  return typeof result === 'object' ? result : result === true;
}
