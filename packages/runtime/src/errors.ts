/** Stable codes of the errors that this package throws or reports. A code never changes its meaning. */
export type RuntimeErrorCode =
  | 'INVALID_CONFIGURATION'
  | 'INVALID_SCHEDULE'
  | 'DUPLICATE_TOOL'
  | 'RUN_NOT_FOUND'
  | 'RUN_ALREADY_EXISTS'
  | 'RUN_NOT_RESUMABLE'
  | 'RUN_CANCELLED'
  | 'RUN_NOT_REQUEUABLE'
  | 'RUN_NOT_RESOLVABLE'
  | 'WRITE_UNRESOLVED'
  | 'EVIDENCE_UNREAD'
  | 'CALL_NOT_FOUND'
  | 'CALL_NOT_RATEABLE'
  | 'APPROVAL_NOT_ALLOWED'
  | 'APPROVAL_NOT_PENDING'
  | 'APPROVAL_MISMATCH'
  | 'APPROVAL_EXPIRED'
  | 'MODEL_FAILED'
  | 'ROUNDS_EXHAUSTED'
  | 'CONTRACT_VIOLATION'
  | 'AUDIT_NOT_STORED'
  | 'STORE_UNAVAILABLE'
  | 'STORE_NOT_A_DATABASE'
  | 'STORE_OF_ANOTHER'
  | 'STORE_SCHEMA_NEWER'
  | 'STORE_READ_ONLY'
  | 'STORE_FULL'
  | 'STORE_NOT_DURABLE'
  | 'STORE_CONSTRAINT'
  | 'WRONG_KEY'
  | 'NOT_JSON'
  | 'BAD_ARGUMENTS'
  | 'HOST_NOT_LOADED'
  | 'INTERNAL';

/**
 * Base of every error of `@toolwright/runtime`.
 *
 * Branch on `code`, not on the message: messages are for people and may change. The error that led
 * to this one, where there is one, is in `cause`.
 */
export class RuntimeError extends Error {
  override readonly name: string = 'RuntimeError';
  readonly code: RuntimeErrorCode;

  constructor(code: RuntimeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * A writing tool ran and its audit could not be stored, so the run must not go on over an unrecorded
 * write. It carries no failure class of its own and therefore classifies as `unknown`, which is never
 * retried: the write already ran once.
 */
export class AuditPersistenceError extends RuntimeError {
  override readonly name = 'AuditPersistenceError';

  constructor(call: { readonly callId: string; readonly tool: string }, options?: ErrorOptions) {
    super(
      'AUDIT_NOT_STORED',
      `The writing tool "${call.tool}" ran (call ${call.callId}), but its audit could not be stored, so the run ` +
        'was stopped and will not be retried. Read the record that the call would have written before anything ' +
        'is written again, and look for the cause in the log of the store.',
      options,
    );
  }
}
