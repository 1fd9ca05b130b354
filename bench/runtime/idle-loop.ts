import { Worker } from 'node:worker_threads';

/** Measures how late an event loop turns that has nothing to do, in a thread of its own. */
const LOOP = `
  const { parentPort } = require('node:worker_threads');
  const { monitorEventLoopDelay } = require('node:perf_hooks');
  const resolution = 1;
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  parentPort.once('message', () => {
    parentPort.postMessage(Math.max(0, delays.percentile(99) / 1e6 - resolution));
  });
`;

/**
 * Starts an event loop that does nothing beside the one that is measured: what delays it is the machine, and delays the
 * other one as well. Answers what ends it and says its stall at the 99th percentile, in milliseconds.
 */
export async function startIdleLoop(): Promise<() => Promise<number>> {
  const worker = new Worker(LOOP, { eval: true, execArgv: [] });
  await new Promise((resolve) => worker.once('online', resolve));
  return () =>
    new Promise((resolve, reject) => {
      worker.once('message', (stallMs: number) => resolve(stallMs));
      worker.once('error', reject);
      worker.postMessage('end');
    });
}
