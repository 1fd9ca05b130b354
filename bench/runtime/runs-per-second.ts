/**
 * Runs per second: claim, three fenced steps, settle, 16 runs at once; on SQLite (`synchronous = FULL`), on PostgreSQL and,
 * as the peer, as a workflow of three steps of DBOS on the same server. All of it in one process and one go, in rounds that
 * take turns, with the syncs per second of the same disk between them: a ratio says something about the code, where a
 * figure alone says more about the machine. So do the processor time of a run, in this process and in the server, and the
 * stall of an event loop that has nothing to do meanwhile. What each side has stored is checked at its end; a side that has stored
 * something else ends with exit code 1, a missed aim does not.
 *
 * `pnpm tsx bench/runtime/runs-per-second.ts [runs on SQLite] [runs on PostgreSQL] [rounds]`. Needs a build.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgres } from '../../tests/postgres/src/postgres-server.js';
import { openDbosSide } from './bench-dbos.js';
import { openStoreSide } from './bench-store.js';
import { syncsPerSecond } from './disk-syncs.js';
import type { Measured, Side } from './measure.js';
import { serverCpuMs } from './server-cpu.js';

const AT_ONCE = 16;
const MEASURES = ['perSecond', 'cpuMsPerRun', 'serverCpuMsPerRun', 'stallP99Ms', 'idleStallP99Ms'] as const;
const AIMS = { sqlite: 5_000, sqlitePerSync: 0.8, postgres: 600, stallMs: 2 };

const sqliteRuns = Number(process.argv[2] ?? 3_000);
const postgresRuns = Number(process.argv[3] ?? 1_000);
const rounds = Number(process.argv[4] ?? 3);

const directory = await mkdtemp(path.join(tmpdir(), 'toolwright-bench-'));
const server = await startPostgres();
const noServer = (): null => null;
const serverCpu = (): number | null => serverCpuMs(server.port);
try {
  const sides: readonly (readonly [name: string, side: Side, runs: number])[] = [
    ['SQLite', await openStoreSide({ file: path.join(directory, 'runs.db') }, AT_ONCE, noServer), sqliteRuns],
    [
      'PostgreSQL',
      await openStoreSide({ url: server.url, schema: 'bench', maxConnections: AT_ONCE }, AT_ONCE, serverCpu),
      postgresRuns,
    ],
    ['DBOS', await openDbosSide(server.url, AT_ONCE, serverCpu), postgresRuns],
  ];
  const found = new Map<string, Measured[]>(sides.map(([name]) => [name, []]));
  const syncs = [await syncsPerSecond(directory)];
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, side, runs] of sides) {
      const measured = await side.round(runs);
      found.get(name)?.push(measured);
      console.log(`${name.padEnd(10)} ${shown(measured)}`);
    }
    syncs.push(await syncsPerSecond(directory));
  }
  for (const [, side] of sides) {
    await side.close();
  }
  const of = (name: string, what: keyof Measured): number =>
    median((found.get(name) ?? []).map((one) => one[what] ?? 0));
  const [sqlite, postgres, dbos] = ['SQLite', 'PostgreSQL', 'DBOS'].map((name) => of(name, 'perSecond'));
  const disk = median(syncs);
  console.log(
    `medians of ${rounds} rounds; the disk: ${disk.toFixed(0)} syncs/s (${syncs.map((n) => n.toFixed(0)).join(', ')})`,
  );
  for (const [name] of sides) {
    const medians = Object.fromEntries(MEASURES.map((what) => [what, of(name, what)])) as unknown as Measured;
    console.log(`${name.padEnd(10)} ${shown(medians)}`);
  }
  const ratio = (what: string, a = NaN, b = NaN): void => console.log(`${what}: ${(a / b).toFixed(2)}`);
  ratio('SQLite, runs per sync of the disk', sqlite, disk);
  ratio('PostgreSQL, runs per sync of the disk', postgres, disk);
  ratio('PostgreSQL against DBOS', postgres, dbos);
  ratio('SQLite against DBOS', sqlite, dbos);
  const cpu = (name: string): number => of(name, 'cpuMsPerRun') + of(name, 'serverCpuMsPerRun');
  ratio('PostgreSQL against DBOS, CPU of a run with the server', cpu('PostgreSQL'), cpu('DBOS'));
  const stall = Math.max(of('SQLite', 'stallP99Ms'), of('PostgreSQL', 'stallP99Ms'));
  for (const [what, isMet] of [
    [`${AIMS.sqlite} runs/s on SQLite`, (sqlite ?? 0) >= AIMS.sqlite],
    [`${AIMS.sqlitePerSync} runs per sync of the disk on SQLite`, (sqlite ?? 0) >= AIMS.sqlitePerSync * disk],
    [`${AIMS.postgres} runs/s on PostgreSQL`, (postgres ?? 0) >= AIMS.postgres],
    [`event-loop stall p99 under ${AIMS.stallMs} ms`, stall < AIMS.stallMs],
  ] as const) {
    console.log(`aim ${isMet ? 'met' : 'missed'}: ${what}`);
  }
} finally {
  await server.stop();
  await rm(directory, { recursive: true });
}

function shown({ perSecond, cpuMsPerRun, serverCpuMsPerRun, stallP99Ms, idleStallP99Ms }: Measured): string {
  const server = serverCpuMsPerRun === null ? '' : ` and ${serverCpuMsPerRun.toFixed(2)} in the server`;
  return (
    `${perSecond.toFixed(0).padStart(6)} runs/s ${cpuMsPerRun.toFixed(2).padStart(6)} ms CPU a run${server}, ` +
    `event-loop stall p99 ${stallP99Ms.toFixed(1)} ms (idle ${idleStallP99Ms.toFixed(1)})`
  );
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
