import { errorClass, type Logger } from '@toolwright/sdk';
import type { Logger as EngineLogger, WorkerUtils } from 'graphile-worker';
import pg, { type Pool } from 'pg';
import type { WakeUps } from '../../../queue/wake-ups.js';

const TASK = 'toolwright_run';
/** How often delayed messages are looked for; one that is due at once comes by LISTEN and NOTIFY. */
const DELAYED_POLL_MS = 1_000;
/** One that listens, and a few that fetch and take away messages. */
const MAX_CONNECTIONS = 3;
/** PostgreSQL cuts longer names. */
const MAX_NAME = 63;

/**
 * Wake-ups and delays over graphile-worker, in a schema beside that of the store. A message holds the id of a run and
 * nothing else, and losing all of them costs time only: a worker also looks at the runs themselves.
 */
export class PostgresWakeUps implements WakeUps {
  readonly #connectionString: string;
  readonly #schema: string;
  readonly #logger: Logger | null;
  #pool: Pool | null = null;
  #utils: Promise<WorkerUtils> | null = null;

  constructor(connectionString: string, storeSchema: string, logger: Logger | null) {
    const suffix = '_wake_ups';
    this.#connectionString = connectionString;
    this.#schema = `${storeSchema.slice(0, MAX_NAME - suffix.length)}${suffix}`;
    this.#logger = logger;
  }

  async send(runId: string, notBefore: Date | null): Promise<void> {
    const utils = await this.#open();
    const delay = notBefore === null ? {} : { runAt: notBefore };
    // One message a run is enough, and what a failed one says the run's row says better.
    await utils.addJob(TASK, { runId }, { jobKey: runId, maxAttempts: 1, ...delay });
  }

  async receive(
    handler: (runId: string) => Promise<void>,
    concurrency: number,
  ): Promise<() => Promise<void>> {
    const { run } = await import('graphile-worker');
    const runner = await run({
      ...(await this.#shared()),
      concurrency,
      pollInterval: DELAYED_POLL_MS,
      // The host says when a worker drains.
      noHandleSignals: true,
      crontab: '',
      taskList: {
        [TASK]: async (payload) => {
          const runId = (payload as { readonly runId?: unknown } | null)?.runId;
          if (typeof runId === 'string') await handler(runId);
        },
      },
    });
    runner.promise.catch((error: unknown) => {
      this.#logger?.error('Wake-ups are no longer received; runs wait for a poll.', {
        error: errorClass(error),
      });
    });
    return () => runner.stop().catch(() => undefined);
  }

  async close(): Promise<void> {
    const utils = this.#utils;
    const pool = this.#pool;
    this.#utils = null;
    this.#pool = null;
    await utils?.then(
      (opened) => opened.release(),
      () => undefined,
    );
    await pool?.end();
  }

  #open(): Promise<WorkerUtils> {
    this.#utils ??= this.#start().catch((error: unknown) => {
      // The next message tries again.
      this.#utils = null;
      throw error;
    });
    return this.#utils;
  }

  async #start(): Promise<WorkerUtils> {
    const { makeWorkerUtils } = await import('graphile-worker');
    const utils = await makeWorkerUtils(await this.#shared());
    try {
      await utils.migrate();
      return utils;
    } catch (error) {
      await utils.release();
      throw error;
    }
  }

  async #shared() {
    const { Logger: EngineLoggerClass } = await import('graphile-worker');
    const logger: EngineLogger = new EngineLoggerClass(() => (level, message) => {
      // Its messages may hold the connection string's host, never a payload; the rest is of no use to a host.
      if (String(level) === 'error')
        this.#logger?.warn('The engine for wake-ups reports a problem.', { message });
    });
    return { pgPool: this.#connections(), schema: this.#schema, logger };
  }

  /** The engine stops listening to a pool of its own before it is closed, and then a lost connection ends the process. */
  #connections(): Pool {
    if (this.#pool === null) {
      this.#pool = new pg.Pool({
        connectionString: this.#connectionString,
        application_name: 'toolwright-wake-ups',
        max: MAX_CONNECTIONS,
      });
      this.#pool.on('error', (error) => {
        this.#logger?.warn('An idle connection for wake-ups broke and is replaced.', {
          error: errorClass(error),
        });
      });
      this.#pool.on('connect', (client) => {
        client.on('error', () => undefined);
      });
    }
    return this.#pool;
  }
}
