import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { sqliteAdapter } from '@payloadcms/db-sqlite';
import { payloadContent, payloadHistory, toolwrightHistory, usersOf } from '@toolwright/payload';
import type { SafeContentHandler, SafeContentOptions } from '@toolwright/sdk';
import { buildConfig, getPayload, type CollectionConfig, type Payload } from 'payload';
import { images, pages, users } from './site-collections.js';

export interface Site {
  readonly payload: Payload;
  /** Where the tools read and write, as the user that the call's actor is. */
  readonly content: SafeContentHandler;
}

export interface SiteOptions extends SafeContentOptions {
  /** Holds the database and the uploaded files. */
  readonly folder: string;
  /** What the installation does around each write of a page. */
  readonly pageHooks?: CollectionConfig['hooks'];
}

/** Opens the site over a SQLite file, which is made when there is none. */
export async function openSite({ folder, pageHooks, ...safe }: SiteOptions): Promise<Site> {
  const config = await buildConfig({
    // Signs sessions of the admin interface, which this example does not serve.
    secret: randomBytes(32).toString('hex'),
    telemetry: false,
    typescript: { autoGenerate: false },
    logger: { options: { level: 'silent' } },
    localization: { locales: ['en', 'de'], defaultLocale: 'en', fallback: true },
    db: sqliteAdapter({
      client: { url: `file:${path.join(folder, 'site.db')}` },
      push: true,
      // Without it SQLite gives the id of a deleted page to the next one.
      autoIncrement: true,
    }),
    collections: [users, pages(pageHooks), images(folder)],
    // Which run, or which person, stored each version.
    plugins: [toolwrightHistory()],
  });
  const payload = await getPayload({ config, key: randomUUID() });
  const content = payloadContent(payload, {
    actingUser: usersOf(payload, 'users'),
    history: payloadHistory(payload),
    ...safe,
  });
  return { payload, content };
}
