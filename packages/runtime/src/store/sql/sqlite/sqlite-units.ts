import { RuntimeError } from '../../../errors.js';
import type { ThreadHeartbeats } from '../../../queue/thread-heartbeats.js';
import type { SqlRow, Statement, UnitOutcome, UnitRunner } from '../../unit.js';
import { sqliteError } from './sqlite-failure.js';
import type { StoreThreadClient } from './store-thread-client.js';

/**
 * Runs units on the one connection of this process that writes, in a thread of its own. Units that wait share
 * one COMMIT and one sync of the disk; reads have a thread to themselves and wait for neither.
 */
export class SqliteUnits implements UnitRunner {
  readonly #file: string;
  readonly #writer: StoreThreadClient;
  readonly #reader: StoreThreadClient;
  #diskFailure: RuntimeError | null = null;
  #closed: Promise<void> | null = null;

  readonly heartbeats: ThreadHeartbeats;

  /** @param heartbeats served by the writer. */
  constructor(
    file: string,
    writer: StoreThreadClient,
    reader: StoreThreadClient,
    heartbeats: ThreadHeartbeats,
  ) {
    this.heartbeats = heartbeats;
    this.#file = file;
    this.#writer = writer;
    this.#reader = reader;
  }

  async run(unit: readonly Statement[]): Promise<UnitOutcome> {
    const stopped = this.#stopped('store in');
    if (stopped !== null) {
      return { kind: 'failed', cause: stopped };
    }
    const answer = await this.#writer.ask(unit);
    switch (answer.kind) {
      case 'committed':
      case 'refused':
        return answer;
      case 'failed':
        return { kind: 'failed', cause: sqliteError('store in', this.#file, answer.problem) };
      case 'unknown': {
        // What the reader sees and what a recovery after a crash finds need not be the same now, so that nobody
        // may read on either.
        const cause = sqliteError('store in', this.#file, answer.problem);
        this.#diskFailure ??= cause;
        return { kind: 'unknown', cause };
      }
      case 'not_sent':
        return { kind: 'failed', cause: this.#threadEnded('store in', answer.cause) };
      case 'unanswered':
        return { kind: 'unknown', cause: this.#threadEnded('store in', answer.cause) };
    }
  }

  async read(statement: Omit<Statement, 'rows'>): Promise<readonly SqlRow[]> {
    const stopped = this.#stopped('read from');
    if (stopped !== null) {
      throw stopped;
    }
    const answer = await this.#reader.ask([{ ...statement, rows: 'any' }]);
    switch (answer.kind) {
      case 'committed':
        return answer.rows[0] ?? [];
      case 'failed':
      case 'unknown':
        throw unavailable(sqliteError('read from', this.#file, answer.problem));
      case 'refused':
        throw this.#threadEnded('read from', answer);
      case 'not_sent':
      case 'unanswered':
        throw this.#threadEnded('read from', answer.cause);
    }
  }

  close(): Promise<void> {
    // The writer last: whoever closes the last connection moves the log into the file.
    this.#closed ??= this.#reader.close().then(() => {
      this.heartbeats.close();
      return this.#writer.close();
    });
    return this.#closed;
  }

  #stopped(action: string): RuntimeError | null {
    if (this.#closed === null) {
      return this.#diskFailure;
    }
    return new RuntimeError(
      'STORE_UNAVAILABLE',
      `Cannot ${action} ${JSON.stringify(this.#file)}: expected an open store, found that it was closed. Open it again.`,
    );
  }

  #threadEnded(action: string, cause: unknown): RuntimeError {
    return new RuntimeError(
      'STORE_UNAVAILABLE',
      `Cannot ${action} ${JSON.stringify(this.#file)}: expected the open thread of the store, found that it has ended ` +
        '(the cause says how). Open the store again; after a crash that means starting the process again.',
      { cause },
    );
  }
}

/** What a read that fails is called, whatever the reason: it says nothing about what is stored. */
function unavailable(error: RuntimeError): RuntimeError {
  return error.code === 'STORE_UNAVAILABLE'
    ? error
    : new RuntimeError('STORE_UNAVAILABLE', error.message, { cause: error });
}
