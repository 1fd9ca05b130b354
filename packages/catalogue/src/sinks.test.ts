import { describe, expect, it } from 'vitest';

import { findSink } from './sinks.js';

describe('findSink', () => {
  it.each([
    ['node:fs', ['writeFileSync'], 'local', 'argument'],
    ['fs', ['promises', 'rm'], 'local', 'argument'],
    ['fs/promises', ['default', 'appendFile'], 'local', 'argument'],
    ['node:child_process', ['spawn'], 'local', 'argument'],
    ['node:fs', ['writeSync'], 'local', 'always'],
    ['globalThis', ['fetch'], 'remote', 'argument'],
    ['axios', ['default', 'delete'], 'remote', 'always'],
    ['axios', ['default', 'post'], 'remote', 'argument'],
    ['pg', ['Client', 'new()', 'query'], 'remote', 'argument'],
    ['@prisma/client', ['PrismaClient', 'new()', 'user', 'create'], 'remote', 'always'],
  ] as const)('finds %s %j', (module, path, effect, when) => {
    expect(findSink({ module, path })).toMatchObject({ module, path, effect, when });
  });

  it.each([
    ['node:fs', ['readFileSync']],
    ['node:path', ['join']],
    ['pino', ['default', '()', 'info']],
    ['zod', ['z', 'object']],
    ['no-such-library', ['write']],
    ['asana', ['default', '()', 'createTask']],
  ] as const)('finds none in %s %j', (module, path) => {
    expect(findSink({ module, path })).toBeNull();
  });

  it('begins with a declared type when it is told to', () => {
    expect(findSink({ module: 'node:fs/promises', instanceOf: 'FileHandle', path: ['write'] })?.effect).toBe(
      'local',
    );
  });
});
