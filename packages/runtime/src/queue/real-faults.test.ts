import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, dirname } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '../index.js';
import { kindsOf } from '../loop/fixtures/harness.js';
import { startCommitDroppingProxy } from '../store/sql/fixtures/commit-dropping-proxy.js';
import { describeOnDatabases } from '../store/sql/fixtures/test-databases.js';
import { buildWorker, type BuiltWorker } from './fixtures/build-worker.js';
import { workerWorld, type WorkerWorld } from './fixtures/worker-world.js';

const CREATE = [{ call: { tool: 'create' } }, 'Done.'];
const LOOK = [{ call: { tool: 'look' } }, 'Done.'];
const ONE_EFFECT = ['create call_1_1'];
const COMPLETED = { status: 'completed', epoch: 1, requeues: 0 };
const INTERRUPTED = {
  status: 'failed',
  dead_letter_reason: 'not_retryable',
  failure_detail: 'write_interrupted',
};
const FIVE_MINUTES = 300_000;

describeOnDatabases('real faults', (databases) => {
  let worker: BuiltWorker;
  const worlds: WorkerWorld[] = [];
  const clients: pg.Client[] = [];
  beforeAll(async () => {
    worker = await buildWorker();
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
    await Promise.all(worlds.splice(0).map((world) => world.end()));
  });
  afterAll(() => worker.remove());
  const inWorld = async (script: readonly ScriptedTurn[]): Promise<WorkerWorld> => {
    const world = await workerWorld(databases, worker, script);
    worlds.push(world);
    return world;
  };
  const fileOf = (world: WorkerWorld): string => {
    const { location } = world.database;
    return 'file' in location ? location.file : '';
  };
  const serverOf = (world: WorkerWorld): { readonly url: string; readonly schema: string } => {
    const { location } = world.database;
    return 'url' in location ? location : { url: '', schema: '' };
  };
  const clientOf = async (world: WorkerWorld): Promise<pg.Client> => {
    const { url, schema } = serverOf(world);
    const client = new pg.Client({ connectionString: url });
    clients.push(client);
    await client.connect();
    await client.query(`set search_path = ${schema}`);
    return client;
  };

  describe('a run whose owner lives', () => {
    it('is left alone by two reapers for longer than its lease', async () => {
      const world = await inWorld(LOOK);
      const lease = { leaseMs: 4_000, heartbeatMs: 200, marginMs: 100 };
      await world.enqueue();
      const owner = world.start({ lease, stopAt: ['reading'] });
      owner.begin('drain');
      await owner.at('reading');
      const reapers = [world.here(), world.here()];
      const leases = new Set<unknown>();
      while (leases.size < lease.leaseMs / lease.heartbeatMs + 2) {
        leases.add((await world.row())?.['lease_expires_at']);
        const reaped = await Promise.all(reapers.map(({ store }) => store.reap(10, () => 'read_only')));
        expect(reaped.flat()).toEqual([]);
      }
      owner.goOn();
      await owner.done('drain');
      expect(await world.row()).toMatchObject(COMPLETED);
    });

    it('is driven once when two processes are woken for it twice at the same time', async () => {
      const world = await inWorld(CREATE);
      const workers = [world.start(), world.start()];
      await Promise.all(workers.map((one) => one.ready()));
      await world.enqueue();
      workers.forEach((one) => {
        one.begin('work');
        one.wake();
        one.wake();
      });
      await world.until('run-1', 'completed');
      workers.forEach((one) => one.signal('SIGTERM'));
      expect(await Promise.all(workers.map((one) => one.done('work')))).toEqual([null, null]);
      expect(await world.effects()).toEqual(ONE_EFFECT);
      expect(await world.row()).toMatchObject(COMPLETED);
    });

    it('is approved by one of two people at once, and resumed by one of two processes', async () => {
      const world = await inWorld(CREATE);
      await world.enqueue();
      const desks = [world.start({ doesPause: true }), world.start({ doesPause: true })];
      await desks[0]?.task('drain');
      const decided = await Promise.all(desks.map((desk) => desk.task('approve')));
      expect(decided.filter((error) => error === null)).toHaveLength(1);
      const resumed = await Promise.all(desks.map((desk) => desk.task('resume')));
      expect(resumed.filter((error) => error === null)).toHaveLength(1);
      expect(await world.effects()).toEqual(ONE_EFFECT);
      expect(await world.row()).toMatchObject({ status: 'completed' });
    });
  });

  describe('a clock', () => {
    it.each([-FIVE_MINUTES, FIVE_MINUTES])(
      'of a worker that is off by %i ms changes nothing',
      async (dateOffMs) => {
        const world = await inWorld(CREATE);
        await world.enqueue();
        expect(await world.start({ dateOffMs }).task('drain')).toBeNull();
        expect(await world.effects()).toEqual(ONE_EFFECT);
        expect(await world.row()).toMatchObject(COMPLETED);
      },
    );

    it('of the database that jumps forward during a write takes the run from its owner, and no second write is made', async () => {
      const world = await inWorld(CREATE);
      await world.enqueue();
      const owner = world.start({ stopAt: ['tool running'] });
      owner.begin('drain');
      await owner.at('tool running');
      await world.advance(FIVE_MINUTES);
      await world.here().drain();
      await world.advance(-FIVE_MINUTES);
      owner.goOn();
      await owner.done('drain');
      await world.here().drain();
      expect(await world.effects()).toEqual(ONE_EFFECT);
      expect(await world.row()).toMatchObject(INTERRUPTED);
      expect(await world.late()).toMatchObject([{ cause: 'run_lost' }]);
    });

    it('of the database that jumps back during a write changes nothing', async () => {
      const world = await inWorld(CREATE);
      await world.enqueue();
      const owner = world.start({ stopAt: ['tool running'] });
      owner.begin('drain');
      await owner.at('tool running');
      await world.advance(-FIVE_MINUTES);
      await world.here().drain();
      owner.goOn();
      await owner.done('drain');
      expect(await world.effects()).toEqual(ONE_EFFECT);
      expect(await world.row()).toMatchObject(COMPLETED);
    });
  });

  /** A worker whose write has had its effect, and whose audit is what comes next. */
  const beforeAudit = async (settings: { readonly busyTimeoutMs?: number } = {}) => {
    const world = await inWorld(CREATE);
    await world.enqueue();
    const owner = world.start({
      stopAt: ['audit:before'],
      location: { ...world.database.location, ...settings },
    });
    owner.begin('drain');
    await owner.at('audit:before');
    return { world, owner };
  };

  if (databases.name === 'sqlite') {
    it('a file that another process locks during the audit leaves the fence to decide', async () => {
      const { world, owner } = await beforeAudit({ busyTimeoutMs: 50 });
      const other = new Database(fileOf(world));
      other.exec('begin immediate');
      owner.goOn();
      await owner.done('drain');
      other.close();
      expect(await world.fences()).toHaveLength(1);
      await world.takeOver();
      expect(await world.effects()).toEqual(ONE_EFFECT);
      expect(await world.row()).toMatchObject(INTERRUPTED);
    });

    // The limit is SQLite's own: a disk that is full for everybody cannot be made without rights on the machine.
    it('a file that cannot grow during the audit buries the run, with the evidence that still fits', async () => {
      const { world, owner } = await beforeAudit();
      expect(await owner.task('fill the disk')).toBeNull();
      owner.goOn();
      await owner.done('drain');
      expect(await world.row()).toMatchObject({ status: 'running' });
      await world.takeOver();
      expect(await world.effects()).toEqual(ONE_EFFECT);
      expect(await world.row()).toMatchObject({ status: 'failed', dead_letter_reason: 'not_retryable' });
      expect(kindsOf(await world.steps())).toEqual(['request', 'model', 'approval:waived', 'failure']);
    });

    it('a write to the file that the system refuses during the audit leaves the fence to decide', async () => {
      const { world, owner } = await beforeAudit();
      // No byte of the log beyond its first page can be written any more: the system says so, not SQLite.
      const limited = spawnSync('prlimit', ['--pid', String(owner.pid), '--fsize=4096:']);
      if (limited.status !== 0) {
        // Outside of Linux nobody can take the right to write away from a process that runs: SQLite's own limit stays.
        console.warn('prlimit is not installed: only the limit of SQLite itself is tried.');
        expect(await owner.task('fill the disk')).toBeNull();
      }
      owner.goOn();
      await owner.done('drain');
      expect(await world.row()).toMatchObject({ status: 'running' });
      expect(await world.fences()).toHaveLength(1);
      await owner.kill();
      await world.takeOver();
      expect(await world.effects()).toEqual(ONE_EFFECT);
      expect(await world.row()).toMatchObject(limited.status === 0 ? INTERRUPTED : { status: 'failed' });
      expect(await world.late()).toEqual([]);
    });

    it('every unit of a run is synced, as counted outside of the process', async () => {
      const world = await inWorld(CREATE);
      await world.enqueue();
      if (spawnSync('strace', ['-V']).status !== 0) {
        // Without a tracer there is nobody to count; the settings of the very connection are what can be asked.
        console.warn('strace is not installed: the syncs are not counted, only the setting is read.');
        const units = await world.database.open();
        const found = await units.run([{ sql: 'pragma synchronous', parameters: [], rows: 1 }]);
        expect(found).toMatchObject({ rows: [[{ synchronous: 2 }]] });
        return;
      }
      const log = join(dirname(world.effectsFile), 'syncs');
      const tracer = ['strace', '-f', '-e', 'trace=fdatasync,fsync', '-o', log];
      const owner = world.start({ stopAt: ['claim:before'] }, tracer);
      owner.begin('drain');
      await owner.at('claim:before');
      const syncs = async (): Promise<number> =>
        (await readFile(log, 'utf8')).match(/f(data)?sync\(\d/g)?.length ?? 0;
      const atStart = await syncs();
      owner.goOn();
      await owner.done('drain');
      expect(owner.units).toBeGreaterThan(4);
      expect((await syncs()) - atStart).toBeGreaterThanOrEqual(owner.units);
    });
  } else {
    it.each(['stamp', 'audit', 'settle'] as const)(
      'a COMMIT whose answer a proxy drops at the %s is found to be stored',
      async (unit) => {
        const world = await inWorld(CREATE);
        const { url, schema } = serverOf(world);
        const proxy = await startCommitDroppingProxy(Number(new URL(url).port));
        const way = new URL(url);
        way.port = String(proxy.port);
        await world.enqueue();
        const owner = world.start({ location: { url: way.href, schema }, stopAt: [`${unit}:before`] });
        owner.begin('drain');
        await owner.at(`${unit}:before`);
        proxy.dropNextCommit();
        owner.goOn();
        await owner.done('drain');
        await owner.leave();
        await proxy.stop();
        expect(proxy.dropped()).toBe(1);
        expect(await world.effects()).toEqual(ONE_EFFECT);
        expect(await world.row()).toMatchObject(COMPLETED);
        expect(await world.fences()).toEqual([]);
      },
    );

    it('a connection that is killed during the audit fails the run with its audit, and it is not run again', async () => {
      const { world, owner } = await beforeAudit();
      const client = await clientOf(world);
      await client.query('begin');
      await client.query('select from runs for update');
      owner.goOn();
      const killed = `select pg_terminate_backend(pid) as is_killed from pg_stat_activity
        where application_name = 'toolwright-runtime' and wait_event_type = 'Lock'`;
      while ((await client.query(killed)).rowCount === 0);
      await client.query('rollback');
      await owner.done('drain');
      await world.takeOver();
      expect(await world.effects()).toEqual(ONE_EFFECT);
      expect(await world.row()).toMatchObject({ status: 'failed', failure_detail: 'audit_lost' });
      expect(kindsOf(await world.steps()).slice(-3)).toEqual(['tool', 'write_target', 'failure']);
    });

    // The server answers as it does with a full disk; filling one takes rights on the machine.
    it('a disk that is full during the audit leaves the fence to decide', async () => {
      const { world, owner } = await beforeAudit();
      await world.run(
        `create or replace function disk_full() returns trigger language plpgsql as
          $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`,
        'create trigger no_steps before insert on steps execute function disk_full()',
        'create trigger no_evidence before insert on late_evidence execute function disk_full()',
      );
      owner.goOn();
      await owner.done('drain');
      await world.run('drop trigger no_steps on steps', 'drop trigger no_evidence on late_evidence');
      expect(await world.row()).toMatchObject({ status: 'running' });
      expect(await world.fences()).toHaveLength(1);
      await world.takeOver();
      expect(await world.effects()).toEqual(ONE_EFFECT);
      expect(await world.row()).toMatchObject(INTERRUPTED);
    });

    it('every unit of a run is synced, as the server counts', async () => {
      const world = await inWorld(CREATE);
      await world.enqueue();
      const client = await clientOf(world);
      const syncs = async (): Promise<number> =>
        Number((await client.query('select wal_sync from pg_stat_wal')).rows[0]?.wal_sync);
      const atStart = await syncs();
      const owner = world.start();
      await owner.task('drain');
      await owner.leave();
      expect(owner.units).toBeGreaterThan(4);
      // A backend hands in what it has counted when it ends, at the latest.
      await expect
        .poll(async () => (await syncs()) - atStart, { timeout: 20_000 })
        .toBeGreaterThanOrEqual(owner.units);
    });
  }
});
