import { SdkError } from '../errors.js';
import type { WriteTarget } from '../target/write-target.js';

/**
 * The content system failed during the writes: some records may be stored and some not, so the
 * outcome of the call is unknown. The system's own error is the `cause`.
 */
export class ContentWriteError extends SdkError {
  override readonly name = 'ContentWriteError';
  /** Records that are known to be stored all the same, in order. */
  readonly landed: readonly WriteTarget[];

  constructor(message: string, landed: readonly WriteTarget[], options?: ErrorOptions) {
    super('CONTENT_WRITE_FAILED', message, options);
    this.landed = Object.freeze([...landed]);
  }
}

/** The content system answered that it wrote, and the read-back contradicts it. */
export class WriteLostError extends SdkError {
  override readonly name = 'WriteLostError';
  /** The record that the system named. */
  readonly target: WriteTarget;

  constructor(message: string, target: WriteTarget) {
    super('WRITE_LOST', message);
    this.target = target;
  }
}

/** The record was written, and could not be read back. The error of the read is the `cause`. */
export class ReadBackError extends SdkError {
  override readonly name = 'ReadBackError';
  /** The record that the content system reported as stored. */
  readonly target: WriteTarget;

  constructor(message: string, target: WriteTarget, options?: ErrorOptions) {
    super('READ_BACK_FAILED', message, options);
    this.target = target;
  }
}
