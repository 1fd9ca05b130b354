import { WriteTarget, type ContentData, type ContentWrite } from '@toolwright/sdk';
import type { Payload } from 'payload';
import type { ActingUser } from '../acting-user.js';
import { collectionOf, recordIdOf, type Entity } from '../entity.js';
import { PayloadBindingError } from '../errors.js';
import type { PayloadCreateOptions, PayloadDeleteOptions, PayloadUpdateOptions } from './write-options.js';

// The slugs of an installation are not known here, and the types of the local API depend on them.
type LocalOperation = (options: Readonly<Record<string, unknown>>) => Promise<unknown>;

/**
 * Runs the operation of the local API that a write stands for, with the access control of the acting user.
 * Answers Payload's document, which is not for a tool: a hook that failed may have left it unmasked.
 */
export function runOperation(
  payload: Payload,
  entity: Entity,
  operation: ContentWrite,
  user: ActingUser,
): Promise<unknown> {
  const as = { overrideAccess: false, ...(user === null ? {} : { user }) };
  switch (operation.kind) {
    case 'create':
      return create(payload, operation, as);
    case 'update':
      return entity.kind === 'global'
        ? updateGlobal(payload, entity.slug, operation, as)
        : update(payload, operation, as);
    case 'delete': {
      const { table, uid } = operation.target;
      const options: PayloadDeleteOptions = operation.options;
      const id = recordIdOf(payload, collectionOf(payload, table).slug, uid);
      return local(payload, 'delete')({ collection: table, id, ...options, ...as });
    }
  }
}

type As = Readonly<Record<string, unknown>>;

function create(
  payload: Payload,
  operation: Extract<ContentWrite, { kind: 'create' }>,
  as: As,
): Promise<unknown> {
  const { table: collection } = operation;
  const data = dataOf(operation.data);
  const { duplicateOf, ...options }: PayloadCreateOptions = operation.options;
  if (duplicateOf === undefined) {
    return local(payload, 'create')({ collection, data, ...options, ...as });
  }
  const id = recordIdOf(payload, collection, duplicateOf);
  return local(payload, 'duplicate')({ collection, id, data, ...options, ...as });
}

function update(
  payload: Payload,
  operation: Extract<ContentWrite, { kind: 'update' }>,
  as: As,
): Promise<unknown> {
  const { table: collection, uid } = operation.target;
  const { restoreVersion, ...options }: PayloadUpdateOptions = operation.options;
  if (restoreVersion !== undefined) {
    return local(payload, 'restoreVersion')({ collection, id: restoreVersion, ...options, ...as });
  }
  const id = recordIdOf(payload, collection, uid);
  return local(payload, 'update')({ collection, id, data: dataOf(operation.data), ...options, ...as });
}

function updateGlobal(
  payload: Payload,
  slug: string,
  operation: Extract<ContentWrite, { kind: 'update' }>,
  as: As,
): Promise<unknown> {
  const { restoreVersion, ...options }: PayloadUpdateOptions = operation.options;
  return restoreVersion === undefined
    ? local(payload, 'updateGlobal')({ slug, data: dataOf(operation.data), ...options, ...as })
    : local(payload, 'restoreGlobalVersion')({ slug, id: restoreVersion, ...options, ...as });
}

function local(
  payload: Payload,
  name:
    'create' | 'duplicate' | 'update' | 'delete' | 'restoreVersion' | 'updateGlobal' | 'restoreGlobalVersion',
): LocalOperation {
  return payload[name].bind(payload) as unknown as LocalOperation;
}

// Payload's operations write into the data that they are given, and what a tool handed over is frozen or its own.
function dataOf(data: ContentData): Record<string, unknown> {
  return structuredClone(data);
}

/**
 * The record that an operation answered, where the adapter did not tell: it was rolled back.
 *
 * @throws PayloadBindingError with code `NO_RECORD_NAMED`
 */
export function answeredTarget(operation: ContentWrite, document: unknown): WriteTarget {
  if (operation.kind !== 'create') {
    return operation.target;
  }
  const id = (document as { readonly id?: unknown } | null)?.id;
  if (typeof id !== 'string' && typeof id !== 'number') {
    throw new PayloadBindingError(
      'NO_RECORD_NAMED',
      `Cannot name the record that was created in ${operation.table}: Payload stored none and answered none.`,
    );
  }
  return WriteTarget.of(operation.table, id);
}
