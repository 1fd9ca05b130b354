import type { FinishingStep } from '@toolwright/sdk';
import { afterChangeTraverseFields, type JsonObject, type Payload, type PayloadRequest } from 'payload';
import type { Hook } from '../observe/hook-lists.js';
import type { AfterList, HookMaterial, RunRecord } from '../observe/run-record.js';

/**
 * The lists of hooks that Payload did not come to, since its own code failed between the writes and them
 * (a populated record that could not be read, a mail that could not be sent). There are none while the
 * writes are not complete: a hook must not be told of a change of which only a part is stored.
 */
export function remainingHooks(payload: Payload, record: RunRecord): readonly FinishingStep[] {
  const { material, entity, operation } = record;
  if (record.hasCompleted || !record.isWritten() || material === null) {
    return [];
  }
  const run = { payload, record, material };
  const lists: readonly (readonly [AfterList, () => Promise<void>])[] =
    operation.kind === 'delete'
      ? [['afterDelete', () => afterDelete(run)]]
      : [['afterChange', () => afterChange(run)]];
  const operationList: typeof lists =
    entity.kind === 'global' ? [] : [['afterOperation', () => afterOperation(run)]];
  return [...lists, ...operationList]
    .filter(([list]) => !record.hasBegun(list))
    .map(([list, step]) => ({ name: `hooks ${list} of ${entity.slug}`, run: step }));
}

interface Remaining {
  readonly payload: Payload;
  readonly record: RunRecord;
  readonly material: HookMaterial;
}

async function afterChange({ payload, record, material }: Remaining): Promise<void> {
  const { entity, operation } = record;
  const { req, data, originalDoc } = material;
  const kind = operation.kind === 'create' ? 'create' : 'update';
  const previousDoc = kind === 'create' ? {} : originalDoc;
  const doc = await storedDoc(payload, record, req);
  const common = {
    context: req.context,
    data: data as JsonObject,
    operation: kind,
    previousDoc: previousDoc as JsonObject,
    req,
  } as const;
  await afterChangeTraverseFields({
    ...common,
    collection: entity.kind === 'collection' ? entity.config : null,
    global: entity.kind === 'global' ? entity.config : null,
    doc,
    fields: entity.config.fields,
    parentIndexPath: '',
    parentIsLocalized: false,
    parentPath: '',
    parentSchemaPath: '',
    previousSiblingDoc: common.previousDoc,
    siblingData: common.data,
    siblingDoc: doc,
  });
  const about = entity.kind === 'collection' ? { collection: entity.config } : { global: entity.config };
  await handOn(entity.config.hooks.afterChange, doc, (current) => ({
    ...common,
    ...about,
    doc: current,
    overrideAccess: false,
  }));
}

async function afterDelete({ record, material: { req } }: Remaining): Promise<void> {
  const { entity } = record;
  if (entity.kind === 'collection') {
    const part = record.parts.find(({ kind }) => kind === 'deletion');
    await handOn(entity.config.hooks.afterDelete, part?.stored, (doc) => ({
      collection: entity.config,
      context: req.context,
      doc,
      id: part?.uid,
      req,
    }));
  }
}

async function afterOperation({ payload, record, material }: Remaining): Promise<void> {
  const { entity, operation } = record;
  if (entity.kind !== 'collection') {
    return;
  }
  const { req, data } = material;
  const isDelete = operation.kind === 'delete';
  const result = isDelete
    ? record.parts.find(({ kind }) => kind === 'deletion')?.stored
    : await storedDoc(payload, record, req);
  await handOn(entity.config.hooks.afterOperation, result, (current) => ({
    args: { collection: payload.collections[entity.slug], data, req, overrideAccess: false },
    collection: entity.config,
    operation: operationName(record),
    overrideAccess: false,
    req,
    result: current,
  }));
}

/** What Payload calls the operation where it tells its hooks. */
function operationName({ operation }: RunRecord): string {
  if (operation.kind === 'update') {
    return operation.options['restoreVersion'] === undefined ? 'updateByID' : 'restoreVersion';
  }
  return operation.kind === 'delete' ? 'deleteByID' : 'create';
}

/** Calls the hooks in order, each with the answer of the one before, as Payload does. */
async function handOn(
  hooks: readonly Hook[],
  first: unknown,
  argsFor: (current: unknown) => unknown,
): Promise<void> {
  let current = first;
  for (const hook of hooks) {
    current = (await hook(argsFor(current) as never)) ?? current;
  }
}

// Without what the record points to: that may be what could not be read.
async function storedDoc(payload: Payload, record: RunRecord, req: PayloadRequest): Promise<JsonObject> {
  const { entity, operation } = record;
  const draft = operation.options['draft'] === true;
  if (entity.kind === 'global') {
    return payload.findGlobal({ slug: entity.slug, depth: 0, draft, req });
  }
  const id = record.parts[0]?.uid ?? '';
  return payload.findByID({ collection: entity.slug, id, depth: 0, draft, req, trash: true });
}
