import { createRecordingLogger, createTestClock } from '@toolwright/sdk/testing';
import { describeRunStore } from '../fixtures/run-store-contract.js';
import { describeOnDatabases } from './fixtures/test-databases.js';
import { SqlRunStore } from './sql-run-store.js';

describeOnDatabases('runs', (databases) => {
  describeRunStore('SqlRunStore', async () => {
    const { units, dialect } = await databases.take();
    const time = createTestClock();
    return new SqlRunStore({
      runner: units,
      dialect,
      encryption: 'none',
      time,
      logger: createRecordingLogger(),
    });
  });
});
