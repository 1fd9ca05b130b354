import { describe, expect, it } from 'vitest';
import { classifyFailure, isRetryable } from './failure-class.js';

const system = (code: string) => Object.assign(new Error('x'), { code });

describe('classifyFailure', () => {
  it.each([
    [system('ECONNREFUSED'), 'connection'],
    [new TypeError('fetch failed', { cause: system('UND_ERR_SOCKET') }), 'connection'],
    [{ status: 400 }, 'client_error'],
    [{ status: 401 }, 'auth'],
    [{ status: 403 }, 'auth'],
    [{ status: 404 }, 'configuration'],
    [{ status: 408 }, 'connection'],
    [{ status: 429 }, 'rate_limit'],
    [{ status: 500 }, 'server_error'],
    [{ status: 529 }, 'server_error'],
    [{ status: 302 }, 'unknown'],
    [{ failureClass: 'auth', status: 500 }, 'auth'],
    [{ failureClass: 'toString' }, 'unknown'],
    [new Error('x'), 'unknown'],
    [system('EACCES'), 'unknown'],
    ['ECONNREFUSED', 'unknown'],
    [null, 'unknown'],
    [undefined, 'unknown'],
  ] as const)('answers for %j with %s', (error, expected) => {
    expect(classifyFailure(error)).toBe(expected);
  });

  it('ends on causes that form a circle', () => {
    const error = new Error('x');
    error.cause = error;
    expect(classifyFailure(error)).toBe('unknown');
  });
});

describe('isRetryable', () => {
  it('is true for what passes by itself, and never for what nobody knows', () => {
    const classes = [
      'connection',
      'rate_limit',
      'auth',
      'configuration',
      'client_error',
      'server_error',
      'unknown',
    ] as const;
    expect(classes.filter(isRetryable)).toEqual(['connection', 'rate_limit', 'server_error']);
  });
});
