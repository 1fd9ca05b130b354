import { describe, expect, it } from 'vitest';
import { describeOnDatabases } from './fixtures/test-databases.js';
import { type DatabaseOptions, openDatabase } from './open-database.js';
import { SqlRunStore } from './sql-run-store.js';

describeOnDatabases('openDatabase', (databases) => {
  it('gives a run store all that it needs when the location is the only setting', async () => {
    const { location } = await databases.create();
    const database = await openDatabase(location);
    const store = new SqlRunStore({ ...database, encryption: 'none' });
    const run = {
      runId: 'run_1',
      correlationId: 'c_1',
      actor: { id: 'a' },
      createdAt: '2026-01-02T03:04:05.000Z',
    };

    await store.enqueue(run, [], null);

    expect(database.dialect.name).toBe(databases.name);
    expect(await store.read('run_1')).toMatchObject({ run, status: 'queued' });
    await database.runner.close();
  });
});

describe('openDatabase', () => {
  it.each([
    ['neither', {}],
    ['both', { file: 'runs.db', url: 'postgres://h/db' }],
  ])('refuses the configuration when it is given %s', async (found, options) => {
    await expect(openDatabase(options as DatabaseOptions)).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringContaining(found),
    });
  });
});
