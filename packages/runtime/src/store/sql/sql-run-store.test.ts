import { createRecordingLogger, createTestClock } from '@toolwright/sdk/testing';
import { describeRunStore } from '../fixtures/run-store-contract.js';
import { MemoryUnits, clockedSqlite } from './fixtures/memory-units.js';
import { describeOnDatabases } from './fixtures/test-databases.js';
import { SqlRunStore } from './sql-run-store.js';

describeOnDatabases('runs', (databases) => {
  describeRunStore('SqlRunStore', async () => {
    const { units, dialect } = await databases.create();
    const time = createTestClock();
    return new SqlRunStore({ runner: units, dialect, time, logger: createRecordingLogger() });
  });
});

describeRunStore('SqlRunStore in memory', () => {
  const time = createTestClock();
  const dialect = clockedSqlite(time);
  const store = new SqlRunStore({
    runner: new MemoryUnits(),
    dialect,
    time,
    logger: createRecordingLogger(),
  });
  return Promise.resolve(store);
});
