import type { ExternalValue } from '../values/value.js';

/** Calls that answer time, chance or surroundings: no two answers are the same, and none names a record. */
const GLOBALS = new Set([
  'Math.random',
  'Date.now',
  'Date',
  'new Date',
  'performance.now',
  'process.hrtime',
  'process.hrtime.bigint',
  'process.uptime',
  'process.cwd',
  'crypto.randomUUID',
  'crypto.getRandomValues',
  'globalThis.crypto.randomUUID',
  'Symbol',
]);

const BY_MODULE: Readonly<Record<string, RegExp>> = {
  crypto: /^(?:default\.)?(?:webcrypto\.)?(?:randomUUID|randomBytes|randomInt|getRandomValues)$/u,
  perf_hooks: /^(?:default\.)?performance\.now$/u,
  process: /./u,
  os: /./u,
  uuid: /^(?:default\.)?(?:v[14671]|v[67])$|^default$/u,
  nanoid: /./u,
  'nanoid/non-secure': /./u,
  ulid: /./u,
  ulidx: /./u,
  cuid: /./u,
  '@paralleldrive/cuid2': /./u,
  ksuid: /./u,
};

export function isFreshValue(callee: ExternalValue): boolean {
  if (callee.module === '' || callee.module === '@types/node') {
    return GLOBALS.has(callee.path);
  }
  return BY_MODULE[callee.module]?.test(callee.path) ?? false;
}
