import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RuntimeError } from '../errors.js';
import { loadHost } from './load-host.js';
import type { Terminal } from './terminal.js';

describe('loadHost', () => {
  let cwd = '';
  const terminal = (env: Terminal['env'] = {}): Terminal => {
    const stream = { write: () => undefined };
    return {
      cwd,
      env,
      stdout: stream,
      stderr: stream,
      now: () => new Date(0),
      onStopSignal: () => () => undefined,
    };
  };
  beforeAll(async () => {
    cwd = await mkdtemp(path.join(tmpdir(), 'toolwright-host-'));
  });
  afterAll(() => rm(cwd, { recursive: true }));

  const host = async (name: string, text: string): Promise<string> => {
    await writeFile(path.join(cwd, name), text);
    return name;
  };
  const METHODS = '["work","reap","resume","pauses","card","approve","decline","cancel","trace","resolve"]';
  const RUNTIME = `Object.fromEntries(${METHODS}.map((name) => [name, () => name]))`;

  it('takes a runtime, or what makes one, and closes what the module opened', async () => {
    const plain = await loadHost(await host('plain.mjs', `export const runtime = ${RUNTIME};`), terminal());
    expect(plain.runtime.pauses('x')).toBe('pauses');
    await plain.close();
    const made = await host(
      'made.mjs',
      `export const state = { closed: 0 };
       export const runtime = async () => (${RUNTIME});
       export const close = async () => { state.closed += 1; };`,
    );
    const loaded = await loadHost(null, terminal({ TOOLWRIGHT_HOST: made }));
    await loaded.close();
    const { state } = (await import(path.join(cwd, made))) as { readonly state: { readonly closed: number } };
    expect(state.closed).toBe(1);
  });

  it.each([
    ['is not named', '', '', 'found none'],
    ['is not there', 'missing.mjs', '', 'cannot be loaded'],
    ['does not parse', 'broken.mjs', 'export const = 1', 'cannot be loaded ('],
    ['throws', 'throws.mjs', 'throw new TypeError("no key")', 'TypeError: no key'],
    ['exports no runtime', 'empty.mjs', 'export const other = 1;', 'no export of that name'],
    ['exports something else', 'else.mjs', 'export const runtime = { work() {} };', 'something else'],
    ['makes something else', 'nothing.mjs', 'export const runtime = () => null;', 'something else'],
  ])('says what is wrong when the module %s', async (_what, name, text, message) => {
    if (text !== '') await host(name, text);
    const error: unknown = await loadHost(name === '' ? null : name, terminal()).catch(
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(RuntimeError);
    expect(error).toMatchObject({ code: 'HOST_NOT_LOADED', message: expect.stringContaining(message) });
  });
});
