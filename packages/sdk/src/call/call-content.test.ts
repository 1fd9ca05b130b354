import { describe, expect, it } from 'vitest';
import type { ContentWriter } from '../content/content-access.js';
import type { ContentSession } from '../content/safe-content-handler.js';
import { SdkError } from '../errors.js';
import { WriteTarget } from '../target/write-target.js';
import { openCallContent } from './call-content.js';

// One object for both halves, as a careless host hands out.
function session(failure: SdkError | null = null): ContentSession {
  const write = async (): Promise<WriteTarget> => WriteTarget.of('pages', 1);
  const writer: ContentWriter = {
    read: async () => null,
    find: async () => [],
    create: write,
    update: write,
    delete: write,
  };
  return {
    reader: writer,
    writer,
    landed: () => [],
    notes: () => [],
    failedWrite: () => failure,
    pendingWrites: () => 2,
  };
}

describe('openCallContent', () => {
  it('gives readers no write method when the session has one object for both halves', () => {
    expect(Object.keys(openCallContent(session()).reader)).toEqual(['read', 'find']);
  });

  it('asks the session what became of the writes when the call is judged', () => {
    expect(openCallContent(session()).hasFailedWrite()).toBe(false);
    expect(openCallContent(session(new SdkError('WRITE_LOST', 'x'))).hasFailedWrite()).toBe(true);
    expect(openCallContent(session()).pendingWrites()).toBe(2);
  });
});
