import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { serveToolsOverStdio } from '@toolwright/sdk/mcp';
import { addFirstContent } from './site/first-content.js';
import { openSite } from './site/open-site.js';
import { siteTools } from './site-tools.js';

// Serves the tools over MCP on standard input and output, for the site in a folder: `serve.js [FOLDER] [USER]`.
const folder = path.resolve(process.argv[2] ?? 'payload-site');
await mkdir(folder, { recursive: true });
// Standard output belongs to the protocol from the start, and the making of tables reports its progress there.
Object.assign(process.stdout, { write: process.stderr.write.bind(process.stderr) });
const { payload, content } = await openSite({ folder });
Reflect.deleteProperty(process.stdout, 'write');
const { totalDocs } = await payload.count({ collection: 'users' });
const first = totalDocs === 0 ? (await addFirstContent(payload)).editor : 1;

await serveToolsOverStdio({
  name: 'payload-site',
  version: '1.0.0',
  instructions: 'Read a page before you change it. Changes are drafts until publish_page.',
  tools: siteTools(content),
  content,
  actor: { id: process.argv[3] ?? String(first) },
});
