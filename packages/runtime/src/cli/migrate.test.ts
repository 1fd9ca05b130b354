import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from './run-command-line.js';

describe('toolwright-runtime migrate', () => {
  let cwd = '';
  beforeEach(async () => {
    cwd = await mkdtemp(path.join(tmpdir(), 'toolwright-migrate-'));
  });
  afterEach(() => rm(cwd, { recursive: true }));

  async function migrate(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    let [stdout, stderr] = ['', ''];
    const code = await runCommandLine(['migrate', ...args], {
      cwd,
      env,
      stdout: { write: (text) => (stdout += text) },
      stderr: { write: (text) => (stderr += text) },
      now: () => new Date(0),
      onStopSignal: () => () => undefined,
    });
    return { code, stdout, stderr };
  }

  it('creates the schema, and changes nothing the second time', async () => {
    expect(await migrate(['--file', 'runs.db'])).toMatchObject({
      code: 0,
      stdout: 'The schema is at version 3 (sqlite).\n',
      stderr: '',
    });
    expect(JSON.parse((await migrate(['--file', 'runs.db', '--json'])).stdout)).toEqual({
      database: 'sqlite',
      version: 3,
    });
  });

  it('leaves a file alone that is no database, and one whose schema is newer', async () => {
    const notes = path.join(cwd, 'notes.txt');
    await writeFile(notes, 'my notes '.repeat(1_000));
    const refused = await migrate(['--file', 'notes.txt', '--json']);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'STORE_NOT_A_DATABASE' } });
    expect(await readFile(notes, 'utf8')).toBe('my notes '.repeat(1_000));

    await migrate(['--file', 'runs.db']);
    const later = new Database(path.join(cwd, 'runs.db'));
    later.prepare('insert into migrations values (99, ?, 1)').run('later');
    later.close();
    expect(await migrate(['--file', 'runs.db'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('(STORE_SCHEMA_NEWER)'),
    });
  });

  it.each([
    ['nothing', [], {}, 'TOOLWRIGHT_STORE_URL'],
    ['a schema for SQLite', ['--file', 'a.db', '--schema', 'x'], {}, '--schema is for PostgreSQL'],
    ['a URL of another database', [], { TOOLWRIGHT_STORE_URL: 'mysql://u:pw-4711@h/d' }, 'another protocol'],
    ['a text that is no URL', [], { TOOLWRIGHT_STORE_URL: 'pw-4711' }, 'no URL'],
  ])(
    'says what is missing, and shows no password, when it is given %s',
    async (_what, args, env, message) => {
      const { code, stderr } = await migrate(args, env);
      expect(code).toBe(2);
      expect(stderr).toContain(message);
      expect(stderr).not.toContain('pw-4711');
    },
  );

  it('says that no server answers when the URL leads nowhere, without its password', async () => {
    const port = await new Promise<number>((resolve) => {
      const probe = createServer().listen(0, '127.0.0.1', () => {
        const address = probe.address();
        probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
      });
    });
    const url = `postgres://ann:pw-4711@127.0.0.1:${port}/runs`;
    const { code, stderr } = await migrate([], { TOOLWRIGHT_STORE_URL: url });
    expect(code).toBe(1);
    expect(stderr).toContain('(STORE_UNAVAILABLE)');
    expect(stderr).toContain('no server answers there');
    expect(stderr).not.toContain('pw-4711');
  });
});
