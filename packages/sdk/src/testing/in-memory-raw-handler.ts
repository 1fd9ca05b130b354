import type { ContentData, ContentQuery, ContentRecord } from '../content/content-access.js';
import type { ContentRun } from '../content/content-run.js';
import type { ContentWrite, FinishingStep, RawContentHandler } from '../content/raw-content-handler.js';
import type { WriteTarget } from '../target/write-target.js';
import type { Authorship, InMemoryStore } from './in-memory-store.js';

/** What a hook of the in-memory content is given. */
export interface InMemoryEvent {
  readonly kind: ContentWrite['kind'];
  readonly table: string;
  /** Null before a create. */
  readonly target: WriteTarget | null;
  /** The fields of the write; none for a delete. */
  readonly data: ContentData;
  readonly run: ContentRun;
  /** Writes another record from inside the hook, with all its hooks, in the same transaction. */
  write(operation: ContentWrite): Promise<WriteTarget>;
}

/** Named by its function's name in notes. */
export type InMemoryHook = (event: InMemoryEvent) => unknown;

/** A step after the writes of a run; it is given every record that the run wrote, those of hooks too. */
export interface InMemoryFinishingStep {
  readonly name: string;
  run(targets: readonly WriteTarget[]): unknown;
}

/** What the content system is made of, shared by all its runs. */
export interface InMemorySystem {
  readonly store: InMemoryStore;
  readonly hooks: {
    readonly beforeWrite: readonly InMemoryHook[];
    readonly afterWrite: readonly InMemoryHook[];
    readonly afterCommit: readonly InMemoryHook[];
  };
  readonly finishingSteps: readonly InMemoryFinishingStep[];
  /** Runs a transaction alone; null for a system without transactions. */
  readonly transaction: (<T>(work: () => Promise<T>) => Promise<T>) | null;
  now(): Date;
}

/** The in-memory content's binding: one run of it. */
export class InMemoryRawHandler implements RawContentHandler {
  readonly #system: InMemorySystem;
  readonly #run: ContentRun;
  readonly #queue: WriteTarget[] = [];
  #landed: WriteTarget[] = [];
  #isTransactionOpen = false;
  #steps: readonly FinishingStep[] = [];

  constructor(system: InMemorySystem, run: ContentRun) {
    this.#system = system;
    this.#run = run;
  }

  async write(operation: ContentWrite): Promise<WriteTarget> {
    const target = await this.#inTransaction(() => this.#store(operation));
    await this.#call('afterCommit', operation, target);
    this.#steps = this.#system.finishingSteps.map(
      (step) => new QueuedStep(step.name, () => step.run([...this.#queue])),
    );
    for (const step of this.#steps) {
      await step.run();
    }
    return target;
  }

  landed(): readonly WriteTarget[] {
    return this.#landed;
  }

  isTransactionOpen(): boolean {
    return this.#isTransactionOpen;
  }

  remainingSteps(): readonly FinishingStep[] {
    return this.#steps.filter((step) => !(step instanceof QueuedStep && step.isDone));
  }

  async read(target: WriteTarget): Promise<ContentRecord | null> {
    return this.#system.store.get(target);
  }

  async find(
    table: string,
    query: ContentQuery & { readonly limit: number },
  ): Promise<readonly ContentRecord[]> {
    const wanted = Object.entries(query.where ?? {});
    return this.#system.store
      .all(table)
      .filter(({ data }) => wanted.every(([field, value]) => Object.is(data[field], value)))
      .slice(0, query.limit);
  }

  async #inTransaction(write: () => Promise<WriteTarget>): Promise<WriteTarget> {
    const { transaction } = this.#system;
    if (transaction === null) {
      return write();
    }
    this.#isTransactionOpen = true;
    // A run that a hook started takes part in the outer run's transaction, which may still roll it back.
    if (this.#run.isNested) {
      return write();
    }
    try {
      return await transaction(write);
    } catch (error) {
      this.#landed = [];
      throw error;
    } finally {
      this.#isTransactionOpen = false;
    }
  }

  async #store(operation: ContentWrite): Promise<WriteTarget> {
    const before = operation.kind === 'create' ? null : operation.target;
    await this.#call('beforeWrite', operation, before);
    const target = this.#apply(operation);
    this.#queue.push(target);
    if (this.#run.depth === 0) {
      this.#landed.push(target);
    }
    await this.#call('afterWrite', operation, target);
    return target;
  }

  #apply(operation: ContentWrite): WriteTarget {
    const { store } = this.#system;
    const author: Authorship = { author: { kind: 'run', runId: this.#run.runId }, at: this.#system.now() };
    switch (operation.kind) {
      case 'create':
        return store.insert(operation.table, operation.data, author);
      case 'update':
        store.merge(operation.target, operation.data, author);
        return operation.target;
      case 'delete':
        store.remove(operation.target, author);
        return operation.target;
    }
  }

  async #call(
    list: keyof InMemorySystem['hooks'],
    operation: ContentWrite,
    target: WriteTarget | null,
  ): Promise<void> {
    const table = operation.kind === 'create' ? operation.table : operation.target.table;
    const event: InMemoryEvent = {
      kind: operation.kind,
      table,
      target,
      data: operation.kind === 'delete' ? {} : structuredClone(operation.data),
      run: this.#run,
      write: (nested) => this.#store(nested),
    };
    await this.#run.runHooks(
      this.#system.hooks[list].map((hook) => ({
        name: `hook ${list} of ${table}${hook.name === '' ? '' : ` (${hook.name})`}`,
        run: () => hook(event),
      })),
    );
  }
}

class QueuedStep implements FinishingStep {
  readonly name: string;
  readonly #run: () => unknown;
  #state: 'waiting' | 'started' | 'done' = 'waiting';

  constructor(name: string, run: () => unknown) {
    this.name = name;
    this.#run = run;
  }

  get hasStarted(): boolean {
    return this.#state !== 'waiting';
  }

  get isDone(): boolean {
    return this.#state === 'done';
  }

  async run(): Promise<void> {
    this.#state = 'started';
    await this.#run();
    this.#state = 'done';
  }
}
