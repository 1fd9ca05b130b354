import { createTestHost } from '@toolwright/sdk/testing';
import '@toolwright/sdk/testing/vitest';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  PageCache,
  createPage,
  openPagesDatabase,
  pagesContent,
  readPage,
  renamePage,
  type PageHook,
  type PagesDatabase,
} from './index.js';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

let database: PagesDatabase;
let cache: PageCache;

beforeEach(() => {
  database = openPagesDatabase();
  cache = new PageCache();
  database.prepare(`insert into pages (id, title, body) values (12, 'About us', 'Hello')`).run();
});

function host(...hooks: PageHook[]) {
  return createTestHost({ content: pagesContent(database, { cache, hooks, logger: silent }) });
}

function titleOf(id: number): unknown {
  return database.prepare('select title from pages where id = ?').pluck().get(id);
}

describe('read_page', () => {
  it('answers a page, and refuses when there is none', async () => {
    expect(await host().run(readPage, { id: 12 })).toHaveAnswered(
      '{"id":12,"title":"About us","body":"Hello"}',
    );
    expect(await host().run(readPage, { id: 13 })).toHaveRefused('There is no page 13.');
  });
});

describe('rename_page', () => {
  it('shows what it would do and then does it', async () => {
    const record = await host().run(renamePage, { id: 12, title: '  Who we are ' });
    expect(record.preview?.lines).toEqual(['Rename page 12', 'from: About us', 'to:   Who we are']);
    expect(record).toHaveWritten('pages', 12);
    expect(titleOf(12)).toBe('Who we are');
  });

  it('changes nothing when the title is the same, the page is missing, or the call is declined', async () => {
    expect(await host().run(renamePage, { id: 12, title: 'About us' })).toBeUnchanged();
    expect(await host().run(renamePage, { id: 13, title: 'x' })).toHaveRefused('no page 13');
    expect(await host().run(renamePage, { id: 12, title: 'x' }, { approve: () => false })).toHaveRefused(
      'declined',
    );
    expect(titleOf(12)).toBe('About us');
  });

  it('converges when it is called twice', async () => {
    await host().run(renamePage, { id: 12, title: 'Team' });
    expect(await host().run(renamePage, { id: 12, title: 'Team' })).toBeUnchanged();
  });
});

describe('create_page', () => {
  it('names the page that it made, and makes another when it is called again', async () => {
    expect(await host().run(createPage, { title: 'News' })).toHaveWritten('pages', 13);
    expect(await host().run(createPage, { title: 'News' })).toHaveWritten('pages', 14);
    expect(database.prepare('select title, body from pages where id > 12').all()).toEqual([
      { title: 'News', body: '' },
      { title: 'News', body: '' },
    ]);
  });

  it('does not take the id of a page that was deleted', async () => {
    database.prepare('delete from pages where id = 12').run();
    expect(await host().run(createPage, { title: 'News' })).toHaveWritten('pages', 13);
  });

  it('binds what a model sends as a value and never as SQL', async () => {
    const title = `'); drop table pages; --`;
    expect(await host().run(createPage, { title })).toHaveWritten('pages', 13);
    expect(titleOf(13)).toBe(title);
  });
});

describe('the binding', () => {
  it('keeps the write, notes the hook and still flushes the cache when a hook fails', async () => {
    const called: string[] = [];
    const failing = host(
      function translate() {
        throw new TypeError('Cannot read properties of null');
      },
      () => called.push('the hook after it'),
    );
    expect(cache.get(12, () => 'About us')).toBe('About us');
    const record = await failing.run(renamePage, { id: 12, title: 'Team' });
    expect(record).toHaveWritten('pages', 12);
    expect(record.notes).toEqual([expect.stringContaining('hook afterWrite of pages (translate)')]);
    expect(record.told).toMatch(/^Page 12 is now called "Team"\.\n\n.*\(translate\).*TypeError/u);
    expect(called).toEqual([]);
    expect(cache.get(12, () => 'Team')).toBe('Team');
  });

  it('does not know the outcome, and keeps the message of the database to itself, when SQLite fails', async () => {
    database.exec(
      `create trigger locked before update on pages begin select raise(abort, 'secret detail'); end`,
    );
    const record = await host().run(renamePage, { id: 12, title: 'Team' });
    expect(record).toHaveUnknownOutcome();
    expect(record.told).not.toContain('secret detail');
    expect(titleOf(12)).toBe('About us');
  });

  it('does not answer a page as created that is not there afterwards', async () => {
    database.exec('create trigger lost after insert on pages begin delete from pages where id = new.id; end');
    const record = await host().run(createPage, { title: 'News' });
    expect(record).toHaveUnknownOutcome();
    expect(record.failure).toMatchObject({ kind: 'threw', error: { code: 'WRITE_LOST' } });
  });
});
