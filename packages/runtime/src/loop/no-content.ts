import { SdkError, type SafeContentHandler } from '@toolwright/sdk';

function refuse(): Promise<never> {
  return Promise.reject(
    new SdkError(
      'CONTENT_READ_FAILED',
      'Cannot reach any content: expected the host to have a content handler, found none. ' +
        'Pass `content: safeContentHandler(…)` to createRuntime.',
    ),
  );
}

/** Stands in where a host has no content system: every access says what to configure. */
export const noContent: SafeContentHandler = {
  open: () => ({
    reader: { read: refuse, find: refuse },
    writer: { read: refuse, find: refuse, create: refuse, update: refuse, delete: refuse },
    landed: () => [],
    notes: () => [],
    failedWrite: () => null,
    pendingWrites: () => 0,
  }),
};
