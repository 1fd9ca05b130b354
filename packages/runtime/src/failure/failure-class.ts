/** The one taxonomy that decides every retry. */
export type FailureClass =
  'connection' | 'rate_limit' | 'auth' | 'configuration' | 'client_error' | 'server_error' | 'unknown';

const RETRYABLE: Readonly<Record<FailureClass, boolean>> = {
  connection: true,
  rate_limit: true,
  server_error: true,
  auth: false,
  configuration: false,
  client_error: false,
  // Nobody knows what happened, so nobody may assume that a second time is safe.
  unknown: false,
};

/** Whether what failed this way may be attempted again. Says nothing about a write that ran before. */
export function isRetryable(failureClass: FailureClass): boolean {
  return RETRYABLE[failureClass];
}

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

const MAX_CAUSES = 5;

/**
 * Classifies any thrown value: by a `failureClass` it carries, else by its HTTP `status`, else by its
 * system `code`, else by the same of its causes; otherwise `unknown`.
 */
export function classifyFailure(error: unknown): FailureClass {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof current === 'object' && current !== null; depth += 1) {
    const found = classifyOne(current as Readonly<Record<string, unknown>>);
    if (found !== null) {
      return found;
    }
    current = (current as { readonly cause?: unknown }).cause;
  }
  return 'unknown';
}

function classifyOne(error: Readonly<Record<string, unknown>>): FailureClass | null {
  const declared = error['failureClass'];
  if (typeof declared === 'string' && Object.hasOwn(RETRYABLE, declared)) {
    return declared as FailureClass;
  }
  // An unstored audit must never inherit a retryable class from the store's error in its cause.
  if (error['code'] === 'AUDIT_NOT_STORED') {
    return 'unknown';
  }
  if (typeof error['status'] === 'number') {
    return classifyStatus(error['status']);
  }
  return typeof error['code'] === 'string' && CONNECTION_CODES.has(error['code']) ? 'connection' : null;
}

/** The class of an HTTP status of 400 and above. */
export function classifyStatus(status: number): FailureClass {
  if (status === 401 || status === 403) return 'auth';
  // 404 and 405 mean a wrong base URL or model name; asking again changes nothing.
  if (status === 404 || status === 405) return 'configuration';
  if (status === 408 || status === 425) return 'connection';
  if (status === 429) return 'rate_limit';
  if (status >= 500) return 'server_error';
  return status >= 400 ? 'client_error' : 'unknown';
}
