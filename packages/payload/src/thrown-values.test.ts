import { ToolEffect, ToolResult, defineTool } from '@toolwright/sdk';
import { createTestHost } from '@toolwright/sdk/testing';
import '@toolwright/sdk/testing/vitest';
import { sql, type SQLiteAdapter } from '@payloadcms/db-sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startTestPayload, type TestPayload } from './fixtures/test-payload.js';
import { payloadContent } from './index.js';

let system: TestPayload;

beforeAll(async () => {
  system = await startTestPayload();
});
afterAll(() => system.stop());
beforeEach(() => {
  system.reset();
});

const SECRETS = 'Authorization: Bearer abcdefghijk.lmnop failed for https://user:pw@host/x?api_key=AAAA1111';

const THROWN: readonly (readonly [string, () => unknown])[] = [
  ['a string', () => 'plain string token=abcdef123456'],
  ['undefined', () => undefined],
  ['null', () => null],
  ['a frozen error', () => Object.freeze(new Error('cold'))],
  ['an error with secrets', () => new Error(SECRETS)],
  ['a huge error', () => new Error('x'.repeat(500_000))],
  ['advice to do it again', () => new Error('The index is busy. Please try again later.')],
  ['a rejection with an array', () => [1, 2]],
];

describe('what a hook throws after the write', () => {
  it.each(THROWN)('becomes one bounded line without its words by default: %s', async (_name, thrown) => {
    system.failAt('posts.afterChange.1', thrown);
    const session = system.open();
    const target = await session.writer.create('posts', { title: 'w' });
    expect(session.landed()).toEqual([{ target, mark: null }]);
    expect(session.notes()).toHaveLength(1);
    expect(session.notes()[0]).toMatch(
      /^Note: the write was stored when "hook afterChange of posts \(posts_afterChange_1\)" failed \([\w$]+\)\. The answer above stands\.$/u,
    );
    expect(JSON.stringify([session.notes(), system.log])).not.toMatch(
      /abcdef123456|abcdefghijk|user:pw|AAAA1111|cold|again/u,
    );
  });

  it.each(THROWN)('passes the redactor that the host brings: %s', async (_name, thrown) => {
    system.failAt('posts.afterChange.1', thrown);
    const session = system.open({
      redact: (message) => message.replaceAll(/Bearer \S+|\S+=\S+|\/\/\S+@/gu, '***'),
    });
    await session.writer.create('posts', { title: 'w' });
    const [note] = session.notes();
    expect(note!.length).toBeLessThanOrEqual(300);
    expect(note).not.toMatch(/abcdef123456|abcdefghijk|user:pw|AAAA1111|try again/u);
  });

  it('is named without its message when it comes from the database, whatever the redactor says', async () => {
    system.at.set('posts.afterChange.1', async () => {
      const db = system.payload.db as unknown as SQLiteAdapter;
      await db.drizzle.run(sql.raw(`insert into no_such_table values ('secret body text')`));
    });
    const session = system.open({ redact: (message) => message });
    await session.writer.create('posts', { title: 'w' });
    expect(session.notes()).toEqual([
      expect.stringMatching(/^Note: .*\((?:DrizzleQueryError|LibsqlError)\)\. The answer above stands\.$/u),
    ]);
    expect(JSON.stringify([session.notes(), system.log])).not.toMatch(/no_such_table|secret body/u);
  });
});

const createPost = defineTool({
  name: 'create_post',
  description: 'Creates a post.',
  effect: ToolEffect.NON_IDEMPOTENT_WRITE,
  input: z.object({ title: z.string() }),
  async execute({ title }, { content }) {
    const target = await content.create('posts', { title });
    return ToolResult.wrote(target, `Post ${String(target.uid)} was created.`);
  },
});

describe('a call through a host', () => {
  const host = () =>
    createTestHost({
      content: payloadContent(system.payload, { actingUser: () => null, logger: silent }),
    });
  const silent = { debug() {}, info() {}, warn() {}, error() {} };

  it('has at most three notes behind its answer', async () => {
    for (const place of [
      'posts.afterRead.1',
      'posts.title.afterChange.1',
      'posts.afterChange.1',
      'posts.afterOperation.1',
    ]) {
      system.failAt(place);
    }
    const record = await host().run(createPost, { title: 'x' });
    expect(record).toHaveWritten('posts');
    expect(record.notes).toHaveLength(4);
    expect(record.told.match(/Note: /gu)).toHaveLength(3);
    expect(record.told).toMatch(/^Post \d+ was created\.\n/u);
  });

  it('has an unknown outcome when a hook never settles, and the deadline passes', async () => {
    const testHost = host();
    const before = await system.count('posts');
    let running: ReturnType<typeof testHost.run> | undefined;
    await new Promise<void>((isCalled) => {
      system.at.set('posts.afterChange.1', () => {
        isCalled();
        return new Promise(() => undefined);
      });
      running = testHost.run(createPost, { title: 'hangs' });
    });
    testHost.clock.advance(30_000);
    const record = await running!;
    expect(record).toHaveUnknownOutcome();
    expect(record.failure).toEqual({ kind: 'deadline' });
    expect(record.told).not.toMatch(/try again/iu);
    expect(await system.count('posts')).toBe(before + 1);
  });
});
