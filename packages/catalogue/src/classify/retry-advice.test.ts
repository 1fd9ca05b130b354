import { describe, expect, it } from 'vitest';
import { retryAdviceIn } from './retry-advice.js';

const ADVICE = [
  'Please try again.',
  'Try again later',
  'The page could not be saved, please try again.',
  'The page was not saved so try again',
  'Something failed. Retry the request.',
  'Timeout: retry',
  'It timed out - retry in a minute.',
  'You can retry this call.',
  'You may want to re-run the command.',
  'Wait a moment and then resend the message.',
  'Call this tool again.',
  'Please call … once more.',
  'Try … again',
  'Give it another try.',
  'Retrying may help.',
  'Another attempt might succeed.',
  'The operation can be retried.',
  'It is safe to retry.',
  'The server is busy, try later.',
  'If the problem persists, try again tomorrow.',
  'Repeat the request.',
  'Try the write again with the same arguments.',
];

const NO_ADVICE = [
  'Do not try again.',
  "Don't retry this call.",
  'Never call this tool again for the same page.',
  'Do not, under any circumstances, try again.',
  'This must not be retried.',
  'It is not safe to retry.',
  'It cannot be retried.',
  'Read the record before you try again.',
  'Read the record instead of retrying.',
  'Failed to resend the message.',
  'Choose another slug.',
  'The slug is taken. Try another slug.',
  'Try again with a different slug.',
  'The request failed after 3 retries.',
  'Retry 3 of 5 failed.',
  'The retry limit was reached.',
  'The server sent a Retry-After header.',
  'The worker will retry the job by itself.',
  'It was retried twice.',
  'The outcome is unknown: read page … before you write anything again.',
  'The tryout again list is empty.',
  'If you retry, a second page is made.',
  'No page has this id.',
];

describe('retryAdviceIn', () => {
  it.each(ADVICE)('finds advice when the text says "%s"', (text) => {
    expect(retryAdviceIn(text)).not.toBeNull();
  });

  it.each(NO_ADVICE)('finds none when the text says "%s"', (text) => {
    expect(retryAdviceIn(text)).toBeNull();
  });
});
