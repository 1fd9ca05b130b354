import { MessageChannel, Worker } from 'node:worker_threads';
import { errorClass, type Logger } from '@toolwright/sdk';
import type { ClientConfig } from 'pg';
import type { Beat, Heartbeat, HeartbeatOrder, Heartbeats } from '../../../queue/heartbeats.js';
import { ThreadHeartbeats } from '../../../queue/thread-heartbeats.js';
import type { HeartbeatThreadData } from './heartbeat-thread.js';

/** A thread with a connection of its own, started with the first lease: who only enqueues needs none. */
export class PostgresHeartbeats implements Heartbeats {
  readonly #connection: ClientConfig;
  readonly #logger: Logger | null;
  #running: { readonly worker: Worker; readonly heartbeats: ThreadHeartbeats } | null = null;

  constructor(connection: ClientConfig, logger: Logger | null) {
    this.#connection = connection;
    this.#logger = logger;
  }

  start(order: HeartbeatOrder, onBeat: (beat: Beat) => void): Heartbeat {
    this.#running ??= this.#startThread();
    return this.#running.heartbeats.start(order, onBeat);
  }

  async close(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    if (running !== null) {
      const exited = new Promise((resolve) => running.worker.once('exit', resolve));
      running.worker.ref();
      running.heartbeats.close();
      await exited;
    }
  }

  #startThread() {
    const { port1, port2 } = new MessageChannel();
    const workerData: HeartbeatThreadData = { connection: this.#connection, port: port2 };
    const worker = new Worker(new URL('./heartbeat-thread.js', import.meta.url), {
      workerData,
      transferList: [port2],
      // The host's loaders are none of this thread's business, and would only make its start slow.
      execArgv: [],
    });
    worker.unref();
    const running = { worker, heartbeats: new ThreadHeartbeats(port1) };
    worker.on('error', (error) => {
      // Leases that nobody renews run out, and the next one that is taken has a new thread.
      this.#logger?.error('The thread that renews leases has ended.', { error: errorClass(error) });
      if (this.#running === running) {
        this.#running = null;
      }
      running.heartbeats.close();
    });
    return running;
  }
}
