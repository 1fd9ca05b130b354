// @ts-check
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';
/** @import { MessagePort } from 'node:worker_threads' */
/** @import { Statement } from '../store/unit.js' */
/** @import { Beat, HeartbeatOrder } from './heartbeats.js' */

/*
 * The part of the heartbeats that runs in a thread beside the event loop of the runs. It is JavaScript because a thread
 * starts from a file that Node reads by itself.
 */

/**
 * @typedef {{ readonly kind: 'start', readonly id: number, readonly order: HeartbeatOrder }
 *   | { readonly kind: 'stop', readonly id: number }} HeartbeatRequest
 */
/** @typedef {{ readonly id: number, readonly beat: Beat }} BeatMessage */
/** @typedef {{ readonly order: HeartbeatOrder, timer: NodeJS.Timeout }} Beating */

/**
 * Renews leases as it is asked to over the port, those that are due at the same time together.
 *
 * @param {MessagePort} port
 * @param {(renewals: readonly Statement[]) => Promise<readonly Beat['kind'][]>} renew answers once for each; never rejects
 */
export function serveHeartbeats(port, renew) {
  /** @type {Map<number, Beating>} */
  const beating = new Map();
  /** @type {number[]} */
  let due = [];

  /** @param {number} id */
  const becomeDue = (id) => {
    due.push(id);
    if (due.length === 1) {
      setImmediate(() => void beat());
    }
  };
  const beat = async () => {
    const ids = due.filter((id) => beating.has(id));
    due = [];
    // The same clock as that of the thread which holds the runs.
    const sentAtMs = Number(process.hrtime.bigint() / 1_000n) / 1_000;
    const kinds = await renew(ids.flatMap((id) => beating.get(id)?.order.renewal ?? []));
    for (const [index, id] of ids.entries()) {
      const one = beating.get(id);
      const kind = kinds[index] ?? 'failed';
      if (one === undefined) {
        continue;
      }
      if (kind === 'lost') {
        beating.delete(id);
      } else {
        one.timer = setTimeout(becomeDue, one.order.everyMs, id);
      }
      /** @type {BeatMessage} */
      const message = { id, beat: kind === 'renewed' ? { kind, sentAtMs } : { kind } };
      port.postMessage(message);
    }
  };

  port.on('message', (/** @type {readonly HeartbeatRequest[]} */ requests) => {
    for (const request of requests) {
      if (request.kind === 'start') {
        const { id, order } = request;
        beating.set(id, { order, timer: setTimeout(becomeDue, order.everyMs, id) });
      } else {
        clearTimeout(beating.get(request.id)?.timer);
        beating.delete(request.id);
      }
    }
  });
  port.on('close', () => {
    beating.forEach(({ timer }) => clearTimeout(timer));
    beating.clear();
  });
}
