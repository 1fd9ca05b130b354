import { EventEmitter } from 'node:events';
import * as http from 'node:http';
import { createRequire } from 'node:module';
import * as stream from 'node:stream';

import { describe, expect, it } from 'vitest';

import { loadCatalogue } from './load/load-catalogue.js';

const catalogue = loadCatalogue();
const require = createRequire(import.meta.url);

/** What a runtime newer than the catalogue may have that the catalogue doesn't decide yet. */
const DECIDED_AT_LEAST = 0.97;

const MODULES = [
  'assert',
  'async_hooks',
  'buffer',
  'child_process',
  'cluster',
  'crypto',
  'dgram',
  'dns',
  'dns/promises',
  'events',
  'fs',
  'fs/promises',
  'http',
  'http2',
  'https',
  'module',
  'net',
  'os',
  'path',
  'perf_hooks',
  'process',
  'querystring',
  'readline',
  'readline/promises',
  'stream',
  'stream/promises',
  'string_decoder',
  'timers',
  'timers/promises',
  'tls',
  'url',
  'util',
  'v8',
  'vm',
  'worker_threads',
  'zlib',
] as const;

const TYPES = [
  'Array',
  'ArrayBuffer',
  'Blob',
  'DataView',
  'Date',
  'FormData',
  'Headers',
  'Map',
  'Number',
  'Promise',
  'RegExp',
  'Request',
  'Response',
  'Set',
  'String',
  'URL',
  'URLSearchParams',
  'Uint8Array',
  'WeakMap',
  'WeakSet',
] as const;

function functionsOf(value: object): string[] {
  return Object.getOwnPropertyNames(value).filter((name) => {
    const descriptor = Object.getOwnPropertyDescriptor(value, name);
    return typeof descriptor?.value === 'function' && name !== 'constructor' && !name.startsWith('_');
  });
}

/** With what is inherited: typed arrays have no method of their own. */
function methodsOf(prototype: object): string[] {
  const above = Object.getPrototypeOf(prototype) as object | null;
  return above === null || above === Object.prototype
    ? functionsOf(prototype)
    : [...functionsOf(prototype), ...methodsOf(above)];
}

function expectDecided(names: readonly string[], lookup: (name: string) => unknown): void {
  const missing = names.filter((name) => lookup(name) === null);
  expect(names.length, 'nothing was looked at').toBeGreaterThan(0);
  expect(1 - missing.length / names.length, `not decided: ${missing.join(' ')}`).toBeGreaterThanOrEqual(
    DECIDED_AT_LEAST,
  );
}

describe('the running Node', () => {
  it.each(MODULES)('has no undecided function in %s', (module) => {
    const exported = require(module) as object;
    expectDecided(functionsOf(exported), (name) => catalogue.lookup({ module, path: [name] }));
  });

  it.each(TYPES)('has no undecided method of %s', (type) => {
    const { prototype } = (globalThis as unknown as Record<string, { prototype: object }>)[type] ?? {
      prototype: {},
    };
    expectDecided(methodsOf(prototype), (name) =>
      catalogue.lookup({ module: 'globalThis', instanceOf: type, path: [name] }),
    );
  });

  it('has no undecided global', () => {
    const names = functionsOf(globalThis).filter((name) => !/^(describe|it|test|expect|vi|suite)/.test(name));
    expectDecided(names, (name) => catalogue.globalValue(name));
  });

  it.each(['JSON', 'Math', 'Reflect', 'Object', 'Promise', 'Array', 'console', 'process'])(
    'has no undecided function of %s',
    (name) => {
      const group = (globalThis as unknown as Record<string, object>)[name] ?? {};
      expectDecided(functionsOf(group), (member) =>
        catalogue.lookup({ module: 'globalThis', path: [name, member] }),
      );
    },
  );

  it.each([
    ['node:events', 'EventEmitter', EventEmitter],
    ['node:stream', 'Readable', stream.Readable],
    ['node:stream', 'Writable', stream.Writable],
    ['node:http', 'ClientRequest', http.ClientRequest],
    ['node:http', 'ServerResponse', http.ServerResponse],
    ['node:http', 'Server', http.Server],
  ] as const)('has no undecided method of %s %s', (module, instanceOf, type) => {
    expectDecided(functionsOf(type.prototype), (name) =>
      catalogue.lookup({ module, instanceOf, path: [name] }),
    );
  });
});
