import { Worker } from 'node:worker_threads';
import type { Statement } from '../../unit.js';
import type { SqliteProblem, ThreadOutcome } from './commit-units.js';
import type { FromThread, ThreadData, ThreadRequest, ToThread } from './store-thread.js';

/** What became of a request: an outcome of the thread, or that it ended before it answered. */
export type ThreadAnswer =
  | ThreadOutcome
  /** The thread had not got it, so nothing is stored. */
  | { readonly kind: 'not_sent'; readonly cause: unknown }
  /** The thread had it and died: it may be stored. */
  | { readonly kind: 'unanswered'; readonly cause: unknown };

/** A thread that could not open its connection. */
export class ThreadNotOpenError extends Error {
  override readonly name = 'ThreadNotOpenError';
  readonly problem: SqliteProblem;

  constructor(problem: SqliteProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** This side of a thread with one connection. */
export class StoreThreadClient {
  readonly #worker: Worker;
  readonly #pending = new Map<number, (answer: ThreadAnswer) => void>();
  #outbox: ThreadRequest[] = [];
  #lastId = 0;
  #end: { readonly cause: unknown } | null = null;
  #isClosing = false;
  /** Whether the thread said goodbye: then what it has not answered, it has not run. */
  #saidGoodbye = false;
  readonly #exited: Promise<void>;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (message: FromThread) => this.#take(message));
    worker.on('error', (cause: unknown) => this.#stop(cause));
    this.#exited = new Promise((resolve) => {
      worker.once('exit', (exitCode) => {
        this.#stop(
          new ThreadNotOpenError({ code: '', message: `the thread ended with exit code ${exitCode}` }),
        );
        resolve();
      });
    });
  }

  /** @throws ThreadNotOpenError when the connection cannot be opened. */
  static async start(data: ThreadData): Promise<StoreThreadClient> {
    const worker = new Worker(new URL('./store-thread.js', import.meta.url), {
      workerData: data,
      transferList: data.role === 'writer' ? [data.heartbeats] : [],
      // The host's loaders are none of this thread's business, and would only make its start slow.
      execArgv: [],
    });
    await new Promise<void>((resolve, reject) => {
      worker.once('message', (message: FromThread) => {
        if (message.kind === 'not_open') {
          reject(new ThreadNotOpenError(message.problem));
        } else {
          resolve();
        }
      });
      worker.once('error', reject);
      worker.once('exit', (exitCode) =>
        reject(new ThreadNotOpenError({ code: '', message: `the thread ended with exit code ${exitCode}` })),
      );
    });
    const client = new StoreThreadClient(worker);
    // A store that nobody is waiting for does not keep the process alive; what is committed is on the disk.
    worker.unref();
    return client;
  }

  /** Never rejects. */
  ask(statements: readonly Statement[]): Promise<ThreadAnswer> {
    if (this.#end !== null || this.#isClosing) {
      const cause = this.#end?.cause ?? new ThreadNotOpenError({ code: '', message: 'the store is closed' });
      return Promise.resolve({ kind: 'not_sent', cause });
    }
    return new Promise((resolve) => {
      const id = (this.#lastId += 1);
      if (this.#pending.size === 0) {
        this.#worker.ref();
      }
      this.#pending.set(id, resolve);
      this.#outbox.push({ id, statements });
      if (this.#outbox.length === 1) {
        // After everything that the last answers have set off, so that one message carries it all.
        setImmediate(() => this.#flush());
      }
    });
  }

  /** Waits for what was asked, then ends the thread. */
  async close(): Promise<void> {
    if (!this.#isClosing) {
      this.#isClosing = true;
      this.#flush();
      if (this.#end === null) {
        this.#worker.ref();
        this.#post('close');
      }
    }
    await this.#exited;
  }

  #flush(): void {
    const requests = this.#outbox;
    this.#outbox = [];
    if (requests.length === 0 || this.#end !== null) {
      return;
    }
    try {
      this.#post(requests);
    } catch (cause) {
      // One value that cannot cross to the thread stops all of the message, so each is sent by itself.
      if (requests.length > 1) {
        for (const request of requests) {
          this.#outbox = [request];
          this.#flush();
        }
        return;
      }
      for (const { id } of requests) {
        this.#settle(id, { kind: 'not_sent', cause });
      }
    }
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #take(message: FromThread): void {
    if (message.kind === 'answers') {
      for (const [id, outcome] of message.answers) {
        this.#settle(id, outcome);
      }
    } else if (message.kind === 'closed') {
      this.#saidGoodbye = true;
    }
  }

  #settle(id: number, answer: ThreadAnswer): void {
    this.#pending.get(id)?.(answer);
    this.#pending.delete(id);
    if (this.#pending.size === 0 && !this.#isClosing) {
      this.#worker.unref();
    }
  }

  #stop(cause: unknown): void {
    this.#end ??= { cause };
    const unsent = new Set(this.#outbox.map(({ id }) => id));
    this.#outbox = [];
    for (const id of [...this.#pending.keys()]) {
      const kind = this.#saidGoodbye || unsent.has(id) ? 'not_sent' : 'unanswered';
      this.#settle(id, { kind, cause: this.#end.cause });
    }
  }
}
