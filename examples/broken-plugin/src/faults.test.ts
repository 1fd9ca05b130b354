import { McpServer } from '@modelcontextprotocol/server';
import { ToolResult, WriteTarget, effectOf, isSafeToRetry } from '@toolwright/sdk';
import { registerTools } from '@toolwright/sdk/mcp';
import { createTestHost } from '@toolwright/sdk/testing';
import '@toolwright/sdk/testing/vitest';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  afterWrite,
  archivePage,
  brokenTools,
  commentPage,
  describePage,
  pagesContent,
  publishPage,
  rows,
  shortenAnswer,
  touchPage,
} from './index.js';

const page = WriteTarget.of('pages', 12);
const content = pagesContent({ logger: { debug() {}, info() {}, warn() {}, error() {} } });
const host = createTestHost({ content });

beforeEach(() => {
  rows.clear();
  afterWrite.length = 0;
  rows.set('pages:12', { title: 'About us' });
});

describe('what a fault leads to at run time', () => {
  it('writer-returns-target: the write landed and the tool cannot say so', async () => {
    await expect(host.run(archivePage, { id: 12 })).rejects.toMatchObject({
      code: 'CONTRACT_VIOLATION',
      rule: 'writer-returns-target',
    });
    expect(rows.get('pages:12')).toMatchObject({ archived: true });
  });

  it('reader-returns-no-target: a read is taken for a write', async () => {
    await expect(host.run(describePage, { id: 12 })).rejects.toMatchObject({
      rule: 'reader-returns-no-target',
    });
  });

  it('result-rebuild-keeps-fields: the target is lost on the success path and on the error path', () => {
    const wrote = ToolResult.wrote(page, 'Renamed.');
    const failed = ToolResult.error('The index failed.', { target: page });
    expect(wrote).toHaveWritten('pages', 12);
    expect(shortenAnswer(wrote)).not.toHaveWritten();
    expect(failed).toHaveWritten('pages', 12);
    expect(shortenAnswer(failed)).not.toHaveWritten();
    expect(wrote.withContent('Re…')).toHaveWritten('pages', 12);
  });

  it('raw-handler-stays-wrapped: a hook that fails after the write fails the write', async () => {
    afterWrite.push(() => {
      throw new TypeError('no session');
    });
    const touched = await host.run(touchPage, { id: 12 });
    expect(rows.get('pages:12')).toMatchObject({ date: '2026-01-01' });
    expect(touched).toHaveUnknownOutcome();
    const published = await host.run(publishPage, { id: 12 });
    expect(published).toHaveWritten('pages', 12);
    expect(published.notes).toHaveLength(1);
  });

  it('effect-is-constant: a setting changes what a host believes of the same code', async () => {
    await host.run(commentPage, { id: 12, text: 'Nice' });
    await host.run(commentPage, { id: 12, text: 'Nice' });
    expect([...rows.keys()].filter((key) => key.startsWith('comments:'))).toHaveLength(2);
    vi.stubEnv('PAGES_COMMENT_EFFECT', 'idempotent_write');
    vi.resetModules();
    const configured = await import('./faults/effect-is-constant.js');
    vi.unstubAllEnvs();
    expect(isSafeToRetry(effectOf(commentPage))).toBe(false);
    expect(isSafeToRetry(effectOf(configured.commentPage))).toBe(true);
  });

  it('tool-names-unique: a server refuses the plugin', () => {
    const server = new McpServer({ name: 'pages', version: '0.0.0' });
    expect(() => registerTools(server, brokenTools, { content, actor: { id: 'editor' } })).toThrow(
      'found "publish_page" twice',
    );
  });
});
