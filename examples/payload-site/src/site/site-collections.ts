import path from 'node:path';
import type { CollectionConfig } from 'payload';
import { changeOwnPages, chiefsOnly, readPages, staffOnly } from './site-access.js';

export const users: CollectionConfig = {
  slug: 'users',
  auth: true,
  access: { create: chiefsOnly, read: staffOnly, update: chiefsOnly, delete: chiefsOnly },
  fields: [
    { name: 'name', type: 'text', required: true },
    { name: 'role', type: 'select', options: ['editor', 'chief'], required: true, defaultValue: 'editor' },
  ],
};

/** Pages have drafts, so that what a tool writes is seen by nobody before somebody publishes it. */
export const pages = (hooks: CollectionConfig['hooks'] = {}): CollectionConfig => ({
  slug: 'pages',
  versions: { drafts: true, maxPerDoc: 0 },
  access: { create: staffOnly, read: readPages, update: changeOwnPages, delete: changeOwnPages },
  hooks: {
    ...hooks,
    beforeChange: [
      // Whoever makes a page owns it.
      ({ data, operation, req }) =>
        operation === 'create' && req.user !== null
          ? { ...data, owner: (data as { readonly owner?: unknown }).owner ?? req.user.id }
          : data,
    ],
  },
  fields: [
    { name: 'title', type: 'text', localized: true, required: true },
    { name: 'description', type: 'textarea', localized: true },
    { name: 'owner', type: 'relationship', relationTo: 'users', access: { update: () => false } },
    {
      name: 'layout',
      type: 'blocks',
      blocks: [
        { slug: 'text', fields: [{ name: 'text', type: 'textarea', localized: true }] },
        { slug: 'picture', fields: [{ name: 'image', type: 'upload', relationTo: 'images' }] },
      ],
    },
  ],
});

export const images = (folder: string): CollectionConfig => ({
  slug: 'images',
  upload: { staticDir: path.join(folder, 'images'), mimeTypes: ['image/*'] },
  access: { create: staffOnly, read: () => true, update: staffOnly, delete: chiefsOnly },
  fields: [{ name: 'alt', type: 'text', localized: true }],
});
