import { createRecordingLogger, createTestClock } from '@toolwright/sdk/testing';
import { describeRunStore } from '../fixtures/run-store-contract.js';
import { MemoryUnits, clockedSqlite } from './fixtures/memory-units.js';
import { SqlRunStore } from './sql-run-store.js';

describeRunStore('SqlRunStore in memory', () => {
  const time = createTestClock();
  const store = new SqlRunStore({
    runner: new MemoryUnits(),
    dialect: clockedSqlite(time),
    time,
    logger: createRecordingLogger(),
  });
  return Promise.resolve(store);
});
