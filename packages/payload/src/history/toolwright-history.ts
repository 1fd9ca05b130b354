import type { CollectionConfig, Config, Field, GlobalConfig, Plugin } from 'payload';
import { ORIGIN_FIELD } from './origin.js';
import { originFields, recordsOrigins } from './record-origins.js';
import { DELETIONS } from './recorded-deletion.js';

/**
 * A plugin of Payload's configuration: each version says which run of a tool stored it, or that none did, and as which
 * user; what is deleted leaves a line behind. Clients can neither read nor write any of it. Put it last, so that it sees
 * the collections that other plugins add. It adds columns and a table, so a database that is migrated needs a migration.
 */
export function toolwrightHistory(): Plugin {
  return (config) => ({
    ...config,
    collections: [...(config.collections ?? []).map(withOrigin), deletions()],
    globals: (config.globals ?? []).map(withOrigin),
    db: recording(config.db),
  });
}

const NOBODY = { create: () => false, read: () => false, update: () => false } as const;

function withOrigin<Entity extends CollectionConfig | GlobalConfig>(entity: Entity): Entity {
  return entity.versions === undefined || entity.versions === false
    ? entity
    : { ...entity, fields: [...entity.fields, originGroup()] };
}

function originGroup(): Field {
  return {
    name: ORIGIN_FIELD,
    type: 'group',
    // Never in the answer of an interface, and left out of what a client sends.
    hidden: true,
    access: NOBODY,
    admin: { hidden: true, disableListColumn: true, disableListFilter: true },
    // Each of them again: GraphQL and filters go by the single field.
    fields: [...originFields(), { name: 'overwritten', type: 'json' } as const].map((field) => ({
      ...field,
      hidden: true,
      access: NOBODY,
    })),
  };
}

function deletions(): CollectionConfig {
  return {
    slug: DELETIONS,
    access: { ...NOBODY, delete: () => false },
    admin: { hidden: true },
    endpoints: false,
    graphQL: false,
    lockDocuments: false,
    fields: [
      { name: 'record', type: 'text', index: true },
      { name: 'bornAt', type: 'number' },
      ...originFields(),
      { name: 'versions', type: 'json' },
    ],
  };
}

// Around the adapter and not in hooks: what is restored or rewritten in place passes no hook, and a hook can be fooled.
function recording(db: Config['db']): Config['db'] {
  return { ...db, init: (args) => recordsOrigins(db.init(args)) };
}
