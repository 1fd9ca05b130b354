import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sqliteAdapter } from '@payloadcms/db-sqlite';
import { payloadContent, payloadHistory, toolwrightHistory } from '@toolwright/payload';
import type { WriteTarget } from '@toolwright/sdk';
import { buildConfig, getPayload } from 'payload';
import type { OpenBenchContent } from './bench-content.js';

const PAGES = 'pages';
const OPEN = { read: () => true, create: () => true, update: () => true, delete: () => true };

/** Payload over a SQLite file, with the plugin that notes who stored each version. */
export const openPayload: OpenBenchContent = async () => {
  // Otherwise the second Payload of a process takes the schema of the first for its own, and makes no tables.
  process.env['PAYLOAD_FORCE_DRIZZLE_PUSH'] = 'true';
  const folder = await mkdtemp(path.join(tmpdir(), 'toolwright-bench-payload-'));
  const config = await buildConfig({
    secret: randomUUID(),
    telemetry: false,
    typescript: { autoGenerate: false },
    logger: { options: { level: 'silent' } },
    localization: { locales: ['en', 'de'], defaultLocale: 'en' },
    db: sqliteAdapter({
      client: { url: `file:${path.join(folder, 'content.db')}` },
      push: true,
      autoIncrement: true,
    }),
    plugins: [toolwrightHistory()],
    collections: [
      {
        slug: PAGES,
        access: OPEN,
        versions: { drafts: true },
        fields: [
          { name: 'title', type: 'text', localized: true },
          { name: 'body', type: 'textarea' },
          { name: 'tags', type: 'array', fields: [{ name: 'tag', type: 'text' }] },
        ],
      },
    ],
  });
  const payload = await getPayload({ config, key: randomUUID() });
  const history = payloadHistory(payload);
  const content = payloadContent(payload, { actingUser: () => null, history });
  const save = async ({ uid }: WriteTarget, data: Readonly<Record<string, unknown>>, draft: boolean) => {
    await payload.update({ collection: PAGES, id: uid, data, draft });
  };
  return {
    handler: { open: (call) => content.open(call), history },
    table: PAGES,
    data: (index) => ({
      title: `Page ${String(index)}`,
      body: 'What it is about. '.repeat(10),
      tags: [{ tag: 'one' }, { tag: 'two' }],
      _status: 'draft',
    }),
    edit: (target) => save(target, { title: 'Better' }, true),
    release: (target) => save(target, { _status: 'published' }, false),
    async remove({ uid }) {
      await payload.delete({ collection: PAGES, id: uid });
    },
    async close() {
      await payload.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
