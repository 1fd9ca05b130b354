import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startIdleLoop } from './idle-loop.js';

export interface Measured {
  readonly perSecond: number;
  /** Of this process with all of its threads, and not of the server: what another load on the machine does not change. */
  readonly cpuMsPerRun: number;
  /** Of the database server with all of its processes; null where there is none, or the system does not tell. */
  readonly serverCpuMsPerRun: number | null;
  /** How much later than it should have the event loop turned, at the 99th percentile of samples 1 ms apart. */
  readonly stallP99Ms: number;
  /** The same of an event loop that had nothing to do meanwhile: what the machine is to blame for. */
  readonly idleStallP99Ms: number;
}

/** The processor time that a server has taken until now, in milliseconds. */
export type ServerCpu = () => number | null;

/** One of those that are compared. */
export interface Side {
  round(runs: number): Promise<Measured>;
  /** @throws Error when what all rounds have stored is not what they were to store. */
  close(): Promise<void>;
}

/** Does the work for each run with so many at once, and measures all of it. */
export async function measure(
  runIds: readonly string[],
  atOnce: number,
  one: (runId: string) => Promise<void>,
  serverCpu: ServerCpu,
): Promise<Measured> {
  const resolution = 1;
  const delays = monitorEventLoopDelay({ resolution });
  const waiting = runIds.values();
  const worker = async (): Promise<void> => {
    for (const runId of waiting) await one(runId);
  };
  const endIdleLoop = await startIdleLoop();
  delays.enable();
  const server = serverCpu();
  const cpu = process.cpuUsage();
  const start = performance.now();
  await Promise.all(Array.from({ length: atOnce }, worker));
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const serverAfter = serverCpu();
  delays.disable();
  return {
    perSecond: runIds.length / seconds,
    cpuMsPerRun: (user + system) / 1_000 / runIds.length,
    serverCpuMsPerRun:
      server === null || serverAfter === null ? null : (serverAfter - server) / runIds.length,
    // A sample holds the time between two turns, the millisecond that was asked for included.
    stallP99Ms: Math.max(0, delays.percentile(99) / 1e6 - resolution),
    idleStallP99Ms: await endIdleLoop(),
  };
}

/** @throws Error when what was stored is not what was to be stored. */
export function expectSame(what: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}.`);
  }
}
