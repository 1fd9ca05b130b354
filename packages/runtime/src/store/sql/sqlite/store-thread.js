// @ts-check
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { isMediumFailure, toProblem, UnitCommitter } from './commit-units.js';
import { serveHeartbeats } from '../../../queue/serve-heartbeats.js';
import { openReader, openWriter, StoreFileError } from './open-connection.js';
/** @import { MessagePort } from 'node:worker_threads' */
/** @import { Statement } from '../../unit.js' */
/** @import { SqliteProblem, ThreadOutcome } from './commit-units.js' */
/** @import { ConnectionRequest } from './open-connection.js' */

/*
 * The entry of a thread with one connection. It is JavaScript because a thread starts from a file that Node
 * reads by itself, and that is this one, whether the package runs from its sources or from its build.
 */

/**
 * `heartbeats` is the port over which the writer is asked to renew leases.
 *
 * @typedef {{ readonly role: 'writer', readonly connection: ConnectionRequest, readonly heartbeats: MessagePort }
 *   | { readonly role: 'reader', readonly connection: ConnectionRequest }} ThreadData
 */
/** @typedef {{ readonly id: number, readonly statements: readonly Statement[] }} ThreadRequest */
/** @typedef {readonly ThreadRequest[] | 'close'} ToThread */
/**
 * @typedef {{ readonly kind: 'open' }
 *   | { readonly kind: 'not_open', readonly problem: SqliteProblem }
 *   | { readonly kind: 'answers', readonly answers: readonly (readonly [number, ThreadOutcome])[] }
 *   | { readonly kind: 'closed' }} FromThread
 */

/** Units in one COMMIT at most, so that other processes are not kept from the file for long. */
const GROUP_LIMIT = 256;

const port = /** @type {MessagePort} */ (parentPort);
const data = /** @type {ThreadData} */ (workerData);
const { role, connection } = data;

/** @param {FromThread} message */
const post = (message) => port.postMessage(message);

try {
  serve(role === 'writer' ? openWriter(connection) : openReader(connection));
  post({ kind: 'open' });
} catch (error) {
  const problem =
    error instanceof StoreFileError ? { code: error.code, message: error.message } : toProblem(error);
  post({ kind: 'not_open', problem });
  port.close();
  if (data.role === 'writer') {
    data.heartbeats.close();
  }
}

/** @param {import('better-sqlite3').Database} database */
function serve(database) {
  const committer = new UnitCommitter(database);
  let hasMediumFailed = false;

  /** @param {readonly ThreadOutcome[]} outcomes */
  const noteMediumFailure = (outcomes) => {
    // Going on would let a later reader see something else than what a recovery may find.
    hasMediumFailed ||= outcomes.some(
      (outcome) => outcome.kind === 'unknown' && isMediumFailure(outcome.problem),
    );
  };
  const close = () => {
    if (!database.open) {
      return;
    }
    database.close();
    post({ kind: 'closed' });
    port.close();
    if (data.role === 'writer') {
      data.heartbeats.close();
    }
  };
  port.on('message', (/** @type {ToThread} */ first) => {
    // Whatever came while the last group was committed makes up the next one.
    /** @type {ThreadRequest[]} */
    const requests = [];
    let isClosing = false;
    /** @type {{ message: ToThread } | undefined} */
    let next = { message: first };
    for (; next !== undefined; next = receiveMessageOnPort(port)) {
      if (next.message === 'close') {
        isClosing = true;
      } else {
        requests.push(...next.message);
      }
    }
    for (let start = 0; start < requests.length && !hasMediumFailed; start += GROUP_LIMIT) {
      const group = requests.slice(start, start + GROUP_LIMIT);
      const outcomes =
        role === 'writer'
          ? committer.commit(group.map(({ statements }) => statements))
          : group.map(({ statements }) => committer.read(statements));
      post({
        kind: 'answers',
        answers: group.map(({ id }, index) => [id, /** @type {ThreadOutcome} */ (outcomes[index])]),
      });
      noteMediumFailure(outcomes);
    }
    if (isClosing || hasMediumFailed) {
      close();
    }
  });
  if (data.role === 'writer') {
    serveHeartbeats(data.heartbeats, (renewals) => {
      const outcomes = database.open ? committer.commit(renewals.map((renewal) => [renewal])) : [];
      noteMediumFailure(outcomes);
      if (hasMediumFailed) {
        close();
      }
      return Promise.resolve(
        outcomes.map(({ kind }) =>
          kind === 'committed' ? 'renewed' : kind === 'refused' ? 'lost' : 'failed',
        ),
      );
    });
  }
}
