import { APIConnectionError, APIError, APIUserAbortError } from 'openai';
import { classifyFailure, classifyStatus, type FailureClass } from '../../failure/failure-class.js';
import { ModelError } from '../model.js';

/** A code or type as servers send them. Anything else could be text, and text could quote a key. */
const PLAIN_CODE = /^(?=.{1,60}$)[a-z]+(?:_[a-z]+)*$/u;

/**
 * Classifies what the client or the server failed with. The message names the status and the server's
 * code, never the server's own text: some servers quote the key or the request in it.
 */
export function toModelError(error: unknown): ModelError {
  if (error instanceof ModelError) {
    return error;
  }
  const failureClass = classOf(error);
  const isServersWord = error instanceof APIError && !(error instanceof APIConnectionError);
  return new ModelError(failureClass, messageOf(error, failureClass), {
    // A cause is printed with the error, so the server's own text stays out of it as well.
    ...(isServersWord ? {} : { cause: error }),
    retryAfterMs: error instanceof APIError ? retryAfterMs(error.headers as Headers | undefined) : null,
  });
}

function classOf(error: unknown): FailureClass {
  if (error instanceof APIConnectionError || error instanceof APIUserAbortError) {
    return 'connection';
  }
  if (error instanceof APIError) {
    const { status, code } = error as { readonly status: unknown; readonly code: unknown };
    // The account has no money left; waiting changes nothing.
    if (code === 'insufficient_quota') {
      return 'configuration';
    }
    const stated = typeof status === 'number' ? status : Number(code);
    // An error in the middle of a stream comes without a status.
    return stated >= 400 && stated < 600 ? classifyStatus(stated) : 'server_error';
  }
  // The body was no JSON, or a chunk of it.
  if (error instanceof SyntaxError) {
    return 'server_error';
  }
  // `fetch` fails with a TypeError when a body breaks off, with the system's code in a cause.
  return error instanceof TypeError ? 'connection' : classifyFailure(error);
}

const WHAT_TO_DO: Readonly<Record<FailureClass, string>> = {
  connection: 'Check baseUrl and the network',
  rate_limit: 'Wait, or ask for a higher limit',
  auth: 'Check the API key and what it may use',
  configuration: 'Check baseUrl, the name of the model and the account',
  client_error: 'The server refused the request; check parameters and the length of the conversation',
  server_error: 'The fault is at the server',
  unknown: 'Look at the cause',
};

function messageOf(error: unknown, failureClass: FailureClass): string {
  const { status, code, type } = (error instanceof APIError ? error : {}) as Readonly<
    Record<string, unknown>
  >;
  const known = [typeof status === 'number' ? `HTTP ${String(status)}` : null, plain(code), plain(type)];
  const details = known.filter((part) => part !== null).join(', ');
  return `The model server did not answer${details === '' ? '' : ` (${details})`}. ${WHAT_TO_DO[failureClass]}.`;
}

function plain(value: unknown): string | null {
  return typeof value === 'string' && PLAIN_CODE.test(value) ? value : null;
}

/** The wait that the server asks for: `retry-after-ms`, or `retry-after` in seconds. */
function retryAfterMs(headers: Headers | undefined): number | null {
  const inMs = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  const inSeconds = Number.parseFloat(headers?.get('retry-after') ?? '');
  const wait = Number.isFinite(inMs) ? inMs : inSeconds * 1000;
  return Number.isFinite(wait) && wait >= 0 ? Math.ceil(wait) : null;
}
