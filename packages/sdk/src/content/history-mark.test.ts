import { describe, expect, it } from 'vitest';
import type { ContentHistory } from './content-history.js';
import { SteppedContent, recordingLogger } from './fixtures/stepped-content.js';
import { MAX_MARK_BYTES } from './history-mark.js';

function historyOf(mark: ContentHistory['mark']): ContentHistory {
  return { mark, since: async () => ({ kind: 'entries', entries: [] }) };
}

describe('the history mark of a landed write', () => {
  it('is taken from the history, which is told what was written', async () => {
    const seen: unknown[] = [];
    const history = historyOf(async (...args) => {
      seen.push(args);
      return 'mark-1';
    });
    const session = new SteppedContent().open({ history });
    const target = await session.writer.create('pages', { title: 'x' }, { locale: 'de' });
    expect(session.landed()).toEqual([{ target, mark: 'mark-1' }]);
    expect(seen).toEqual([
      [target, { kind: 'create', table: 'pages', data: { title: 'x' }, options: { locale: 'de' } }],
    ]);
  });

  it('is kept when it has exactly the most bytes that it may have', async () => {
    const mark = 'ä'.repeat(MAX_MARK_BYTES / 2);
    const session = new SteppedContent().open({ history: historyOf(async () => mark) });
    await session.writer.create('pages', {});
    expect(session.landed()[0]?.mark).toBe(mark);
  });

  it.each<[string, () => Promise<string | null>, string]>([
    [
      'is too long',
      async () => `${'ä'.repeat(MAX_MARK_BYTES / 2)}x`,
      'the content history gave an unusable mark',
    ],
    ['is no string', async () => 7 as unknown as string, 'the content history gave an unusable mark'],
    ['is undefined', async () => undefined as unknown as null, 'the content history gave an unusable mark'],
    [
      'cannot be taken',
      async () => {
        throw new Error('secret');
      },
      'the content history could not mark a write',
    ],
  ])('is null, logged, and fails no write when it %s', async (_why, mark, logged) => {
    const logger = recordingLogger();
    const session = new SteppedContent().open({ logger, history: historyOf(mark) });
    const target = await session.writer.create('pages', {});
    expect(session.landed()).toEqual([{ target, mark: null }]);
    expect(logger.lines.map((line) => line.message)).toEqual([logged]);
    expect(JSON.stringify(logger.lines)).not.toContain('secret');
  });

  it('is null without a word when the history has nothing to compare with', async () => {
    const logger = recordingLogger();
    const session = new SteppedContent().open({ logger, history: historyOf(async () => null) });
    await session.writer.create('pages', {});
    expect(session.landed()[0]?.mark).toBeNull();
    expect(logger.lines).toEqual([]);
  });

  it('does not hide the write while it is being taken', async () => {
    let give = (_mark: string): void => undefined;
    const history = historyOf(
      () =>
        new Promise<string>((resolve) => {
          give = resolve;
        }),
    );
    const session = new SteppedContent().open({ history });
    const writing = session.writer.create('pages', {});
    await new Promise(setImmediate);
    expect(session.landed()).toMatchObject([{ mark: null }]);
    give('late');
    await writing;
    expect(session.landed()).toMatchObject([{ mark: 'late' }]);
  });
});
