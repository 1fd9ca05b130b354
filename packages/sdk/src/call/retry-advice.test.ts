import { expect, it } from 'vitest';
import { advisesRetry } from './retry-advice.js';

it.each([
  'Please try again.',
  'Timeout, retry the create',
  'Retrying may help',
  'Call the tool once more with the same arguments.',
  'Send it again later',
  'You should repeat the call.',
  'Another attempt may succeed.',
  'This did not work. Try creating the page again.',
])('advisesRetry is true when the text is %j', (text) => {
  expect(advisesRetry(text)).toBe(true);
});

it.each([
  'Choose another slug.',
  'Do not try again.',
  'Never repeat the call before the record was read.',
  "Don't retry: the page exists.",
  'The page was created again by somebody else.',
  'Read the record before anything is written again.',
  '',
])('advisesRetry is false when the text is %j', (text) => {
  expect(advisesRetry(text)).toBe(false);
});
