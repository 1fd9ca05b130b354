import { describe, expect, it } from 'vitest';
import type { ContentWriter } from '../content/content-access.js';
import type { ContentSession } from '../content/safe-content-handler.js';
import { SdkError, type SdkErrorCode } from '../errors.js';
import { WriteTarget } from '../target/write-target.js';
import { openCallContent } from './call-content.js';

const page = WriteTarget.of('pages', 1);

// One object for both halves, as a careless binding hands out.
function session(failure?: Error): ContentSession {
  const write = async (): Promise<WriteTarget> => {
    if (failure !== undefined) {
      throw failure;
    }
    return page;
  };
  const writer: ContentWriter = {
    read: async () => null,
    find: async () => [],
    create: write,
    update: write,
    delete: write,
  };
  return { reader: writer, writer, landed: () => [], notes: () => [] };
}

describe('openCallContent', () => {
  it('gives readers no write method when the session has one object for both halves', () => {
    expect(Object.keys(openCallContent(session()).reader)).toEqual(['read', 'find']);
  });

  it.each(['create', 'update', 'delete'] as const)(
    'remembers a failed %s when the tool swallows the error',
    async (verb) => {
      const content = openCallContent(session(new TypeError('down')));
      expect(content.hasFailedWrite()).toBe(false);
      await (verb === 'create' ? content.writer.create('pages', {}) : content.writer[verb](page, {})).catch(
        () => null,
      );
      expect(content.hasFailedWrite()).toBe(true);
    },
  );

  it.each<[SdkErrorCode, boolean]>([
    ['CONTENT_WRITE_FAILED', true],
    ['WRITE_LOST', true],
    ['READ_BACK_FAILED', false],
    ['INVALID_CONTENT_OPERATION', false],
    ['CONTENT_CALL_ENDED', false],
  ])('knows whether it is known what was stored when the error is %s', async (code, isUnknown) => {
    const content = openCallContent(session(new SdkError(code, 'x')));
    await expect(content.writer.create('pages', {})).rejects.toMatchObject({ code });
    expect(content.hasFailedWrite()).toBe(isUnknown);
  });
});
