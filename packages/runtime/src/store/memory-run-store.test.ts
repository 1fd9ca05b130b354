import { describeRunStore } from './fixtures/run-store-contract.js';
import { MemoryRunStore } from './memory-run-store.js';

describeRunStore('MemoryRunStore', () => Promise.resolve(new MemoryRunStore()));
