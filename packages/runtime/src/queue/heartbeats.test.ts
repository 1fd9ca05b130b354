import { Worker } from 'node:worker_threads';
import { ToolResult, defineTool, type ReaderContext } from '@toolwright/sdk';
import { createRecordingLogger } from '@toolwright/sdk/testing';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { SqlRunStore, createRuntime, scriptedModel, type RunResult } from '../index.js';
import { describeOnDatabases, type TestDatabase } from '../store/sql/fixtures/test-databases.js';
import type { LeaseObservation } from './fixtures/lease-observer.js';

/** A heart that beats often, so that a machine that is busy misses no lease. */
const LEASE = { leaseMs: 2_000, heartbeatMs: 100, marginMs: 100 };
const LONGER_THAN_A_LEASE = LEASE.leaseMs / LEASE.heartbeatMs + 2;
const PATIENCE_MS = 50_000;

describeOnDatabases('heartbeats', (databases) => {
  const runOne = async (
    { units, dialect }: TestDatabase,
    execute: (context: ReaderContext) => Promise<ToolResult> | ToolResult,
    leaseMs = LEASE.leaseMs,
  ): Promise<RunResult> => {
    const logger = createRecordingLogger();
    const look = defineTool({
      name: 'look',
      description: 'Reads.',
      input: z.object({}),
      execute: (_input, context) => execute(context) as ReturnType<typeof ToolResult.text>,
    });
    const store = new SqlRunStore({
      runner: units,
      dialect,
      lease: { ...LEASE, leaseMs },
      encryption: 'none',
      logger,
    });
    const model = scriptedModel([{ call: { tool: 'look' } }, 'Done.']);
    const runtime = createRuntime({ model, tools: [look], store, logger, newId: () => 'run-1' });
    return runtime.run({ actor: { id: 'anna' }, prompt: 'look' });
  };
  const epochOf = async ({ units }: TestDatabase) =>
    units.read({ sql: 'select status, epoch from runs', parameters: [] });

  it('go on while a tool blocks the event loop for longer than the lease, and the run is kept', async () => {
    const database = await databases.take();
    const done = new Int32Array(new SharedArrayBuffer(4));
    const observation: LeaseObservation = {
      location: database.location,
      runId: 'run-1',
      renewals: LONGER_THAN_A_LEASE,
      done,
    };
    let woken: string | undefined;
    const result = await runOne(database, () => {
      new Worker(new URL('./fixtures/lease-observer.js', import.meta.url), {
        workerData: observation,
        execArgv: [],
      });
      woken = Atomics.wait(done, 0, 0, PATIENCE_MS);
      return ToolResult.text('looked');
    });
    expect(woken).toBe('ok');
    expect(result).toMatchObject({ status: 'completed' });
    expect(await epochOf(database)).toEqual([{ status: 'completed', epoch: 1 }]);
  });

  it('tell a running tool that the run is lost when a renewal finds no row of this owner', async () => {
    const database = await databases.take();
    const waitInVain = async ({ signal }: ReaderContext) => {
      await database.units.run([{ sql: 'update runs set epoch = epoch + 1', parameters: [], rows: 1 }]);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return ToolResult.text('looked in vain');
    };
    // By the local clock, the lease outlasts the test.
    const result = await runOne(database, waitInVain, 600_000);
    expect(result.status).toBe('lost');
    expect(await epochOf(database)).toEqual([{ status: 'running', epoch: 2 }]);
  });
});
