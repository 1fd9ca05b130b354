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
    this.#post({ kind: 'start', id, order });
    return {
      catchUp: () => this.#catchUp(),
      stop: () => {
        if (this.#listeners.delete(id)) {
          this.#post({ kind: 'stop', id });
        }
      },
    };
  }

  close(): void {
    this.#listeners.clear();
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

  #post(request: HeartbeatRequest): void {
    this.#port.postMessage(request);
  }
}
