import { createTestClock } from '@toolwright/sdk/testing';
import { describeOutcomeLedger } from './fixtures/outcome-ledger-contract.js';
import { MemoryRunStore } from './memory-run-store.js';

describeOutcomeLedger('MemoryRunStore', () =>
  Promise.resolve(new MemoryRunStore({ time: createTestClock() })),
);
