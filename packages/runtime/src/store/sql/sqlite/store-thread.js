// @ts-check
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { isMediumFailure, toProblem, UnitCommitter } from './commit-units.js';
import { openReader, openWriter, StoreFileError } from './open-connection.js';
/** @import { MessagePort } from 'node:worker_threads' */
/** @import { Statement } from '../../unit.js' */
/** @import { SqliteProblem, ThreadOutcome } from './commit-units.js' */
/** @import { ConnectionRequest } from './open-connection.js' */

/*
 * The entry of a thread with one connection. It is JavaScript because a thread starts from a file that Node
 * reads by itself, and that is this one, whether the package runs from its sources or from its build.
 */

/** @typedef {{ readonly role: 'writer' | 'reader', readonly connection: ConnectionRequest }} ThreadData */
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
const { role, connection } = /** @type {ThreadData} */ (workerData);

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
}

/** @param {import('better-sqlite3').Database} database */
function serve(database) {
  const committer = new UnitCommitter(database);
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
    for (let start = 0; start < requests.length; start += GROUP_LIMIT) {
      const group = requests.slice(start, start + GROUP_LIMIT);
      const outcomes =
        role === 'writer'
          ? committer.commit(group.map(({ statements }) => statements))
          : group.map(({ statements }) => committer.read(statements));
      post({
        kind: 'answers',
        answers: group.map(({ id }, index) => [id, /** @type {ThreadOutcome} */ (outcomes[index])]),
      });
      const unknown = outcomes.find(({ kind }) => kind === 'unknown');
      if (unknown?.kind === 'unknown' && isMediumFailure(unknown.problem)) {
        // Going on would let a later reader see something else than what a recovery may find.
        isClosing = true;
        break;
      }
    }
    if (isClosing) {
      database.close();
      post({ kind: 'closed' });
      port.close();
    }
  });
}
