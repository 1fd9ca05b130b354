/**
 * Adds the tool matchers to vitest's `expect`. Import it once: in a file of vitest's `setupFiles`, or
 * in the test itself.
 *
 *     import '@toolwright/sdk/testing/vitest';
 */
import { expect } from 'vitest';
import { toolMatchers, type ExpectedText } from './tool-matchers.js';

/** The matchers as vitest's `expect` offers them. */
export interface ToolMatchers<R = unknown> {
  /**
   * The answer names a record that was written; with a table and a uid, that one. True too when the
   * tool wrote and then failed. The uid `12` and the uid `"12"` are the same.
   */
  toHaveWritten(table?: string, uid?: string | number): R;
  /** Nothing was done: the tool refused, the arguments were refused, or the call was declined. */
  toHaveRefused(text?: ExpectedText): R;
  /** A writer found nothing to change. */
  toBeUnchanged(text?: ExpectedText): R;
  /** The call ended in an error, whether it wrote before or not. */
  toHaveFailed(text?: ExpectedText): R;
  /** A reader answered. */
  toHaveAnswered(text?: ExpectedText): R;
  /** It is not known whether the call wrote. */
  toHaveUnknownOutcome(): R;
}

declare module 'vitest' {
  // The type parameter must have the name that vitest gave it.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars -- merges into vitest's interface
  interface Matchers<T> extends ToolMatchers<void> {}
}

expect.extend(toolMatchers);
