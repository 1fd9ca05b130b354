// @ts-check
import { workerData } from 'node:worker_threads';
import pg from 'pg';
import { serveHeartbeats } from '../../../queue/serve-heartbeats.js';
/** @import { MessagePort } from 'node:worker_threads' */
/** @import { Beat } from '../../../queue/heartbeats.js' */
/** @import { Statement } from '../../unit.js' */

/*
 * The entry of the thread that renews leases on PostgreSQL, over a connection of its own: one of the pool could be
 * waited for by whoever the renewal is for.
 */

/** @typedef {{ readonly connection: import('pg').ClientConfig, readonly port: MessagePort }} HeartbeatThreadData */

const { connection, port } = /** @type {HeartbeatThreadData} */ (workerData);

/** @type {Promise<import('pg').Client> | null} */
let connected = null;

async function connect() {
  // The renewals that are due at the same time are sent at once.
  const client = new pg.Client({ ...connection, pipeline: true });
  const forget = () => {
    connected = null;
  };
  client.on('error', forget);
  client.on('end', forget);
  await client.connect();
  return client;
}

/**
 * @param {import('pg').Client} client
 * @param {Statement} renewal
 * @returns {Promise<Beat['kind']>}
 */
async function renewOne(client, { sql, parameters, rows }) {
  const { rowCount } = await client.query(sql, [...parameters]);
  return rowCount === rows ? 'renewed' : 'lost';
}

serveHeartbeats(port, async (renewals) => {
  try {
    const client = await (connected ??= connect());
    const answers = await Promise.allSettled(renewals.map((renewal) => renewOne(client, renewal)));
    return answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : 'failed'));
  } catch {
    connected = null;
    return renewals.map(() => 'failed');
  }
});

port.on('close', () => {
  connected?.then(
    (client) => client.end(),
    () => undefined,
  );
});
