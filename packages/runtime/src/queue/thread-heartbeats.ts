import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import type { Beat, Heartbeat, HeartbeatOrder, Heartbeats } from './heartbeats.js';
import type { BeatMessage, HeartbeatRequest } from './serve-heartbeats.js';

/**
 * Heartbeats in another thread, which goes on while a tool blocks this one. The answers can be taken from the port
 * without the event loop, so that a run is not given up for renewals that nobody had time to hear of.
 */
export class ThreadHeartbeats implements Heartbeats {
  readonly #port: MessagePort;
  readonly #listeners = new Map<number, (beat: Beat) => void>();
  #outbox: HeartbeatRequest[] = [];
  #isFlushing = false;
  #lastId = 0;

  /** @param port the other end is with `serveHeartbeats`. */
  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (message: BeatMessage) => this.#take(message));
    // A lease keeps no process alive: whoever works on the run does.
    port.unref();
  }

  start(order: HeartbeatOrder, onBeat: (beat: Beat) => void): Heartbeat {
    const id = (this.#lastId += 1);
    this.#listeners.set(id, onBeat);
    this.#outbox.push({ kind: 'start', id, order });
    if (!this.#isFlushing) {
      this.#isFlushing = true;
      // With all that are started in this turn, and before anybody who waits for one of their runs goes on with it.
      queueMicrotask(() => this.#flush());
    }
    return {
      catchUp: () => this.#catchUp(),
      stop: () => {
        if (this.#listeners.delete(id)) {
          this.#outbox.push({ kind: 'stop', id });
          this.#flush();
        }
      },
      over: () => {
        if (this.#listeners.delete(id)) {
          // With the next message: one by itself would wake the thread up for nothing.
          this.#outbox.push({ kind: 'stop', id });
        }
      },
    };
  }

  close(): void {
    this.#listeners.clear();
    this.#outbox = [];
    this.#port.close();
  }

  #catchUp(): void {
    for (let next = receiveMessageOnPort(this.#port); next; next = receiveMessageOnPort(this.#port)) {
      this.#take(next.message as BeatMessage);
    }
  }

  #take({ id, beat }: BeatMessage): void {
    const listener = this.#listeners.get(id);
    if (beat.kind === 'lost') {
      this.#listeners.delete(id);
    }
    listener?.(beat);
  }

  #flush(): void {
    const requests = this.#outbox;
    this.#outbox = [];
    this.#isFlushing = false;
    if (requests.length > 0) {
      this.#port.postMessage(requests);
    }
  }
}
