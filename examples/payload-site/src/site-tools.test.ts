import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Tool } from '@toolwright/sdk';
import { createTestHost, type ToolRecord } from '@toolwright/sdk/testing';
import '@toolwright/sdk/testing/vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFirstContent, type FirstContent } from './site/first-content.js';
import { openSite, type Site } from './site/open-site.js';
import { siteTools } from './site-tools.js';

const NO_PAGE = 'There is no such page that you may use for this.';
const MISSING = 4711;

let folder: string;
let site: Site;
let ids: FirstContent;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'payload-site-test-'));
  site = await openSite({ folder, logger: { debug() {}, info() {}, warn() {}, error() {} } });
  ids = await addFirstContent(site.payload);
});
afterAll(async () => {
  await site.payload.destroy();
  await rm(folder, { recursive: true, force: true });
});

function toolNamed(name: string): Tool {
  return siteTools(site.content).find((tool) => tool.name === name)!;
}

function run(
  name: string,
  input: object,
  as: 'editor' | 'otherEditor' | 'chief' = 'editor',
): Promise<ToolRecord> {
  const host = createTestHost({ content: site.content, actor: { id: String(ids[as]) } });
  return host.run(toolNamed(name), input);
}

async function newPage(title: string): Promise<number> {
  const record = await run('create_page_draft', { title });
  return Number(record.result.target!.uid);
}

async function blockIds(id: number): Promise<readonly string[]> {
  const page = (await site.payload.findByID({
    collection: 'pages',
    id,
    draft: true,
    depth: 0,
  })) as unknown as {
    readonly layout: readonly { readonly id: string }[];
  };
  return page.layout.map((block) => block.id);
}

describe('every writer', () => {
  const argumentsFor = (id: number): readonly (readonly [string, object])[] => [
    ['update_page_metadata', { id, title: 't', description: 'd' }],
    ['create_translation_draft', { id, title: 't', description: 'd' }],
    ['move_block', { page: id, block: 'x', position: 1 }],
    ['publish_page', { id }],
    ['delete_page', { id }],
  ];

  it('says the same of a page that is missing and of one that is somebody else’s', async () => {
    for (const id of [MISSING, ids.secretPlans]) {
      for (const [name, input] of argumentsFor(id)) {
        const record = await run(name, input);
        expect([name, record.result.content]).toEqual([name, NO_PAGE]);
        expect(record.outcome).toBe('not_landed');
        expect(record.preview?.lines).toEqual([`${NO_PAGE} The call would be refused.`]);
      }
      expect((await run('read_page', { id })).result.content).toBe(NO_PAGE);
    }
  });

  it('says the same of a page that may be read but not changed', async () => {
    const block = (await blockIds(ids.about))[0]!;
    for (const [name, input] of argumentsFor(ids.about)) {
      const last = name === 'move_block' ? { page: ids.about, block, position: 3 } : input;
      if (name !== 'publish_page') {
        expect([name, (await run(name, last, 'otherEditor')).result.content]).toEqual([name, NO_PAGE]);
      }
    }
    expect((await run('read_page', { id: ids.about }, 'otherEditor')).result.content).toContain('About us');
  });

  it('shows its preview only to whoever may read the record', async () => {
    for (const [name, input] of argumentsFor(ids.secretPlans)) {
      const mayView = async (viewer: number) =>
        toolNamed(name).mayViewPreview?.(input as never, { id: String(viewer) });
      expect(await mayView(ids.otherEditor)).toBe(true);
      expect(await mayView(ids.chief)).toBe(true);
      expect(await mayView(ids.editor)).toBe(false);
    }
  });
});

describe('update_page_metadata', () => {
  it('shows before and after, writes a draft, and leaves what is published', async () => {
    const input = { id: ids.about, title: 'Who we are', description: 'New.' };
    const record = await run('update_page_metadata', input);
    expect(record.preview?.lines).toEqual([
      `Draft of page ${String(ids.about)}, en`,
      'title before: About us',
      'title after:  Who we are',
      'description before: Who we are.',
      'description after:  New.',
    ]);
    expect(record).toHaveWritten('pages', ids.about);
    const published = await site.payload.findByID({ collection: 'pages', id: ids.about });
    expect(published['title']).toBe('About us');
    expect(await run('update_page_metadata', input)).toBeUnchanged();
  });
});

describe('create_page_draft', () => {
  it('makes a draft that its maker owns and nobody else sees', async () => {
    const record = await run('create_page_draft', { title: 'News' });
    expect(record).toHaveWritten('pages');
    const id = Number(record.result.target!.uid);
    expect((await run('read_page', { id })).result.content).toContain('"status":"draft"');
    expect((await run('read_page', { id }, 'otherEditor')).result.content).toBe(NO_PAGE);
  });
});

describe('create_translation_draft', () => {
  it('adds German once, and leaves English as it is', async () => {
    const id = await newPage('Translate me');
    const input = { id, title: 'Übersetze mich', description: '' };
    const record = await run('create_translation_draft', input);
    expect(record.preview?.lines).toContain('before: not translated');
    expect(record).toHaveWritten('pages', id);
    expect((await run('read_page', { id, locale: 'de' })).result.content).toContain('Übersetze mich');
    expect((await run('read_page', { id })).result.content).toContain('Translate me');
    expect(await run('create_translation_draft', input)).toHaveRefused('translated already');
  });
});

describe('set_image_alternative_text', () => {
  it('writes one language, and refuses an image that there is not', async () => {
    const record = await run('set_image_alternative_text', { id: ids.logo, text: 'A hammer' });
    expect(record.preview?.lines.slice(1)).toEqual(['before: ', 'after:  A hammer']);
    expect(record).toHaveWritten('images', ids.logo);
    expect((await run('read_image', { id: ids.logo })).result.content).toContain('"alt":"A hammer"');
    expect((await run('read_image', { id: ids.logo, locale: 'de' })).result.content).toContain('"alt":""');
    expect(await run('set_image_alternative_text', { id: MISSING, text: 'x' })).toHaveRefused(
      'no such image',
    );
  });
});

describe('move_block', () => {
  it('moves a block to a position, and finds it there the second time', async () => {
    const [first, second, third] = await blockIds(ids.about);
    const record = await run('move_block', { page: ids.about, block: first, position: 3 });
    expect(record).toHaveWritten('pages', ids.about);
    expect(await blockIds(ids.about)).toEqual([second, third, first]);
    expect(await run('move_block', { page: ids.about, block: first, position: 99 })).toBeUnchanged();
    expect(await run('move_block', { page: ids.about, block: 'none', position: 1 })).toHaveRefused(
      'no such block',
    );
  });
});

describe('publish_page', () => {
  it('shows everybody the draft', async () => {
    const id = await newPage('Open day');
    expect((await run('find_pages', { title: 'Open day' }, 'otherEditor')).result.content).toBe('[]');
    const record = await run('publish_page', { id });
    expect(record.preview?.lines).toEqual([
      `Publish page ${String(id)}`,
      'everybody sees before: nothing',
      'everybody sees after:  Open day',
    ]);
    expect(record).toHaveWritten('pages', id);
    expect((await run('read_page', { id }, 'otherEditor')).result.content).toContain('Open day');
    expect(await run('publish_page', { id })).toBeUnchanged();
  });
});

describe('delete_page', () => {
  it('deletes for good, and its id is not given to another page', async () => {
    const id = await newPage('Short-lived');
    expect(toolNamed('delete_page')).toMatchObject({ destructive: true });
    expect(await run('delete_page', { id })).toHaveWritten('pages', id);
    expect(await run('delete_page', { id })).toHaveRefused(NO_PAGE);
    expect(await newPage('Next')).toBeGreaterThan(id);
  });
});
