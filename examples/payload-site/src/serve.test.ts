import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it } from 'vitest';

const SERVER = fileURLToPath(new URL('serve.ts', import.meta.url));

it('the site serves its tools over MCP when a client starts it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'payload-site-mcp-'));
  const client = new Client({ name: 'test', version: '1.0.0' });
  try {
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: ['--conditions=source', '--import', 'tsx', SERVER, folder],
        stderr: 'pipe',
      }),
    );
    const { tools } = await client.listTools();
    expect(
      tools.map(({ name, annotations, _meta }) => [
        name,
        annotations?.destructiveHint,
        _meta?.['dev.toolwright/effect'],
      ]),
    ).toEqual([
      ['find_pages', false, 'read_only'],
      ['read_page', false, 'read_only'],
      ['read_image', false, 'read_only'],
      ['update_page_metadata', false, 'idempotent_write'],
      ['create_page_draft', false, 'non_idempotent_write'],
      ['create_translation_draft', false, 'idempotent_write'],
      ['set_image_alternative_text', true, 'idempotent_write'],
      ['move_block', false, 'idempotent_write'],
      ['publish_page', true, 'idempotent_write'],
      ['delete_page', true, 'idempotent_write'],
    ]);
    const written = await client.callTool({ name: 'create_page_draft', arguments: { title: 'Over MCP' } });
    expect(written).toMatchObject({
      content: [{ type: 'text', text: expect.stringMatching(/^Page \d+ was created as a draft\.$/u) }],
      isError: false,
      _meta: { 'dev.toolwright/outcome': 'landed', 'dev.toolwright/target': { table: 'pages' } },
    });
    const refused = await client.callTool({ name: 'publish_page', arguments: { id: 2 } });
    expect(refused).toMatchObject({
      content: [{ text: 'There is no such page that you may use for this.' }],
      isError: true,
      _meta: { 'dev.toolwright/outcome': 'not_landed' },
    });
  } finally {
    await client.close();
    await rm(folder, { recursive: true, force: true });
  }
});
