import type { ContentData, ContentRecord } from '../content/content-access.js';
import type { ContentHistory } from '../content/content-history.js';
import type { ContentCall } from '../content/raw-content-handler.js';
import {
  safeContentHandler,
  type ContentSession,
  type SafeContentHandler,
} from '../content/safe-content-handler.js';
import type { SafeContentOptions } from '../content/safe-content-options.js';
import type { Clock } from '../context/tool-context.js';
import type { WriteTarget } from '../target/write-target.js';
import { InMemoryHistory } from './in-memory-history.js';
import {
  InMemoryRawHandler,
  type InMemoryFinishingStep,
  type InMemoryHook,
  type InMemorySystem,
} from './in-memory-raw-handler.js';
import { InMemoryStore, type Authorship } from './in-memory-store.js';

export interface InMemoryContentOptions extends SafeContentOptions {
  /** Records to begin with: by table, then by uid. */
  readonly records?: Readonly<Record<string, Readonly<Record<string, ContentData>>>>;
  /** Whether each outermost write runs in a transaction that a failing hook rolls back. Default: false. */
  readonly transactions?: boolean;
  /** Times of the history. Default: the machine's clock. */
  readonly clock?: Clock;
}

/**
 * A content system in memory, for tests and examples: tables, hooks, finishing steps, transactions and
 * a history, behind the same safe handler as a real one. Give it to a host as it is.
 */
export class InMemoryContent implements SafeContentHandler {
  /** The installation's own code, called around each write; push functions that throw to test failures. */
  readonly hooks: {
    readonly beforeWrite: InMemoryHook[];
    readonly afterWrite: InMemoryHook[];
    readonly afterCommit: InMemoryHook[];
  } = { beforeWrite: [], afterWrite: [], afterCommit: [] };
  /** Run in order after the writes of a run. */
  readonly finishingSteps: InMemoryFinishingStep[] = [];
  readonly history: ContentHistory;
  readonly #store = new InMemoryStore();
  readonly #clock: Clock;
  readonly #handler: SafeContentHandler;

  constructor(options: InMemoryContentOptions = {}) {
    const { records = {}, transactions = false, clock = { now: () => new Date() }, ...safe } = options;
    this.#clock = clock;
    this.history = safe.history ?? new InMemoryHistory(this.#store);
    const system: InMemorySystem = {
      store: this.#store,
      hooks: this.hooks,
      finishingSteps: this.finishingSteps,
      transaction: transactions ? (work) => this.#store.transaction(work) : null,
      now: () => this.#clock.now(),
    };
    this.#handler = safeContentHandler((run) => new InMemoryRawHandler(system, run), {
      ...safe,
      history: this.history,
    });
    for (const [table, rows] of Object.entries(records)) {
      for (const [uid, data] of Object.entries(rows)) {
        this.put(table, data, /^[1-9]\d{0,14}$/u.test(uid) ? Number(uid) : uid);
      }
    }
  }

  open(call: ContentCall): ContentSession {
    return this.#handler.open(call);
  }

  /** All records of a table, oldest first. */
  records(table: string): readonly ContentRecord[] {
    return this.#store.all(table);
  }

  record(target: WriteTarget): ContentRecord | null {
    return this.#store.get(target);
  }

  /** Stores a record as a person does, outside of every run; without a uid the next free number. */
  put(table: string, data: ContentData, uid?: string | number): WriteTarget {
    return this.#store.insert(table, data, this.#person(), uid);
  }

  /** Changes a record as a person does. */
  edit(target: WriteTarget, data: ContentData): void {
    this.#store.merge(target, data, this.#person());
  }

  /** Releases a record as a person does. */
  release(target: WriteTarget): void {
    this.#store.merge(target, {}, this.#person(), 'released');
  }

  /** Takes a record away from its readers as a person does. */
  unrelease(target: WriteTarget): void {
    this.#store.merge(target, {}, this.#person(), 'unreleased');
  }

  /** Deletes a record as a person does. */
  remove(target: WriteTarget): void {
    this.#store.remove(target, this.#person());
  }

  /** Puts a deleted record back as a person does. */
  restore(target: WriteTarget): void {
    this.#store.restore(target, this.#person());
  }

  /** Forgets all but the newest entries of a record's history. */
  purgeHistory(target: WriteTarget, keep = 0): void {
    this.#store.purgeHistory(target, keep);
  }

  #person(): Authorship {
    return { author: { kind: 'outside' }, at: this.#clock.now() };
  }
}
