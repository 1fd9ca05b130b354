import type { ContentData, ContentRecord } from '../content/content-access.js';
import type { HistoryAuthor, HistoryEntry } from '../content/content-history.js';
import { SdkError } from '../errors.js';
import { WriteTarget } from '../target/write-target.js';

/** A change as the store's history keeps it. */
export interface StoredEntry extends Omit<HistoryEntry, 'content'> {
  readonly sequence: number;
  /** Tells a record from a later one with the same uid. */
  readonly birth: number;
  /** The fields after the change, and before it; null where there was no record. */
  readonly after: ContentData | null;
  readonly before: ContentData | null;
}

interface Row {
  readonly target: WriteTarget;
  readonly data: ContentData;
  readonly birth: number;
}

/** Who changes a record, and when. */
export interface Authorship {
  readonly author: HistoryAuthor;
  readonly at: Date;
}

/** Records and their history in memory. What goes in and what comes out are copies. */
export class InMemoryStore {
  #rows = new Map<string, Row>();
  #trash = new Map<string, Row>();
  #entries = new Map<string, readonly StoredEntry[]>();
  #nextUid = 1;
  #nextSequence = 1;
  #lastTransaction: Promise<void> = Promise.resolve();

  get(target: WriteTarget): ContentRecord | null {
    const row = this.#rows.get(keyOf(target));
    return row === undefined ? null : { target: row.target, data: structuredClone(row.data) };
  }

  all(table: string): readonly ContentRecord[] {
    return [...this.#rows.values()]
      .filter((row) => row.target.table === table)
      .map((row) => ({ target: row.target, data: structuredClone(row.data) }));
  }

  insert(table: string, data: ContentData, author: Authorship, uid?: string | number): WriteTarget {
    const target = WriteTarget.of(table, uid ?? this.#freeUid(table));
    if (this.#rows.has(keyOf(target))) {
      throw notFound(`${keyOf(target)} exists already`, 'another uid');
    }
    const birth = this.#nextSequence;
    this.#rows.set(keyOf(target), { target, data: structuredClone(data), birth });
    this.#record(null, 'changed', author, target);
    return target;
  }

  /** Keeps the fields that `data` does not name. */
  merge(
    target: WriteTarget,
    data: ContentData,
    author: Authorship,
    kind: HistoryEntry['kind'] = 'changed',
  ): void {
    const row = this.#rowOf(target);
    this.#rows.set(keyOf(target), { ...row, data: { ...row.data, ...structuredClone(data) } });
    this.#record(row, kind, author, target);
  }

  remove(target: WriteTarget, author: Authorship): void {
    const row = this.#rowOf(target);
    this.#rows.delete(keyOf(target));
    this.#trash.set(keyOf(target), row);
    this.#record(row, 'deleted', author, target);
  }

  /** Puts a removed record back as it was. */
  restore(target: WriteTarget, author: Authorship): void {
    const row = this.#trash.get(keyOf(target));
    if (row === undefined || this.#rows.has(keyOf(target))) {
      throw notFound(`${keyOf(target)} is not in the trash, or there is another one`, 'a removed record');
    }
    this.#trash.delete(keyOf(target));
    this.#rows.set(keyOf(target), row);
    this.#record(null, 'restored', author, target);
  }

  /** The birth of the record that has this uid now. */
  birthOf(target: WriteTarget): number | null {
    return this.#rows.get(keyOf(target))?.birth ?? null;
  }

  historyOf(target: WriteTarget): readonly StoredEntry[] {
    return this.#entries.get(keyOf(target)) ?? [];
  }

  /** Keeps only the newest entries of a record's history. */
  purgeHistory(target: WriteTarget, keep: number): void {
    const entries = this.historyOf(target);
    this.#entries.set(keyOf(target), entries.slice(Math.max(0, entries.length - keep)));
  }

  /** Runs work that is undone when it rejects. One at a time, so that a rollback takes back nobody else's writes. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#lastTransaction;
    const transaction = before.then(async () => {
      const rows = new Map(this.#rows);
      const trash = new Map(this.#trash);
      const entries = new Map(this.#entries);
      try {
        return await work();
      } catch (error) {
        this.#rows = rows;
        this.#trash = trash;
        this.#entries = entries;
        throw error;
      }
    });
    this.#lastTransaction = transaction.then(
      () => undefined,
      () => undefined,
    );
    return transaction;
  }

  #rowOf(target: WriteTarget): Row {
    const row = this.#rows.get(keyOf(target));
    if (row === undefined) {
      throw notFound(`${keyOf(target)} does not exist`, 'an existing record');
    }
    return row;
  }

  #freeUid(table: string): number {
    while (this.#rows.has(keyOf(WriteTarget.of(table, this.#nextUid)))) {
      this.#nextUid += 1;
    }
    this.#nextUid += 1;
    return this.#nextUid - 1;
  }

  /** Keeps a change that was just made; `before` is the row that it changed. */
  #record(before: Row | null, kind: HistoryEntry['kind'], author: Authorship, target: WriteTarget): void {
    const sequence = this.#nextSequence;
    this.#nextSequence += 1;
    const after = this.#rows.get(keyOf(target)) ?? null;
    const entry: StoredEntry = {
      id: String(sequence),
      sequence,
      birth: (after ?? before)?.birth ?? sequence,
      kind,
      ...author,
      after: after?.data ?? null,
      before: before?.data ?? null,
    };
    this.#entries.set(keyOf(target), [...this.historyOf(target), entry]);
  }
}

function keyOf(target: WriteTarget): string {
  return `${target.table}:${String(target.uid)}`;
}

function notFound(found: string, expected: string): SdkError {
  return new SdkError(
    'INVALID_CONTENT_OPERATION',
    `Cannot write in the in-memory content: expected ${expected}, found that ${found}.`,
  );
}
