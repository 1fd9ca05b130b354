import type {
  ContentOptions,
  ContentQuery,
  ContentRecord,
  ContentRun,
  ContentWrite,
  FinishingStep,
  RawContentHandler,
  WriteTarget,
} from '@toolwright/sdk';
import type { Payload } from 'payload';
import type { ActingUser } from './acting-user.js';
import { collectionOf, entityOf, type Entity } from './entity.js';
import { PayloadBindingError } from './errors.js';
import { asWorkOf } from './history/origin.js';
import { RunRecord, keepRecord } from './observe/run-record.js';
import { findRecords, readRecord } from './read/payload-reading.js';
import { answeredTarget, runOperation } from './write/payload-operation.js';
import { isStored } from './write/read-back.js';
import { remainingHooks } from './write/remaining-hooks.js';
import { refusalOf } from './write/write-access.js';

/** The binding to Payload: one run of it. Built in `payload-content.ts` and nowhere else. */
export class PayloadHandler implements RawContentHandler {
  readonly #payload: Payload;
  readonly #run: ContentRun;
  readonly #user: ActingUser;
  #record: RunRecord | null = null;
  #failure: unknown = null;

  constructor(payload: Payload, run: ContentRun, user: ActingUser) {
    this.#payload = payload;
    this.#run = run;
    this.#user = user;
  }

  async refuses(operation: ContentWrite): Promise<string | null> {
    try {
      return await refusalOf(this.#payload, this.#entityOf(operation), operation, this.#user);
    } catch (error) {
      if (error instanceof PayloadBindingError) {
        return error.message.replace(/\.$/u, '');
      }
      throw error;
    }
  }

  async write(operation: ContentWrite): Promise<WriteTarget> {
    const record = new RunRecord(this.#entityOf(operation), operation);
    this.#record = record;
    keepRecord(this.#run, record);
    const document = await this.#perform(record);
    record.completed();
    return record.landed()[0] ?? answeredTarget(operation, document);
  }

  landed(): readonly WriteTarget[] {
    return this.#record?.landed() ?? [];
  }

  isWritten(): boolean {
    return this.#record?.isWritten() === true;
  }

  // Payload takes a session from the adapter's table before it ends it, so that an open one is in there.
  isTransactionOpen(): boolean {
    const { sessions } = this.#payload.db;
    return this.#record?.transactionIds.some((id) => sessions?.[id] !== undefined) === true;
  }

  remainingSteps(): readonly FinishingStep[] {
    const steps = this.#record === null ? [] : remainingHooks(this.#payload, this.#record);
    return steps.map((step) => ({ ...step, run: () => this.#asOwnWork(() => step.run()) }));
  }

  async confirms(_operation: ContentWrite, target: WriteTarget): Promise<boolean> {
    return this.#record !== null && isStored(this.#payload, this.#record, target.uid);
  }

  async read(target: WriteTarget, options: ContentOptions): Promise<ContentRecord | null> {
    return this.#asOwnWork(() => readRecord(this.#payload, target, options, this.#user));
  }

  async find(
    table: string,
    query: ContentQuery & { readonly limit: number },
  ): Promise<readonly ContentRecord[]> {
    return this.#asOwnWork(() => findRecords(this.#payload, table, query, this.#user));
  }

  // Which hook failed, the run knows itself; what is left is Payload's own code.
  nameFailure(error: unknown): string | null {
    const record = this.#record;
    return record === null || error !== this.#failure
      ? null
      : `Payload, ${record.operation.kind} of ${record.entity.slug}`;
  }

  async #perform(record: RunRecord): Promise<unknown> {
    try {
      return await this.#asOwnWork(() =>
        runOperation(this.#payload, record.entity, record.operation, this.#user),
      );
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  #asOwnWork<T>(work: () => T): T {
    return asWorkOf(this.#run.runId, work);
  }

  #entityOf(operation: ContentWrite): Entity {
    if (operation.kind === 'create') {
      return collectionOf(this.#payload, operation.table);
    }
    return operation.kind === 'delete'
      ? collectionOf(this.#payload, operation.target.table)
      : entityOf(this.#payload, operation.target);
  }
}
